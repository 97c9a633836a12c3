import * as v from 'valibot'
import { Unavailable } from '../lib/refusal.ts'
import { askOutside } from '../outside/ask.ts'
import type { Limits } from '../settings/limits.ts'

/** What a node says: something, or why not. */
export type NodeAnswer = { result: unknown } | { error: { code: number; message: string; data?: unknown } }
/** A JSON-RPC node, as far as it is believed: its answers have an end and a size, and it is of the right chain. */
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

/** @param deps.what how the chain is called in the text of an error */
export function createChainRpc(deps: {
  what: string
  url: string
  chainId: number
  limits: Limits
}): ChainRpc {
  const { what, url, chainId, limits } = deps
  const down = (cause?: unknown) =>
    new Unavailable(`${what} could not be asked. Please try again.`, { cause })
  let right = false

  async function post(method: string, params: unknown, until: number): Promise<NodeAnswer> {
    const rest = until - performance.now()
    if (rest < 1) throw down(new Error('It took too long'))
    const { body } = await askOutside(what, url, {
      json: { jsonrpc: '2.0', id: 1, method, params },
      timeout: Math.min(limits.outsideTimeout, rest),
      most: limits.outsideAnswerSize,
    })
    const parsed = v.safeParse(answer, body)
    if (!parsed.success) throw down(new Error('It sent an unexpected answer'))
    return parsed.output
  }

  return {
    down,
    deadline: () => performance.now() + limits.walletCheckTime,
    async ask(method, params, until) {
      if (!right) {
        // A node of another chain would find other contracts, and other balances.
        const said = await post('eth_chainId', [], until)
        right = 'result' in said && Number(said.result) === chainId
        if (!right) throw down(new Error(`This is not a node of chain ${chainId}`))
      }
      return post(method, params, until)
    },
  }
}
