import type { Plain, PlainObject } from '../../../wire/frame/plain.ts'
import { populateTransaction } from '../../api/transactions.ts'
import { nonsense } from '../../api/transport.ts'
import type { VaultContext } from '../../context.ts'
import { VaultError } from '../../errors.ts'
import type { Token } from '../../token.ts'
import { readTransaction, type TransactionRequest, writeTransaction } from './request.ts'
import { completeTransaction } from './sign.ts'

/**
 * Fills in what a transaction of `address` lacks, by the server. Nothing that the page asked for may come back
 * changed: what is signed next would be something else (security T18). Throws a VaultError.
 */
export async function populate(
  cx: VaultContext,
  token: Token,
  address: string,
  { from: _, ...asked }: TransactionRequest,
): Promise<PlainObject> {
  const wanted = writeTransaction(asked)
  const answer = await populateTransaction(cx, token, address, { ...wanted, from: address })
  const { from = address, ...filled } = readFilled(answer)
  for (const name of ['to', 'accessList', ...Object.keys(wanted)])
    if (JSON.stringify(wanted[name]) !== JSON.stringify(filled[name])) throw nonsense()
  if (from !== address) throw nonsense()
  return { ...filled, from }
}

/** With all that a signature needs. */
function readFilled(answer: Plain | undefined): PlainObject {
  try {
    const request = readTransaction(answer)
    return writeTransaction({ ...request, type: completeTransaction(request).type })
  } catch (cause) {
    throw cause instanceof VaultError ? nonsense() : cause
  }
}
