/** Replacements of a transaction that waits: the same nonce, and fees that make nodes prefer it. Only a user asks for one. */

import type { Attempt } from './next-attempt.ts'
import type { CompleteTransaction } from './transaction.ts'
import { newCodeOf } from './wallet-code.ts'

/** A transaction as it was signed. */
export type SignedTransaction = CompleteTransaction & { readonly from: `0x${string}` }
export type ReplacementKind = 'sped-up' | 'cancelled' | 'other'

/** The same transaction once more. `prepareTransaction` raises both fees by an eighth, and to today's market at least. */
export function speedUp(sent: SignedTransaction): Attempt & { readonly replaces: SignedTransaction } {
  const { type, chainId, from, to, value, data, accessList, authorizationList, nonce, gasLimit } = sent
  const request = { type, chainId, from, to, value, data, accessList, nonce, gasLimit }
  return { request: { ...request, ...(authorizationList && { authorizationList }) }, replaces: sent }
}

/** Nothing to oneself in its place: it takes the nonce, so that the one before can't be mined any more. */
export function cancel(sent: SignedTransaction): Attempt & { readonly replaces: SignedTransaction } {
  const { type, chainId, from, nonce } = sent
  return {
    request: {
      type: type === 2 || type === 4 ? 2 : 0,
      chainId,
      from,
      to: from,
      value: 0n,
      data: '0x',
      nonce,
    },
    replaces: sent,
  }
}

type Effects = Pick<CompleteTransaction, 'to' | 'value' | 'data' | 'authorizationList'>

/** What a replacement does, measured by the transaction that it replaces. */
export function replacementKind(sent: Effects & { readonly from: string }, by: Effects): ReplacementKind {
  const isSameCode = newCodeOf(by) === newCodeOf(sent)
  if (by.to === sent.to && by.value === sent.value && by.data === sent.data && isSameCode) return 'sped-up'
  return by.to === sent.from && by.value === 0n && by.data === '0x' ? 'cancelled' : 'other'
}
