import { errorScreenVerdict } from '../../errors/error-screen.ts'
import type { KitError } from '../../errors/kit-error.ts'
import { ofEveryMethod } from '../../errors/of-every-method.ts'
import { judge, type Table, type Verdict } from '../../errors/verdict.ts'

/** Failures of passkeys. */
const table = {
  ...ofEveryMethod,
  passkey_not_allowed: screen('error.passkey.notAllowed'),
  passkey_not_supported: { ...screen('error.passkey.unsupported'), retryable: false },
  cannot_link_more_of_type: { ...screen('error.passkey.cannotLinkMore'), retryable: false },
  network_unavailable: errorScreenVerdict,
  otherwise: screen('error.passkey.unknown'),
} as const satisfies Table

function screen<Key>(key: Key) {
  return { show: 'screen', title: 'error.passkey.title', detail: { key }, retryable: true } as const
}

export const passkeyVerdict = (error: KitError): Verdict => judge(table, error)
