import type { KitError } from '../../errors/kit-error.ts'
import { judge, type Table, type Verdict } from '../../errors/verdict.ts'

/** Failures of a Farcaster login. */
const table = {
  farcaster_timeout: screen('error.farcaster.timeout.title', 'error.farcaster.timeout.detail'),
  farcaster_rejected: screen('error.farcaster.rejected.title', 'error.farcaster.rejected.detail'),
  // Failures that every login method shares.
  allowlist_rejected: { show: 'gate', gate: 'allowlist' },
  max_accounts_reached: { show: 'gate', gate: 'user-limit' },
  user_does_not_exist: { show: 'gate', gate: 'account-not-found' },
  signup_disabled: { show: 'gate', gate: 'account-not-found' },
  account_transfer_required: { show: 'conflict', words: { key: 'error.farcaster.failed.detail' } },
  linked_to_another_user: { ...screen('error.linked.title', 'error.linked.detail'), retryable: false },
  disallowed_login_method: {
    ...screen('error.notAllowed.title', 'error.notAllowed.detail'),
    retryable: false,
  },
  too_many_requests: screen('error.tooMany.title', 'error.tooMany.detail'),
  invalid_captcha: screen('error.generic.title', 'error.captcha.detail'),
  client_request_timeout: screen('error.timeout.title', 'error.timeout.detail'),
  network_unavailable: screen('error.farcaster.failed.title', 'error.network.detail'),
  invalid_configuration: { ...screen('error.config.title', 'error.config.detail'), retryable: false },
  invalid_origin: { ...screen('error.config.title', 'error.config.detail'), retryable: false },
  otherwise: screen('error.farcaster.failed.title', 'error.farcaster.failed.detail'),
} as const satisfies Table

function screen<Title, Key>(title: Title, key: Key) {
  return { show: 'screen', title, detail: { key }, retryable: true } as const
}

export const farcasterVerdict = (error: KitError): Verdict => judge(table, error)
