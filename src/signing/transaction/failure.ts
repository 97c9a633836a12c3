import { KitError, toKitError } from '../../errors/kit-error.ts'
import { NodeError, Unreachable } from '../../lib/node-errors.ts'

const SHORT = /insufficient (funds|balance|lamports)/i

/** A failure in the host's terms: the wallet's, or else the chain's. */
export function failureOf(cause: unknown): KitError {
  if (cause instanceof NodeError && (SHORT.test(cause.message) || SHORT.test(logsOf(cause))))
    return new KitError('insufficient_funds', 'Wallet has insufficient funds for this transaction.', {
      cause,
    })
  if (cause instanceof Unreachable)
    return new KitError('network_unavailable', 'Disconnected', { cause, retryable: true })
  return toKitError(cause, 'transaction_failure')
}

/** Solana's nodes give the reason in the log lines of the programs. */
function logsOf({ data }: NodeError): string {
  const logs = typeof data === 'object' && data !== null && 'logs' in data ? data.logs : undefined
  return Array.isArray(logs) ? logs.map(String).join('\n') : ''
}
