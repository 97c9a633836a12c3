/** Finds the settlement of a payment on its network. A seller's word for it is checked there. */

import type { ChainNode } from '../ethereum/rpc.ts'
import { addressWord } from '../ethereum/tokens.ts'
import { catchNodeError, NodeError, Unreachable } from '../lib/node-errors.ts'
import type { PaymentRecord } from './spending.ts'

export interface FoundSettlement {
  /** 0x-hex. */
  readonly hash: string
  readonly block: bigint
}

/** keccak-256 of `AuthorizationUsed(address,bytes32)`. */
const AUTHORIZATION_USED = '0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5'

/**
 * The transaction that has used an authorization: the token's contract says so in its log. `undefined` while there is none, or the node
 * doesn't say.
 */
export async function findSettlement(
  node: ChainNode,
  { token, wallet, nonce = '', fromBlock = '0', claimedHash }: PaymentRecord,
  signal: AbortSignal,
): Promise<FoundSettlement | undefined> {
  const topics = [AUTHORIZATION_USED, `0x${addressWord(wallet)}`, nonce.toLowerCase()]
  const ask = async (method: string, params: readonly unknown[]) => {
    try {
      const answer = await catchNodeError(node.ask(method, params, { signal, retries: false }))
      return answer instanceof NodeError ? undefined : answer
    } catch (cause) {
      signal.throwIfAborted()
      if (cause instanceof Unreachable) return undefined
      throw cause
    }
  }
  const isOurs = (log: unknown) => readLog(log, token, topics)
  if (claimedHash) {
    const receipt = (await ask('eth_getTransactionReceipt', [claimedHash])) as { logs?: unknown } | null
    const found = Array.isArray(receipt?.logs) ? receipt.logs.map(isOurs).find((log) => log) : undefined
    if (found?.hash === claimedHash) return found
  }
  const fromHex = `0x${BigInt(fromBlock).toString(16)}`
  const logs = await ask('eth_getLogs', [{ address: token, topics, fromBlock: fromHex, toBlock: 'latest' }])
  return Array.isArray(logs) ? logs.map(isOurs).find((log) => log) : undefined
}

function readLog(log: unknown, token: string, topics: readonly string[]): FoundSettlement | undefined {
  if (typeof log !== 'object' || log === null) return undefined
  const { address, topics: said, transactionHash, blockNumber, removed } = log as Record<string, unknown>
  const isOurs =
    typeof address === 'string' &&
    address.toLowerCase() === token.toLowerCase() &&
    Array.isArray(said) &&
    topics.every((topic, at) => String(said[at]).toLowerCase() === topic)
  if (!isOurs || removed === true) return undefined
  if (typeof transactionHash !== 'string' || !/^0x[0-9a-f]{64}$/i.test(transactionHash)) return undefined
  if (typeof blockNumber !== 'string' || !/^0x[0-9a-f]{1,16}$/i.test(blockNumber)) return undefined
  return { hash: transactionHash.toLowerCase(), block: BigInt(blockNumber) }
}
