import * as v from 'valibot'
import { Unavailable } from '../lib/refusal.ts'
import { askOutside } from '../outside/ask.ts'
import type { Limits } from '../settings/limits.ts'

/** What a node says: something, or why not. */
export type NodeAnswer = { result: unknown } | { error: { code: number; message: string; data?: unknown } }
/** The JSON-RPC nodes of a chain, as far as they are believed: answers have an end and a size, and are of the right chain. */
export interface ChainRpc {
  /** @param until by `performance.now()` @throws Unavailable */
  ask(method: string, params: unknown, until: number): Promise<NodeAnswer>
  /** Until when one question to the chain may take. */
  deadline(): number
  down(cause?: unknown): Unavailable
}

const answer = v.union([
  v.object({ error: v.object({ code: v.number(), message: v.string(), data: v.optional(v.unknown()) }) }),
  v.object({ result: v.unknown() }),
])

/** Refusals that say something about the node, and nothing about the request: too many requests, and its own failures. */
const elsewhere: readonly number[] = [-32005, -32601, -32603]

/**
 * The nodes of a chain, asked in their order until one answers; the one that failed is asked last from then on.
 * @param deps.what how the chain is called in the text of an error
 */
export function createChainRpc(deps: {
  what: string
  urls: readonly string[]
  chainId: number
  limits: Limits
}): ChainRpc {
  const { what, urls, chainId, limits } = deps
  const down = (cause?: unknown) =>
    new Unavailable(`${what} could not be asked. Please try again.`, { cause })
  let order = [...urls]
  /** Those that have named the right chain. */
  const right = new Set<string>()

  async function post(url: string, method: string, params: unknown, until: number): Promise<NodeAnswer> {
    const rest = until - performance.now()
    if (rest < 1) throw down(new Error('It took too long'))
    const { body } = await askOutside(what, url, {
      json: { jsonrpc: '2.0', id: 1, method, params },
      timeout: Math.min(limits.outsideTimeout, Math.floor(rest)),
      most: limits.outsideAnswerSize,
    })
    const parsed = v.safeParse(answer, body)
    if (!parsed.success) throw down(new Error('It sent an unexpected answer'))
    return parsed.output
  }

  async function askOne(url: string, method: string, params: unknown, until: number): Promise<NodeAnswer> {
    if (!right.has(url)) {
      // A node of another chain would find other contracts, and other balances.
      const said = await post(url, 'eth_chainId', [], until)
      if (!('result' in said && Number(said.result) === chainId))
        throw down(new Error(`This is not a node of chain ${chainId}`))
      right.add(url)
    }
    return post(url, method, params, until)
  }

  return {
    down,
    deadline: () => performance.now() + limits.walletCheckTime,
    async ask(method, params, until) {
      let failure: unknown
      for (const [at, url] of order.entries()) {
        const isLast = at === order.length - 1
        const end = isLast ? until : Math.min(until, performance.now() + limits.nodePatience)
        try {
          const said = await askOne(url, method, params, end)
          if (isLast || !('error' in said && elsewhere.includes(said.error.code))) return said
        } catch (cause) {
          if (!(cause instanceof Unavailable)) throw cause
          failure = cause
        }
        order = [...order.filter((each) => each !== url), url]
      }
      throw failure ?? down()
    },
  }
}
