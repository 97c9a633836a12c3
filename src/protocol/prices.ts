import * as v from 'valibot'
import type { CallOptions, Http } from './http.ts'

/** A price in US dollars that a screen can display. */
const usd = v.pipe(
  v.number(),
  v.check((price) => price >= 1e-15 && price < 1e15, 'expected a price'),
)
const answer = v.pipe(
  v.object({ usd }),
  v.transform((raw) => raw.usd),
)

/** A coin by its symbol, or a token by its contract. */
export type PriceQuery =
  | { readonly chainId: number; readonly symbol: string }
  | { readonly chainId: number; readonly token: string; readonly decimals: number }

/**
 * `GET /token_price`: the price of a coin or token in US dollars. The address of a user is never part of it. Throws what
 * {@link Http.call} throws: `feature_not_enabled` where the server has no source, `not_supported` without a price that can be
 * relied on.
 * @param query.chainId 0 for Solana
 */
export function fetchPrice(http: Http, query: PriceQuery, options?: CallOptions): Promise<number> {
  const params = new URLSearchParams({
    chainId: String(query.chainId),
    ...('token' in query
      ? { tokenAddress: query.token, decimals: String(query.decimals) }
      : { tokenSymbol: query.symbol }),
  })
  return http.call(
    {
      method: 'GET',
      path: `/api/v1/token_price?${params}`,
      answer,
      retries: false,
      refreshesFirst: false,
      inBackground: true,
    },
    undefined,
    options,
  )
}
