import { withBlockhash } from './budget.ts'
import { decodeTransaction } from './message.ts'
import { NO_BLOCKHASH, type PreparedTransaction, type SolanaRequest } from './prepare.ts'
import type { TransactionStatus } from './track.ts'

/**
 * The request of a transaction that has expired, without its blockhash, so that it can be reviewed and signed anew.
 * `undefined` where the old one could still land, where somebody else signs as well, and for a durable nonce, whose value
 * only the app can renew.
 */
export function renewRequest(
  { wallet, transaction, message, life }: PreparedTransaction,
  { status }: TransactionStatus,
): SolanaRequest | undefined {
  if (status !== 'expired' || life.kind !== 'blockhash' || message.signers.length > 1) return undefined
  return { wallet, transaction: decodeTransaction(withBlockhash(transaction, NO_BLOCKHASH)) }
}
