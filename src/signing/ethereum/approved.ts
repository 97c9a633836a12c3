/** Holds what the vault has signed against what was approved: a frame that was taken over may sign anything, and nothing else is sent. */
import { KitError } from '../../errors/kit-error.ts'
import { type AllowanceEdit, readAllowances, withAllowance } from '../../ethereum/edit-allowance.ts'
import type { SignedTransaction } from '../../ethereum/replacement.ts'
import { findSignedDifference, type SignedDifference } from '../../ethereum/signed-difference.ts'
import { completeTransaction, parseTransaction } from '../../ethereum/transaction.ts'
import type { Delegate } from '../../ethereum/wallet-code.ts'
import { InvalidRequest } from '../../lib/invalid-request.ts'
import type { EditedContent } from '../../protocol/frame/approval.ts'
import { readEdit } from '../allowances.ts'

/**
 * Asserts that a signed transaction is the one that was approved, to the last byte, and signed by its sender.
 * @param edited what the vault says that it has signed instead
 * @throws KitError `signature_mismatch` with the field that differs in `data.field`
 */
export function assertApproved(
  raw: string,
  prepared: SignedTransaction,
  edited: EditedContent | undefined,
  delegates: readonly Delegate[],
): void {
  const approved = edited ? readEdited(prepared, edited, delegates) : prepared
  const field = findSignedDifference(raw, approved)
  if (field) throw mismatch(field)
}

const mismatch = (field: SignedDifference) =>
  new KitError('signature_mismatch', 'The signed transaction is not the one that was approved', {
    data: { field },
  })

/** In the vault a user may choose other fees and lower allowances, which may take other gas; nothing else is theirs to change. */
function readEdited(
  prepared: SignedTransaction,
  edited: EditedContent,
  delegates: readonly Delegate[],
): SignedTransaction {
  const { gasLimit, gasPrice, maxFeePerGas, maxPriorityFeePerGas, data } = readTransaction(edited, delegates)
  if (!isLowered(prepared, data)) throw mismatch('data')
  return { ...prepared, data, gasLimit, gasPrice, maxFeePerGas, maxPriorityFeePerGas }
}

function readTransaction(edited: EditedContent, delegates: readonly Delegate[]) {
  try {
    return completeTransaction(
      parseTransaction('transaction' in edited ? edited.transaction : undefined, { delegates }),
    )
  } catch (cause) {
    if (cause instanceof InvalidRequest) throw mismatch('encoding')
    throw cause
  }
}

/** Whether other data are the same but for allowances that are lower, or end earlier. */
function isLowered({ data: asked, to }: SignedTransaction, data: `0x${string}`): boolean {
  if (data === asked) return true
  if (to === undefined) return false
  const [first, now] = [readAllowances(asked, to), readAllowances(data, to)]
  if (first.length !== now.length) return false
  const edits = now.flatMap(({ amount, expires }, at): { allowance: AllowanceEdit }[] => {
    const before = first[at]
    const isSame = amount === before?.amount && expires === before.expires
    return isSame ? [] : [{ allowance: { at, amount, ...(expires !== undefined && { expires }) } }]
  })
  if (!edits.every((edit) => readEdit(edit, first))) return false
  return edits.reduce((all, { allowance }) => withAllowance(all, to, allowance), asked) === data
}
