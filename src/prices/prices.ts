/** Prices of coins and tokens in US dollars, from the app's own server. A missing price hides a figure, and blocks nothing. */
import { KitError } from '../errors/kit-error.ts'
import { type Clock, within } from '../lib/clock.ts'
import { logFailure } from '../lib/log-failure.ts'
import { isFresh, type Price, readPrice } from '../lib/price.ts'
import type { Http } from '../protocol/http.ts'
import { getTokenPrice, type PriceQuery } from '../protocol/token-price.ts'
import { pricesLimits } from './limits.ts'

/** A network's own coin by its symbol, or the token at a contract or mint. */
export type PricedAsset = {
  /** CAIP-2: `eip155:1`, `solana:mainnet`. */
  readonly chain: string
} & ({ readonly symbol: string } | { readonly token: string; readonly decimals: number })

export interface Prices {
  /**
   * The price of one whole coin or token in US dollars. `undefined` where the server has no source, no price that can be relied on, or
   * doesn't answer in time. Never rejects.
   */
  of(asset: PricedAsset): Promise<Price | undefined>
}

export interface PricesContext {
  readonly clock: Clock
  readonly http: () => Promise<Http>
}

/** Prices of the app's server. Requests for the same price within a minute share one answer. */
export function createPrices({ clock, http }: PricesContext): Prices {
  const known = new Map<string, { readonly at: number; readonly price: Promise<Price | undefined> }>()
  let hasSource = true

  async function load(query: PriceQuery): Promise<Price | undefined> {
    try {
      const found = await within(clock, pricesLimits.time, async (signal) =>
        getTokenPrice(await http(), query, { signal }),
      )
      const price = found && readPrice(found.usd, found.at ?? clock.now())
      return price && isFresh(price, clock.now()) ? price : undefined
    } catch (cause) {
      // Nothing changes that before the page is loaded again.
      if (cause instanceof KitError && cause.code === 'feature_not_enabled') hasSource = false
      const isSol = query.chainId === SOLANA_CHAIN && 'symbol' in query
      logFailure(
        isSol ? 'Unable to fetch SOL price' : `Unable to fetch token price on chain id ${query.chainId}`,
        cause,
      )
      return undefined
    }
  }

  return {
    async of(asset) {
      const query = queryOf(asset)
      if (!query || !hasSource) return undefined
      const key = JSON.stringify(query)
      const now = clock.now()
      const found = known.get(key)
      if (found && now - found.at < pricesLimits.life) return found.price
      const price = load(query)
      known.set(key, { at: now, price })
      return price
    },
  }
}

/** The prices that reviews display: an app may leave out what coins are worth. Tokens keep theirs. */
export const createReviewPrices = (prices: Prices, hasCoins: () => boolean): Prices => ({
  of: async (asset) => ('symbol' in asset && !hasCoins() ? undefined : prices.of(asset)),
})

/** The number that stands for Solana's mainnet at the server. */
const SOLANA_CHAIN = 0

/** `undefined` for what has no price at the server: test networks of Solana. */
function queryOf({ chain, ...asset }: PricedAsset): PriceQuery | undefined {
  const [namespace, reference = ''] = chain.split(':')
  const rest =
    'token' in asset ? { contract: asset.token, decimals: asset.decimals } : { symbol: asset.symbol }
  if (namespace === 'eip155') return { chainId: Number(reference), ...rest }
  return chain === 'solana:mainnet' ? { chainId: SOLANA_CHAIN, ...rest } : undefined
}
