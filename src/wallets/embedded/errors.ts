import type { KitError } from '../../errors/kit-error.ts'
import { judge, type Table, type Verdict } from '../../errors/verdict.ts'

/** Failures while a wallet is created or used. */
const table = {
  vault_unavailable: failure('error.wallet.blocked'),
  vault_timeout: failure('error.wallet.unreachable'),
  vault_crashed: failure('error.wallet.unreachable'),
  network_unavailable: failure('error.network.detail'),
  embedded_wallet_create_error: failure('error.wallet.create'),
  embedded_wallet_recovery_error: failure('error.wallet.recover'),
  missing_or_invalid_token: failure('error.session'),
  must_be_authenticated: failure('error.session'),
  otherwise: failure('error.wallet.create'),
} as const satisfies Table

function failure<Key>(key: Key) {
  return { show: 'screen', title: 'error.generic.title', detail: { key }, retryable: true } as const
}

export const embeddedWalletVerdict = (error: KitError): Verdict => judge(table, error)
/** The same while a wallet that exists is connected to. */
export const connectionVerdict = (error: KitError): Verdict =>
  judge({ ...table, otherwise: failure('error.wallet.recover') }, error)
