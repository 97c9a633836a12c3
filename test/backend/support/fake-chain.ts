import { keccak256, parseTransaction } from 'viem'
import { serveFetch } from '../../support/serve.ts'

const gwei = 10n ** 9n
const hex = (value: bigint | number) => `0x${value.toString(16)}`
const hashOf = (block: number) => `0x${block.toString(16).padStart(64, 'b')}`

/** A node of Ethereum whose chain is a few numbers: fast enough for a thousand transactions at once. */
export async function startFakeChain() {
  const sent: { raw: `0x${string}`; hash: string; nonce: number }[] = []
  const chain = {
    sent,
    height: 100,
    mined: 0,
    receipts: {} as Record<string, { status: string; block: number }>,
    /** How it answers transactions in place of taking them. */
    refuses: undefined as undefined | { code: number; message: string } | 'silent',
    balance: 10n ** 24n,
    /** Keeps calls of a method waiting until the test lets them go. */
    holds: undefined as undefined | { method: string; until: Promise<void>; arrived(): void },
  }
  const answers: Record<string, (params: readonly unknown[]) => unknown> = {
    eth_chainId: () => '0x1',
    eth_blockNumber: () => hex(chain.height),
    eth_getBlockByNumber([tag]) {
      const number = String(tag).startsWith('0x') ? Number(tag) : chain.height
      if (number > chain.height) return null
      const found = Object.entries(chain.receipts).filter(([, { block }]) => block === number)
      return {
        gasLimit: '0x1c9c380',
        baseFeePerGas: hex(gwei),
        number: hex(number),
        hash: hashOf(number),
        parentHash: hashOf(number - 1),
        transactions: found.map(([hash]) => hash),
      }
    },
    eth_getTransactionCount: ([, at]) => hex(at === 'pending' ? chain.mined + sent.length : chain.mined),
    eth_getBalance: () => hex(chain.balance),
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
      const found = chain.receipts[String(hash)]
      if (!found) return null
      const { status, block } = found
      return { status, blockNumber: hex(block), blockHash: hashOf(block), transactionHash: hash }
    },
    eth_sendRawTransaction([raw]) {
      const bytes = raw as `0x${string}`
      const hash = keccak256(bytes)
      sent.push({ raw: bytes, hash, nonce: parseTransaction(bytes).nonce ?? 0 })
      return hash
    },
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
    if (chain.holds?.method === method) {
      chain.holds.arrived()
      await chain.holds.until
    }
    if (method === 'eth_sendRawTransaction' && chain.refuses === 'silent')
      return new Response('', { status: 500 })
    if (method === 'eth_sendRawTransaction' && chain.refuses)
      return Response.json({ jsonrpc: '2.0', id, error: chain.refuses })
    const answer = answers[method]
    return Response.json(
      answer
        ? { jsonrpc: '2.0', id, result: answer(params) }
        : { jsonrpc: '2.0', id, error: { code: -32601, message: 'method not found' } },
    )
  })
  return { ...chain, chain, url: origin, stop }
}
