/** Finds a transaction whose wallet never gave its hash, by the nonces that the wallet has used since. */
import { maxOf, minOf } from '../lib/bigint.ts'
import { address, bytes, quantity, readFields, readList } from './answers.ts'
import { formatQuantity } from './integer.ts'
import type { ChainNode } from './rpc.ts'

/** The transaction that a wallet was asked to send, with the wallet's nonce and the block at that time. */
export interface SoughtTransaction {
  readonly from: string
  /** The nonce that was next, and the latest block. */
  readonly nonce: bigint
  readonly block: bigint
  readonly to: string
  readonly value: bigint
  readonly data: string
}

/** `none`: the wallet has not sent it. `unknown`: it has sent something that no block holds yet. */
export type FoundTransaction = { readonly hash: string } | 'none' | 'unknown'

/** Reads the wallet's nonce and the block before the wallet is asked. Throws what the node throws. */
export async function readStanding(
  node: ChainNode,
  from: string,
  signal?: AbortSignal,
): Promise<{ readonly nonce: bigint; readonly block: bigint }> {
  const [nonce, block] = await Promise.all([
    nonceAt(node, from, 'pending', signal),
    node.ask('eth_blockNumber', [], { signal }).then(quantity('a block number')),
  ])
  return { nonce, block }
}

/** @param most how many nonces are searched */
export async function findTransaction(
  node: ChainNode,
  sought: SoughtTransaction,
  { most, signal }: { readonly most: number; readonly signal?: AbortSignal | undefined },
): Promise<FoundTransaction> {
  const { from, nonce } = sought
  const [mined, pending, latest] = await Promise.all([
    nonceAt(node, from, 'latest', signal),
    nonceAt(node, from, 'pending', signal),
    node.ask('eth_blockNumber', [], { signal }).then(quantity('a block number')),
  ])
  const end = minOf(mined, nonce + BigInt(most))
  for (let used = nonce; used < end; used++) {
    const block = await blockOf(node, { from, nonce: used, first: sought.block, last: latest, signal })
    const hash = await inBlock(node, { ...sought, nonce: used, block, signal })
    if (hash !== undefined) return { hash }
  }
  if (end < mined) return 'unknown'
  return maxOf(pending, mined) > mined ? 'unknown' : 'none'
}

const nonceAt = (node: ChainNode, from: string, block: string, signal: AbortSignal | undefined) =>
  node.ask('eth_getTransactionCount', [from, block], { signal }).then(quantity('a nonce'))

/** The block in which a nonce was used. */
async function blockOf(
  node: ChainNode,
  {
    from,
    nonce,
    first,
    last,
    signal,
  }: { from: string; nonce: bigint; first: bigint; last: bigint; signal: AbortSignal | undefined },
): Promise<bigint> {
  let low = first
  let high = last
  while (low < high) {
    const middle = (low + high) / 2n
    if ((await nonceAt(node, from, formatQuantity(middle), signal)) > nonce) high = middle
    else low = middle + 1n
  }
  return low
}

async function inBlock(
  node: ChainNode,
  { from, nonce, block, to, value, data, signal }: SoughtTransaction & { signal: AbortSignal | undefined },
): Promise<string | undefined> {
  const answer = await node.ask('eth_getBlockByNumber', [formatQuantity(block), true], { signal })
  const list = readList(readFields(answer, 'a block').get('transactions'), 'the transactions of a block')
  for (const each of list) {
    const fields = readFields(each, 'a transaction')
    if (!isSame(fields.get('from'), from) || quantity('a nonce')(fields.get('nonce')) !== nonce) continue
    return isSameCall(fields, { to, value, data })
      ? bytes('the hash of a transaction', 32)(fields.get('hash'))
      : undefined
  }
  return undefined
}

const isSame = (given: unknown, wanted: string): boolean =>
  typeof given === 'string' && given.toLowerCase() === wanted.toLowerCase()

/** Compares a node's transaction with one that was asked for. */
function isSameCall(
  fields: ReadonlyMap<string, unknown>,
  { to, value, data }: Pick<SoughtTransaction, 'to' | 'value' | 'data'>,
): boolean {
  const target = fields.get('to')
  return (
    typeof target === 'string' &&
    isSame(address('a recipient')(target), to) &&
    quantity('a value')(fields.get('value')) === value &&
    isSame(fields.get('input'), data)
  )
}

/** Tells if the network has a transaction of this hash that does the same. Throws what the node throws. */
export async function isSameTransaction(
  node: ChainNode,
  hash: string,
  { from, ...call }: Pick<SoughtTransaction, 'from' | 'to' | 'value' | 'data'>,
  signal?: AbortSignal,
): Promise<boolean> {
  const answer = await node.ask('eth_getTransactionByHash', [hash], { signal })
  if (answer === null) return false
  const fields = readFields(answer, 'a transaction')
  return isSame(fields.get('from'), from) && isSameCall(fields, call)
}
