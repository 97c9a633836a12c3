import * as v from 'valibot'
import type { CallOptions, Endpoint, Http } from './http.ts'

const SECOND = 1_000

/** A price in US dollars for one whole coin or token. */
export interface TokenPrice {
  readonly usd: number
  /** Milliseconds since 1970 at the source; `undefined` from servers that don't say. */
  readonly at: number | undefined
}

const answer = v.object({
  usd: v.number(),
  at: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
  contract: v.optional(v.string()),
})

/**
 * `GET /token_price`: the price of a chain's own coin by its symbol, or of the token at a contract. A server that doesn't know contracts
 * would give the price of another token with that symbol, so one that doesn't repeat the contract has no price. Throws what
 * {@link Http.call} throws, and a `TypeError` for a price of something else.
 */
export async function getTokenPrice(
  http: Http,
  asked: {
    readonly chainId: number
    readonly symbol: string
    readonly contract?: string | undefined
    readonly decimals?: number | undefined
  },
  options?: CallOptions,
): Promise<TokenPrice> {
  const { chainId, symbol, contract, decimals } = asked
  const query = new URLSearchParams({ chainId: String(chainId), tokenSymbol: symbol })
  if (contract !== undefined) {
    query.set('contract', contract)
    query.set('decimals', String(decimals))
  }
  const endpoint: Endpoint<undefined, v.InferOutput<typeof answer>> = {
    method: 'GET',
    path: `/api/v1/token_price?${query}`,
    answer,
    refreshesFirst: false,
    // Prices are waited for by nobody.
    retries: false,
    inBackground: true,
  }
  const { usd, at, contract: of } = await http.call(endpoint, undefined, options)
  if (of?.toLowerCase() !== contract?.toLowerCase()) throw new TypeError('The price is of something else')
  return { usd, at: at === undefined ? undefined : at * SECOND }
}
