import { NodeError } from '../lib/node-errors.ts'
import type { CompleteTransaction, WalletTransaction } from './transaction.ts'

/** What is prepared next, after the network has refused a transaction. */
export interface Attempt {
  readonly request: WalletTransaction
  readonly dearerThan?: CompleteTransaction
}

const NUMBER = /nonce (is )?too (low|high)|nonce has already been used|invalid nonce/i
const PRICE =
  /underpriced|(fee|tip|gas price) (is )?too low|(less|lower) than block base fee|below the minimum/i
const GAS = /intrinsic gas|out of gas|gas limit (is )?too low|exceeds (the )?block gas limit|gas too low/i

/**
 * Changes what a node has refused, so that it is not refused again for the same reason. `undefined` where only the page
 * can: another number than the one that it gave would be another payment, beside the one that has gone through.
 * @param asked what was refused, as far as the page or an earlier attempt had decided it
 * @param pageNonce the number that the page itself gave
 */
export function nextAttempt(
  asked: WalletTransaction,
  refused: CompleteTransaction,
  pageNonce: bigint | undefined,
  cause: unknown,
): Attempt | undefined {
  const words = cause instanceof NodeError ? cause.message : ''
  if (NUMBER.test(words))
    return pageNonce === undefined ? { request: { ...asked, nonce: undefined } } : undefined
  // A node that hides this one can have no second beside it: they share their number.
  const request = { ...asked, nonce: refused.nonce }
  if (GAS.test(words)) return { request: { ...request, gasLimit: undefined } }
  if (!PRICE.test(words)) return { request }
  const open = { gasPrice: undefined, maxFeePerGas: undefined, maxPriorityFeePerGas: undefined }
  return { request: { ...request, ...open }, dearerThan: refused }
}
