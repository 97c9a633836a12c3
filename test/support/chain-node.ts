import type { Fetch } from '../../src/lib/retrying-fetch.ts'

export type NodeAnswer =
  | { result: unknown }
  | { error: { code: number; message: string; data?: unknown } }
  | Response
  | 'lost'
type Answers = Record<
  string,
  ((params: readonly unknown[]) => NodeAnswer) | string | number | null | Readonly<Record<string, unknown>>
>

const healthy: Answers = {
  eth_chainId: '0x1',
  eth_getBlockByNumber: { gasLimit: '0x1c9c380', baseFeePerGas: '0x3b9aca00' },
  eth_getTransactionCount: '0x7',
  eth_getBalance: '0x8ac7230489e80000',
  eth_estimateGas: '0x5208',
  eth_maxPriorityFeePerGas: '0x3b9aca00',
  eth_gasPrice: '0x77359400',
  eth_getTransactionByHash: null,
}

/** A chain's node that answers what a test says: a result, or a function that gives the whole answer. */
export function fakeNode(answers: Answers = {}) {
  const asked: { url: string; method: string; params: readonly unknown[] }[] = []
  const all = { ...healthy, ...answers }
  const fetch: Fetch = async (url, init) => {
    const { id, method, params } = JSON.parse(String(init?.body))
    asked.push({ url, method, params })
    const given = all[method]
    const answer: NodeAnswer =
      typeof given === 'function'
        ? (given as (params: readonly unknown[]) => NodeAnswer)(params)
        : method in all
          ? { result: given }
          : { error: { code: -32601, message: 'the method does not exist' } }
    if (answer === 'lost') throw new TypeError('Failed to fetch')
    if (answer instanceof Response) return answer
    return new Response(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
  }
  return { fetch, asked, methods: () => asked.map(({ method }) => method) }
}
