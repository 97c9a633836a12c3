/** Prices by the app's server, which has its own gates of age and confidence. Without a price there are no figures, and nothing waits. */
import type { Clock } from '../lib/clock.ts'
import { isFresh, type Price, readPrice } from '../lib/price.ts'
import type { Http } from '../protocol/http.ts'
import { getTokenPrice } from '../protocol/token-price.ts'
import { balancesLimits } from './limits.ts'

/** What has a price: a network's own coin, or the token at a contract or mint. */
export interface Priced {
  /** {@link SOLANA_CHAIN} on Solana. */
  readonly chainId: number
  readonly symbol: string
  readonly contract?: string | undefined
  /** Of the contract, so that another token of the same name isn't taken for it. */
  readonly decimals?: number | undefined
}
/** The number that stands for Solana's mainnet. */
export const SOLANA_CHAIN = 0

/** Resolves with `undefined` for what has no price that can be relied on, and where nobody can be asked. Never rejects. */
export function createPrices({ http, clock }: { http: () => Promise<Http>; clock: Clock }) {
  const known = new Map<string, { at: number; price: Promise<Price | undefined> }>()
  let isOff = false

  async function read(priced: Priced): Promise<Price | undefined> {
    try {
      const { usd, at } = await getTokenPrice(await http(), priced)
      const price = readPrice(usd, at ?? clock.now())
      return price && isFresh(price, clock.now()) ? price : undefined
    } catch (cause) {
      // A server without prices has none a minute later.
      if (isFeatureOff(cause)) isOff = true
      return undefined
    }
  }

  return async (priced: Priced): Promise<Price | undefined> => {
    if (isOff) return undefined
    const { chainId, symbol, contract } = priced
    const key = `${chainId} ${contract ?? symbol}`
    const before = known.get(key)
    if (before && clock.now() - before.at < balancesLimits.priceLife) return before.price
    const price = read(priced)
    known.set(key, { at: clock.now(), price })
    return price
  }
}

const isFeatureOff = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === 'feature_not_enabled'
