import { keccak256, toHex } from 'viem'
import type { ChainNode } from '../../../src/ethereum/rpc.ts'
import type { SentTransaction } from '../../../src/ethereum/track.ts'
import { NodeError, Unreachable } from '../../../src/lib/node-errors.ts'

export const from = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
export const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const hex = (value: number | bigint) => `0x${value.toString(16)}`
const hashOf = (text: string) => keccak256(toHex(text))

/** A transaction as it was sent, with nonce 7. */
export function sentTransaction(
  name: string,
  fields: Partial<SentTransaction['transaction']> = {},
): SentTransaction {
  return {
    hash: hashOf(name),
    transaction: {
      type: 2,
      chainId: 1,
      from,
      to,
      value: 5n,
      data: '0x',
      nonce: 7n,
      gasLimit: 50_000n,
      maxFeePerGas: 3_000_000_000n,
      maxPriorityFeePerGas: 1_000_000_000n,
      ...fields,
    },
  }
}

type Lie = (honest: () => unknown, params: readonly unknown[]) => unknown

/** A chain whose pool and blocks a test moves, behind a node that a test can have lie. */
export function scriptedChain() {
  let fork = 0
  const blocks: { hash: string; mined: { sent: SentTransaction; ok: boolean }[] }[] = []
  const pool = new Set<SentTransaction>()
  const lies: Record<string, Lie> = {}
  const asked: string[] = []
  const addBlock = () => {
    const block = { hash: hashOf(`block ${blocks.length} of fork ${fork}`), mined: [] as never[] }
    blocks.push(block)
    return block as (typeof blocks)[number]
  }
  for (let count = 0; count < 20; count++) addBlock()

  const view = ({ hash, transaction }: SentTransaction) => ({
    hash,
    from: transaction.from.toLowerCase(),
    to: transaction.to?.toLowerCase() ?? null,
    nonce: hex(transaction.nonce),
    value: hex(transaction.value),
    input: transaction.data,
  })
  const minedIn = (hash: unknown) =>
    blocks.flatMap((block, number) =>
      block.mined.filter(({ sent }) => sent.hash === hash).map((entry) => ({ ...entry, block, number })),
    )[0]
  const countAt = (number: number) =>
    7 + (blocks.slice(0, number + 1).some(({ mined }) => mined.length > 0) ? 1 : 0)

  const honest: Record<string, (params: readonly unknown[]) => unknown> = {
    eth_chainId: () => '0x1',
    eth_blockNumber: () => hex(blocks.length - 1),
    eth_getTransactionCount([, block]) {
      if (block === 'pending') return hex(countAt(blocks.length - 1) + (pool.size > 0 ? 1 : 0))
      return hex(countAt(block === 'latest' ? blocks.length - 1 : Number(block)))
    },
    eth_getTransactionByHash([hash]) {
      const waiting = [...pool].find((sent) => sent.hash === hash)
      if (waiting) return view(waiting)
      const found = minedIn(hash)
      return found
        ? { ...view(found.sent), blockHash: found.block.hash, blockNumber: hex(found.number) }
        : null
    },
    eth_getTransactionReceipt([hash]) {
      const found = minedIn(hash)
      if (!found) return null
      const { sent, ok, block, number } = found
      return {
        transactionHash: hash,
        status: ok ? '0x1' : '0x0',
        blockNumber: hex(number),
        blockHash: block.hash,
        from: from.toLowerCase(),
        to: sent.transaction.to?.toLowerCase() ?? null,
        contractAddress: null,
        gasUsed: '0x5208',
        effectiveGasPrice: '0x3b9aca00',
        logs: [],
      }
    },
    eth_getBlockByNumber([number, whole]) {
      const block = blocks[Number(number)]
      if (!block) return null
      return {
        number,
        hash: block.hash,
        transactions: block.mined.map(({ sent }) => (whole ? view(sent) : sent.hash)),
      }
    },
    eth_call() {
      throw new NodeError(3, 'execution reverted: not today')
    },
  }

  const node: ChainNode = {
    async ask(method, params = []) {
      asked.push(method)
      const list = params as readonly unknown[]
      const answer = honest[method]
      if (!answer) throw new NodeError(-32_601, 'the method does not exist')
      const lie = lies[method] ?? lies['*']
      return lie ? lie(() => answer(list), list) : answer(list)
    },
  }
  return {
    node,
    lies,
    asked,
    pool,
    /** Adds a block that holds this transaction. */
    mine(sent: SentTransaction, ok = true) {
      pool.clear()
      addBlock().mined.push({ sent, ok })
    },
    addBlocks(count: number) {
      for (let left = count; left > 0; left--) addBlock()
    },
    /** The network gives up the last blocks for as many others, which hold nothing. */
    reorganise(count: number) {
      fork++
      const gone = blocks.splice(-count)
      for (const { sent } of gone.flatMap(({ mined }) => mined)) pool.add(sent)
      for (let left = count; left > 0; left--) addBlock()
    },
    unreachable() {
      lies['*'] = () => {
        throw new Unreachable('The node did not answer')
      }
    },
    honest() {
      for (const name of Object.keys(lies)) delete lies[name]
    },
  }
}
