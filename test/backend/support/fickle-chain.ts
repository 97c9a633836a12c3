import { keccak256, parseTransaction, recoverTransactionAddress, toHex } from 'viem'
import { serveFetch } from '../../support/serve.ts'

const gwei = 10n ** 9n
const hex = (value: bigint | number) => `0x${value.toString(16)}`
type Hex = `0x${string}`

export interface ChainTransaction {
  raw: Hex
  hash: Hex
  from: string
  nonce: number
  to: string
  value: bigint
  /** The most that it pays for its gas. */
  fee: bigint
  status: '0x0' | '0x1'
}
export interface ChainBlock {
  number: number
  hash: Hex
  parentHash: Hex
  transactions: ChainTransaction[]
}
/** In which way a node isn't what it should be. */
export interface Mood {
  /** So many blocks behind. */
  lag?: number
  /** Below this many blocks from its head it has neither receipts nor states. */
  keeps?: number
  /** Its newest blocks are others than the chain's. */
  fork?: { depth: number; transactions: ChainTransaction[] }
  /** Takes transactions, and forgets them. */
  forgets?: boolean
  /** What it says in place of the truth. */
  lie?: (method: string, params: readonly unknown[]) => { result: unknown } | { error: object } | undefined
}

/** A chain of which the test decides what is mined, and nodes that forget, lag, lie and fork. */
export async function startFickleChain(nodeCount = 2) {
  const blocks: ChainBlock[] = []
  const pool = new Map<string, ChainTransaction>()
  /** All that was ever sent to a node. */
  const sent = new Map<string, ChainTransaction>()
  const blockOf = (
    number: number,
    parentHash: Hex,
    transactions: ChainTransaction[],
    salt = '',
  ): ChainBlock => ({
    number,
    hash: keccak256(toHex(`${number} ${parentHash} ${transactions.map(({ hash }) => hash)} ${salt}`)),
    parentHash,
    transactions,
  })
  const add = (transactions: ChainTransaction[] = []) => {
    const last = blocks.at(-1)
    blocks.push(blockOf(blocks.length, last?.hash ?? `0x${'0'.repeat(64)}`, transactions))
  }
  const nonceAt = (of: readonly ChainBlock[], address: string, number: number) =>
    of
      .slice(0, number + 1)
      .flatMap((block) => block.transactions)
      .filter(({ from }) => from === address.toLowerCase()).length
  for (let at = 0; at < 100; at++) add()

  async function read(raw: Hex): Promise<ChainTransaction> {
    const { nonce = 0, to, value = 0n, gas = 0n, maxFeePerGas = 0n } = parseTransaction(raw)
    const from = await recoverTransactionAddress({ serializedTransaction: raw as never })
    return {
      raw,
      hash: keccak256(raw),
      from: from.toLowerCase(),
      nonce,
      to: String(to).toLowerCase(),
      value,
      fee: gas * maxFeePerGas,
      status: '0x1',
    }
  }

  /** Mines what can be mined of these, or of all that waits; of several with one number the first. */
  function mine(wanted: Iterable<ChainTransaction> = pool.values()) {
    const chosen: ChainTransaction[] = []
    for (const each of [...wanted].sort((one, other) => one.nonce - other.nonce)) {
      const next =
        nonceAt(blocks, each.from, blocks.length) + chosen.filter(({ from }) => from === each.from).length
      if (each.nonce === next) chosen.push(each)
    }
    add(chosen)
    for (const { from, nonce } of chosen)
      for (const [hash, each] of pool) if (each.from === from && each.nonce === nonce) pool.delete(hash)
  }
  const grow = (count: number) => {
    for (let at = 0; at < count; at++) add()
  }

  async function startNode() {
    const node = { mood: {} as Mood, asked: [] as string[] }
    function view(): readonly ChainBlock[] {
      const { lag = 0, fork } = node.mood
      const seen = blocks.slice(0, blocks.length - lag)
      if (!fork) return seen
      const kept = seen.slice(0, seen.length - fork.depth)
      const other = [...kept]
      for (let at = kept.length; at < seen.length; at++) {
        const parent = other.at(-1)?.hash as Hex
        other.push(blockOf(at, parent, at === kept.length ? fork.transactions : [], 'fork'))
      }
      return other
    }
    const isKept = (of: readonly ChainBlock[], number: number) =>
      number >= of.length - (node.mood.keeps ?? Number.POSITIVE_INFINITY)
    const at = (of: readonly ChainBlock[], tag: unknown) =>
      String(tag).startsWith('0x') ? Number(tag) : of.length - 1
    const wholeOf = ({ raw, hash, from }: ChainTransaction) => {
      const parsed = parseTransaction(raw)
      return {
        hash,
        from,
        type: '0x2',
        chainId: hex(parsed.chainId ?? 1),
        nonce: hex(parsed.nonce ?? 0),
        gas: hex(parsed.gas ?? 0n),
        gasPrice: hex(gwei),
        maxFeePerGas: hex(parsed.maxFeePerGas ?? 0n),
        maxPriorityFeePerGas: hex(parsed.maxPriorityFeePerGas ?? 0n),
        to: parsed.to,
        value: hex(parsed.value ?? 0n),
        input: parsed.data ?? '0x',
        accessList: [],
        r: parsed.r,
        s: parsed.s,
        v: hex(parsed.yParity ?? 0),
        yParity: hex(parsed.yParity ?? 0),
      }
    }
    const answers: Record<string, (params: readonly unknown[]) => unknown> = {
      eth_chainId: () => '0x1',
      eth_blockNumber: () => hex(view().length - 1),
      eth_getBlockByNumber([tag, whole]) {
        const found = view()[at(view(), tag)]
        return found
          ? {
              number: hex(found.number),
              hash: found.hash,
              parentHash: found.parentHash,
              gasLimit: '0x1c9c380',
              baseFeePerGas: hex(gwei),
              transactions: found.transactions.map((each) => (whole ? wholeOf(each) : each.hash)),
            }
          : null
      },
      eth_getTransactionCount([address, tag]) {
        const seen = view()
        const number = at(seen, tag)
        if (!isKept(seen, number)) throw new Error('missing trie node')
        let count = nonceAt(seen, String(address), number)
        const waits = (nonce: number) =>
          [...pool.values()].some(
            (each) => each.from === String(address).toLowerCase() && each.nonce === nonce,
          )
        while (tag === 'pending' && waits(count)) count++
        return hex(count)
      },
      eth_getBalance: () => hex(10n ** 24n),
      eth_estimateGas: () => '0x5208',
      eth_feeHistory: () => ({
        oldestBlock: '0x1',
        baseFeePerGas: [hex(gwei), hex(gwei)],
        gasUsedRatio: [0.5],
        reward: [[hex(gwei), hex(gwei), hex(gwei)]],
      }),
      eth_gasPrice: () => hex(gwei),
      eth_getCode: () => '0x',
      eth_call: () => '0x',
      eth_getTransactionReceipt([hash]) {
        const seen = view()
        const block = seen.find(({ transactions }) => transactions.some((each) => each.hash === hash))
        const found = block?.transactions.find((each) => each.hash === hash)
        if (!block || !found || !isKept(seen, block.number)) return null
        return {
          status: found.status,
          blockNumber: hex(block.number),
          blockHash: block.hash,
          transactionHash: hash,
        }
      },
    }
    async function send(raw: Hex): Promise<string> {
      const read_ = sent.get(keccak256(raw)) ?? (await read(raw))
      sent.set(read_.hash, read_)
      if (read_.nonce < nonceAt(blocks, read_.from, blocks.length)) throw new Error('nonce too low')
      if (!node.mood.forgets) pool.set(read_.hash, read_)
      return read_.hash
    }
    const { origin, stop } = await serveFetch(async (request) => {
      const {
        id,
        method,
        params = [],
      } = (await request.json()) as {
        id: unknown
        method: string
        params?: readonly unknown[]
      }
      node.asked.push(method)
      const lie = node.mood.lie?.(method, params)
      if (lie) return Response.json({ jsonrpc: '2.0', id, ...lie })
      try {
        const answer = method === 'eth_sendRawTransaction' ? () => send(params[0] as Hex) : answers[method]
        if (answer) return Response.json({ jsonrpc: '2.0', id, result: await answer(params) })
      } catch (cause) {
        return Response.json({
          jsonrpc: '2.0',
          id,
          error: { code: -32000, message: (cause as Error).message },
        })
      }
      return Response.json({ jsonrpc: '2.0', id, error: { code: -32601, message: 'method not found' } })
    })
    return Object.assign(node, { url: origin, stop })
  }
  const nodes = await Promise.all(Array.from({ length: nodeCount }, startNode))
  return {
    blocks,
    pool,
    sent,
    nodes,
    read,
    mine,
    grow,
    /** As it was in the beginning. */
    reset() {
      blocks.length = 100
      pool.clear()
      sent.clear()
    },
    /** All nodes as they should be. */
    honest() {
      for (const node of nodes) node.mood = {}
    },
    mined: (address: string) =>
      blocks.flatMap(({ transactions }) => transactions).filter(({ from }) => from === address.toLowerCase()),
    stop() {
      for (const node of nodes) node.stop()
    },
  }
}
export type FickleChain = Awaited<ReturnType<typeof startFickleChain>>
