import { withBlockhash } from './budget.ts'
import { decodeTransaction } from './message.ts'
import { NO_BLOCKHASH, type PreparedTransaction, type SolanaRequest } from './prepare.ts'
import type { TransactionStatus } from './track.ts'

/**
 * The request of a transaction that has expired, without its blockhash, so that it can be reviewed and signed anew.
 * `undefined` where the old one could still land, where somebody else signs as well, and for a durable nonce, whose value
 * only the app can renew. The budget that the wallet had added is added anew, so that the user can choose its fee again.
 * @param asked the request before anything was added
 */
export function renewRequest(
  asked: SolanaRequest,
  { wallet, transaction, message, life, hasOwnBudget }: PreparedTransaction,
  { status }: TransactionStatus,
): SolanaRequest | undefined {
  if (status !== 'expired' || life.kind !== 'blockhash' || message.signers.length > 1) return undefined
  const renewed = hasOwnBudget ? asked.transaction : transaction
  return { wallet, transaction: decodeTransaction(withBlockhash(renewed, NO_BLOCKHASH)) }
}
