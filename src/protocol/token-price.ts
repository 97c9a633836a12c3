import * as v from 'valibot'
import type { CallOptions, Http } from './http.ts'

const SECOND = 1_000

/** A price in US dollars for one whole coin or token. */
export interface TokenPrice {
  readonly usd: number
  /** Milliseconds since 1970 at the source; `undefined` from servers that don't say. */
  readonly at: number | undefined
}

const answer = v.object({
  /** Absent where the server has no price that can be relied on. */
  usd: v.optional(
    v.pipe(
      v.number(),
      // A price that a screen can display.
      v.check((price) => price >= 1e-15 && price < 1e15, 'expected a price'),
    ),
  ),
  at: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
  contract: v.optional(v.string()),
})

/** A coin by its symbol, or a token by its contract or mint. `chainId` is 0 for Solana. */
export type PriceQuery = { readonly chainId: number } & (
  | { readonly symbol: string }
  | { readonly contract: string; readonly decimals: number }
)

/**
 * `GET /token_price`: the price of a chain's own coin by its symbol, or of the token at a contract. The address of a user is never part
 * of it. A server that doesn't know contracts would give the price of something else, so one that doesn't repeat the contract has no
 * price. Resolves with `undefined` where the server has none. Throws what {@link Http.call} throws, and a `TypeError` for a price of
 * something else.
 */
export async function getTokenPrice(
  http: Http,
  query: PriceQuery,
  options?: CallOptions,
): Promise<TokenPrice | undefined> {
  const contract = 'contract' in query ? query.contract : undefined
  const params = new URLSearchParams({
    chainId: String(query.chainId),
    ...('contract' in query
      ? { contract: query.contract, decimals: String(query.decimals) }
      : { tokenSymbol: query.symbol }),
  })
  const price = await http.call(
    {
      method: 'GET',
      path: `/api/v1/token_price?${params}`,
      answer,
      refreshesFirst: false,
      // Prices are waited for by nobody.
      retries: false,
      inBackground: true,
    },
    undefined,
    options,
  )
  if (price.usd === undefined) return undefined
  if (price.contract?.toLowerCase() !== contract?.toLowerCase())
    throw new TypeError('The price is of something else')
  return { usd: price.usd, at: price.at === undefined ? undefined : price.at * SECOND }
}
