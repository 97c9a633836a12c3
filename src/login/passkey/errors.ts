import { errorScreenVerdict } from '../../errors/error-screen.ts'
import type { KitError } from '../../errors/kit-error.ts'
import { judge, type Table, type Verdict } from '../../errors/verdict.ts'

/** Failures of passkeys. */
const table = {
  passkey_not_allowed: screen('error.passkey.notAllowed'),
  passkey_not_supported: { ...screen('error.passkey.unsupported'), retryable: false },
  cannot_link_more_of_type: { ...screen('error.passkey.cannotLinkMore'), retryable: false },
  // An app that takes no new users says so in the same words for every method.
  signup_disabled: { show: 'gate', gate: 'account-not-found' },
  // Faults that have the same words for every method.
  allowlist_rejected: errorScreenVerdict,
  max_accounts_reached: errorScreenVerdict,
  user_does_not_exist: errorScreenVerdict,
  linked_to_another_user: errorScreenVerdict,
  disallowed_login_method: errorScreenVerdict,
  too_many_requests: errorScreenVerdict,
  invalid_captcha: errorScreenVerdict,
  invalid_configuration: errorScreenVerdict,
  invalid_origin: errorScreenVerdict,
  client_request_timeout: errorScreenVerdict,
  network_unavailable: errorScreenVerdict,
  otherwise: screen('error.passkey.unknown'),
} as const satisfies Table

function screen<Key>(key: Key) {
  return { show: 'screen', title: 'error.passkey.title', detail: { key }, retryable: true } as const
}

export const passkeyVerdict = (error: KitError): Verdict => judge(table, error)
