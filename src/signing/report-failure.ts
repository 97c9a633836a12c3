import type { KitError } from '../errors/kit-error.ts'
import type { WalletFlow } from '../wallets/flow-context.ts'

/** Reports a failure to the host, and returns the words for the user. */
export function reportFailure(
  cx: WalletFlow,
  failure: KitError,
  otherwise: 'sign.failed' | 'transaction.unprepared' = 'sign.failed',
): string {
  cx.report(failure)
  return cx.t(wordsFor(failure, otherwise))
}

function wordsFor<Otherwise>({ code }: KitError, otherwise: Otherwise) {
  if (code === 'vault_unavailable') return 'error.wallet.blocked'
  if (code === 'vault_timeout' || code === 'vault_crashed') return 'error.wallet.unreachable'
  if (code === 'network_unavailable') return 'error.network.detail'
  if (code === 'embedded_wallet_recovery_error') return 'error.wallet.recover'
  if (code === 'insufficient_funds') return 'transaction.short'
  return otherwise
}
