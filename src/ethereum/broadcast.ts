import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { NodeError, TransactionUnknownError, Unreachable } from '../lib/node-errors.ts'
import { failureReason } from './failure-reason.ts'
import { assertChainId } from './prepare-transaction.ts'
import type { ChainNode } from './rpc.ts'

/** The name of a signed transaction. */
export const transactionHash = (raw: string): string =>
  `0x${bytesToHex(keccak_256(hexToBytes(raw.slice(2))))}`

/**
 * Gives a signed transaction to the network, and its hash, which is worked out here: a node that names another one is
 * not believed. Throws a {@link NodeError} where the node has refused it for certain, or
 * {@link TransactionUnknownError}; after that the very same transaction may be given out again, and no other. It can't be called off.
 */
export async function broadcast(node: ChainNode, raw: string, chainId: number): Promise<string> {
  const hash = transactionHash(raw)
  await assertChainId(node, chainId)
  let failure: unknown
  try {
    const answer = await node.ask('eth_sendRawTransaction', [raw])
    if (typeof answer === 'string' && answer.toLowerCase() === hash) return hash
  } catch (cause) {
    if (failureReason(cause).kind === 'already-known') return hash
    failure = cause
  }
  if (await isThere(node, hash)) return hash
  if (failure instanceof NodeError) throw failure
  throw new TransactionUnknownError(
    failure ? 'The node did not answer' : "The node returned another transaction's hash",
    hash,
    failure ? { cause: failure } : {},
  )
}

async function isThere(node: ChainNode, hash: string): Promise<boolean> {
  try {
    const answer = await node.ask('eth_getTransactionByHash', [hash])
    const found = typeof answer === 'object' && answer !== null && Object.hasOwn(answer, 'hash') && answer
    return found !== false && String((found as { hash: unknown }).hash).toLowerCase() === hash
  } catch (cause) {
    if (cause instanceof NodeError || cause instanceof Unreachable) return false
    throw cause
  }
}
