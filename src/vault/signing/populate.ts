import {
  completeTransaction,
  formatTransaction,
  parseTransaction,
  type TransactionRequest,
} from '../../ethereum/transaction.ts'
import { InvalidRequest } from '../../lib/invalid-request.ts'
import type { Plain, PlainObject } from '../../lib/plain.ts'
import type { VaultContext } from '../context.ts'
import { populateTransaction } from '../server/transactions.ts'
import { unexpectedAnswer } from '../server/transport.ts'
import type { Token } from '../token.ts'

/**
 * Has the server fill in what a transaction of `address` lacks. Throws a `VaultError` if anything that the page asked
 * for comes back changed: the page would then have something else signed.
 */
export async function populate(
  cx: VaultContext,
  token: Token,
  address: string,
  { from: _, ...asked }: TransactionRequest,
): Promise<PlainObject> {
  const request = formatTransaction(asked)
  const answer = await populateTransaction(cx, token, address, { ...request, from: address })
  const { from = address, ...filled } = parseFilled(answer)
  for (const name of ['to', 'accessList', ...Object.keys(request)])
    if (JSON.stringify(request[name]) !== JSON.stringify(filled[name])) throw unexpectedAnswer()
  if (from !== address) throw unexpectedAnswer()
  return { ...filled, from }
}

/** An answer with everything that a signature needs. */
function parseFilled(answer: Plain | undefined): PlainObject {
  try {
    return formatTransaction(completeTransaction(parseTransaction(answer)))
  } catch (cause) {
    throw cause instanceof InvalidRequest ? unexpectedAnswer() : cause
  }
}
