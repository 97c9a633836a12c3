import { type FailureKind, failureReason, isOfPrice, type LeastPrice } from './failure-reason.ts'
import type { CompleteTransaction, WalletTransaction } from './transaction.ts'

/** What is prepared next, after the network has refused a transaction. */
export interface Attempt {
  readonly request: WalletTransaction
  readonly replaces?: CompleteTransaction
  /** The price that the node has named. */
  readonly least?: LeastPrice | undefined
}

const nonceKinds: readonly FailureKind[] = ['nonce-too-low', 'nonce-too-high']
/** Fees that the network doesn't take as they are: the market's replace them. */
const feeKinds: readonly FailureKind[] = ['fee-too-high', 'tip-above-max-fee']
const gasKinds: readonly FailureKind[] = ['gas-too-low', 'gas-too-high', 'out-of-gas']

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
  const { kind, least } = failureReason(cause)
  if (nonceKinds.includes(kind))
    return pageNonce === undefined ? { request: { ...asked, nonce: undefined } } : undefined
  // A node that hides this one can have no second beside it: they share their number.
  const request = { ...asked, nonce: refused.nonce }
  if (gasKinds.includes(kind)) return { request: { ...request, gasLimit: undefined } }
  const open = { gasPrice: undefined, maxFeePerGas: undefined, maxPriorityFeePerGas: undefined }
  if (feeKinds.includes(kind)) return { request: { ...request, ...open } }
  if (kind === 'type-unsupported' && refused.type !== 4)
    return { request: { ...request, ...open, type: refused.accessList?.length ? 1 : 0 } }
  if (!isOfPrice(kind)) return { request }
  return { request: { ...request, ...open }, replaces: refused, ...(least && { least }) }
}
