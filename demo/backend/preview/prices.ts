import * as v from 'valibot'
import { askOutside } from '../outside/ask.ts'
import type { Limits } from '../settings/limits.ts'
import type { PriceSource } from '../settings/outside.ts'
import type { PriceView } from './answer.ts'
import { createCache } from './cache.ts'

/** Something that has a price: a coin by its name at the sources, or a token's contract. */
export type Priced = { coin: string } | { chainId: number; contract: string; decimals: number }

export interface Prices {
  /**
   * What something costs, in dollars. `undefined` without a source, for what it doesn't know, and for a price that is too old or too
   * uncertain. Throws nothing.
   */
  of(priced: Priced): Promise<PriceView | undefined>
}

/** Names of coins at both sources, by chain. Coins of test networks have no price. */
const coins: Readonly<Record<number, { symbols: readonly string[]; id: string }>> = {
  0: { symbols: ['SOL'], id: 'solana' },
  1: { symbols: ['ETH'], id: 'ethereum' },
  10: { symbols: ['ETH'], id: 'ethereum' },
  42: { symbols: ['LYX'], id: 'lukso-token-2' },
  56: { symbols: ['BNB'], id: 'binancecoin' },
  137: { symbols: ['POL', 'MATIC'], id: 'polygon-ecosystem-token' },
  314: { symbols: ['FIL'], id: 'filecoin' },
  690: { symbols: ['ETH'], id: 'ethereum' },
  999: { symbols: ['HYPE'], id: 'hyperliquid' },
  8453: { symbols: ['ETH'], id: 'ethereum' },
  42161: { symbols: ['ETH'], id: 'ethereum' },
  42220: { symbols: ['CELO'], id: 'celo' },
  43114: { symbols: ['AVAX'], id: 'avalanche-2' },
  59144: { symbols: ['ETH'], id: 'ethereum' },
  7777777: { symbols: ['ETH'], id: 'ethereum' },
}
const USDC = 'usd-coin'
/** Names of chains at DeFiLlama. */
const llamaChains: Readonly<Record<number, string>> = {
  0: 'solana',
  1: 'ethereum',
  10: 'optimism',
  56: 'bsc',
  137: 'polygon',
  8453: 'base',
  42161: 'arbitrum',
  42220: 'celo',
  43114: 'avax',
  59144: 'linea',
}
const defaultUrls = {
  defillama: 'https://coins.llama.fi',
  coingecko: 'https://api.coingecko.com',
} as const satisfies Record<PriceSource['format'], string>

/** A coin's name at the sources. @param chainId 0 for Solana. @param symbol without it, the chain's own coin */
export function coinOf(chainId: number, symbol?: string): string | undefined {
  const coin = Object.hasOwn(coins, chainId) ? coins[chainId] : undefined
  if (!coin || symbol === undefined) return coin?.id
  const wanted = symbol.toUpperCase()
  if (coin.symbols.includes(wanted)) return coin.id
  return wanted === 'USDC' ? USDC : undefined
}

/** Prices of the source that the settings name. */
export function createPrices({
  source,
  limits,
  clock,
}: {
  source: PriceSource | undefined
  limits: Limits
  clock: () => number
}): Prices {
  const cache = createCache({ most: limits.prices, now: clock })
  const read = source && { defillama: readLlama, coingecko: readGecko }[source.format]
  return {
    async of(priced) {
      const id = source && idOf(source, priced)
      if (!source || !read || id === undefined) return undefined
      const decimals = 'decimals' in priced ? priced.decimals : undefined
      try {
        const found = await cache.get(id, limits.priceLife, () => read(source, id, limits))
        const age = clock() - found.at * 1_000
        const isSure = found.confidence === undefined || found.confidence >= limits.priceConfidence
        // A token with other decimals than its contract says is another token.
        const isSame = decimals === undefined || found.decimals === decimals
        const isNow = age <= limits.priceAge && age >= -limits.clockSkew
        return isSure && isSame && isNow ? { usd: found.usd, at: found.at } : undefined
      } catch {
        return undefined
      }
    },
  }
}

function idOf({ format }: PriceSource, priced: Priced): string | undefined {
  if ('coin' in priced) return format === 'defillama' ? `coingecko:${priced.coin}` : priced.coin
  const { chainId, contract } = priced
  if (format !== 'defillama' || !Object.hasOwn(llamaChains, chainId)) return undefined
  // The letters of Solana's addresses are not the same in either case.
  return `${llamaChains[chainId]}:${chainId === 0 ? contract : contract.toLowerCase()}`
}

interface Found extends PriceView {
  confidence?: number | undefined
  decimals?: number | undefined
}
const price = v.pipe(
  v.number(),
  v.check((usd) => Number.isFinite(usd) && usd > 0),
)
const time = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

const llamaAnswer = v.object({
  coins: v.record(
    v.string(),
    v.object({
      price,
      timestamp: time,
      confidence: v.number(),
      decimals: v.optional(v.number()),
    }),
  ),
})

async function readLlama(
  { url = defaultUrls.defillama }: PriceSource,
  id: string,
  limits: Limits,
): Promise<Found> {
  const { body } = await ask(`${url}/prices/current/${id}`, limits)
  const found = v.parse(llamaAnswer, body).coins[id]
  if (!found) throw new Error('The source does not know it')
  const { price: usd, timestamp: at, confidence, decimals } = found
  return { usd, at, confidence, decimals }
}

const geckoAnswer = v.record(v.string(), v.object({ usd: price, last_updated_at: time }))

async function readGecko(
  { url = defaultUrls.coingecko, apiKey }: PriceSource,
  id: string,
  limits: Limits,
): Promise<Found> {
  const query = new URLSearchParams({ ids: id, vs_currencies: 'usd', include_last_updated_at: 'true' })
  const headers: Record<string, string> = apiKey === undefined ? {} : { 'x-cg-demo-api-key': apiKey }
  const { body } = await ask(`${url}/api/v3/simple/price?${query}`, limits, headers)
  const found = v.parse(geckoAnswer, body)[id]
  if (!found) throw new Error('The source does not know it')
  return { usd: found.usd, at: found.last_updated_at }
}

const ask = (address: string, limits: Limits, headers: Record<string, string> = {}) =>
  askOutside('The source of prices', address, {
    timeout: limits.previewNodeTime,
    most: limits.outsideAnswerSize,
    headers,
  })
