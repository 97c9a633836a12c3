/** Prices of coins and tokens in US dollars, from the app's own server. A missing price hides a figure, and blocks nothing. */
import { KitError } from '../errors/kit-error.ts'
import { type Clock, within } from '../lib/clock.ts'
import type { Http } from '../protocol/http.ts'
import { fetchPrice, type PriceQuery } from '../protocol/prices.ts'
import { pricesLimits } from './limits.ts'

/** A network's own coin by its symbol, or a token by its contract. */
export type PricedAsset = {
  /** CAIP-2: `eip155:1`, `solana:mainnet`. */
  readonly chain: string
} & ({ readonly symbol: string } | { readonly token: string; readonly decimals: number })

export interface Prices {
  /**
   * The price of one whole coin or token in US dollars. `undefined` where the server has no source, no price that can be relied on, or
   * doesn't answer in time. Never rejects.
   */
  of(asset: PricedAsset): Promise<number | undefined>
}

export interface PricesContext {
  readonly clock: Clock
  readonly http: () => Promise<Http>
}

/** Prices of the app's server. Whoever asks for the same price within a minute shares one answer. */
export function createPrices({ clock, http }: PricesContext): Prices {
  const known = new Map<string, { readonly at: number; readonly price: Promise<number | undefined> }>()
  let hasSource = true

  async function read(query: PriceQuery): Promise<number | undefined> {
    try {
      return await within(clock, pricesLimits.time, async (signal) =>
        fetchPrice(await http(), query, { signal }),
      )
    } catch (cause) {
      // Nothing changes that before the page is loaded again.
      if (cause instanceof KitError && cause.code === 'feature_not_enabled') hasSource = false
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
      const price = read(query)
      known.set(key, { at: now, price })
      return price
    },
  }
}

/** `undefined` for what has no price at the server: test networks of Solana, and its tokens. */
function queryOf({ chain, ...asset }: PricedAsset): PriceQuery | undefined {
  const [namespace, reference = ''] = chain.split(':')
  if (namespace === 'eip155') return { chainId: Number(reference), ...asset }
  return chain === 'solana:mainnet' && 'symbol' in asset ? { chainId: 0, symbol: asset.symbol } : undefined
}
