import { formatTransaction, keccak256, recoverAddress, serializeTransaction } from 'viem/utils'
import { parseQuantity } from '../../../src/ethereum/integer.ts'
import type { PreviewNode } from '../preview/nodes.ts'

/** A block as far as it says which one it is, and which ones it stands on. */
interface Block {
  number: bigint
  hash: string
  parentHash: string
  transactions: readonly unknown[]
}
/**
 * What a node shows of a transaction's end; `undefined` where it shows nothing. `in` names the block that holds it, so that two nodes
 * which agree speak of the same block.
 */
export type Found = { outcome: 'confirmed' | 'failed' | 'dropped'; in: string }

interface Sought {
  hash: string
  nonce: number | null
  address: string
}

/**
 * Looks for a transaction, or for the one that has used up its number. That a node doesn't know something shows nothing: it may have
 * pruned it, lag behind, or stand behind a balancer with others that differ. So each find is a block that holds what is sought, with
 * as many blocks on top, each of which names the one below it.
 * @param depth so many blocks
 */
export async function ethereumOutcome(
  node: PreviewNode,
  sought: Sought,
  depth: number,
): Promise<Found | undefined> {
  const receipt = await node.ask('eth_getTransactionReceipt', [sought.hash])
  if (isRecord(receipt)) return receiptFound(node, sought, receipt, depth)
  return receipt === null ? replacementFound(node, sought, depth) : undefined
}

async function receiptFound(
  node: PreviewNode,
  { hash }: Sought,
  { status, blockNumber, blockHash, transactionHash }: Readonly<Record<string, unknown>>,
  depth: number,
): Promise<Found | undefined> {
  const number = parseQuantity(blockNumber)
  const outcome = status === '0x1' ? 'confirmed' : status === '0x0' ? 'failed' : undefined
  if (transactionHash !== hash || number === undefined || !outcome) return undefined
  const block = await blockAt(node, number)
  if (!block || block.hash !== blockHash || !block.transactions.includes(hash)) return undefined
  return (await isDeep(node, block, depth)) ? { outcome, in: block.hash } : undefined
}

async function replacementFound(
  node: PreviewNode,
  { hash, nonce, address }: Sought,
  depth: number,
): Promise<Found | undefined> {
  if (nonce === null) return undefined
  const number = await whereUsed(node, address, BigInt(nonce), depth)
  const block = number === undefined ? undefined : await blockAt(node, number, { whole: true })
  if (!block) return undefined
  for (const each of block.transactions) {
    const other = isRecord(each) ? await signedBy(each, address) : undefined
    if (other?.nonce !== nonce) continue
    if (other.hash === hash) return undefined
    return (await isDeep(node, block, depth)) ? { outcome: 'dropped', in: block.hash } : undefined
  }
  return undefined
}

/** The block in which a wallet's number was used up, as a node's counts lead to it. They are a hint: only the block itself counts. */
async function whereUsed(
  node: PreviewNode,
  address: string,
  nonce: bigint,
  depth: number,
): Promise<bigint | undefined> {
  const head = parseQuantity(await node.ask('eth_blockNumber', [], { isFresh: true }))
  if (head === undefined || head < BigInt(depth)) return undefined
  /** Whether it was used up in this block or before. */
  const isUsed = async (at: bigint): Promise<boolean> => {
    const count = parseQuantity(await node.ask('eth_getTransactionCount', [address, quantity(at)]))
    if (count === undefined) throw new TypeError('The node has no such count')
    return count > nonce
  }
  let after = head - BigInt(depth)
  if (!(await isUsed(after))) return undefined
  let before = after
  for (let step = 1n; ; step *= 2n) {
    before = after - step
    if (before < 0n) before = -1n
    if (before < 0n || !(await isUsed(before))) break
    after = before
  }
  while (after - before > 1n) {
    const between = (after + before) / 2n
    if (await isUsed(between)) after = between
    else before = between
  }
  return after
}

async function isDeep(node: PreviewNode, block: Block, depth: number): Promise<boolean> {
  const top = block.number + BigInt(depth)
  if (depth > 0 && !(await blockAt(node, top))) return false
  let below = block.hash
  for (let number = block.number + 1n; number <= top; number++) {
    const next = await blockAt(node, number)
    if (next?.parentHash !== below) return false
    below = next.hash
  }
  return true
}

async function blockAt(
  node: PreviewNode,
  number: bigint,
  { whole } = { whole: false },
): Promise<Block | undefined> {
  const block = await node.ask('eth_getBlockByNumber', [quantity(number), whole], { isFresh: true })
  if (!isRecord(block) || parseQuantity(block.number) !== number) return undefined
  const { hash, parentHash, transactions } = block
  if (typeof hash !== 'string' || typeof parentHash !== 'string' || !Array.isArray(transactions))
    return undefined
  return { number, hash, parentHash, transactions }
}

/**
 * Number and name of a transaction that a wallet has signed, by its own signature: nobody can make one up. `undefined` for any other,
 * and for kinds that only their own network knows.
 */
async function signedBy(
  given: Readonly<Record<string, unknown>>,
  address: string,
): Promise<{ nonce: number; hash: string } | undefined> {
  if (String(given.from).toLowerCase() !== address.toLowerCase()) return undefined
  try {
    const { r, s, v, yParity, hash, input, to, ...fields } = formatTransaction(given)
    const parity = yParity ?? (v === 27n || v === 28n ? Number(v) - 27 : Number((v - 35n) % 2n))
    // A price that nodes add to what was signed.
    const { gasPrice, ...rest } = fields
    const isPriced = fields.type === 'legacy' || fields.type === 'eip2930'
    const unsigned = { ...rest, ...(isPriced && { gasPrice }), data: input, to: to ?? undefined }
    if (v === 27n || v === 28n) Object.assign(unsigned, fields.type === 'legacy' && { chainId: undefined })
    const bytes = unsigned as Parameters<typeof serializeTransaction>[0]
    const signature = { r, s, yParity: parity, v: BigInt(parity) + 27n }
    if (keccak256(serializeTransaction(bytes, signature)) !== hash) return undefined
    const digest = keccak256(serializeTransaction(bytes))
    const signer = await recoverAddress({ hash: digest, signature })
    const { nonce } = fields
    return signer.toLowerCase() === address.toLowerCase() && nonce !== undefined ? { nonce, hash } : undefined
  } catch {
    return undefined
  }
}

const quantity = (value: bigint) => `0x${value.toString(16)}`

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
