import { describe, expect, test, vi } from 'vitest'
import { PRICE_AGE } from '../../src/lib/price.ts'
import { createPrices, createReviewPrices, type PricedAsset } from '../../src/prices/prices.ts'
import type { Http } from '../../src/protocol/http.ts'
import { createHttp } from '../../src/protocol/http.ts'
import { testClock } from '../support/clock.ts'

type Reply = { status?: number; body: unknown } | 'silent'

function setUp(reply: (query: string) => Reply) {
  const clock = testClock()
  const asked: string[] = []
  const http: Http = createHttp({
    base: 'https://api.example',
    appId: 'latchkey-unit-test-app-01',
    clientId: undefined,
    analyticsId: () => '',
    tokens: () => undefined,
    clock,
    fetch: async (input, init) => {
      const { pathname, search } = new URL(input)
      expect(pathname).toBe('/api/v1/token_price')
      asked.push(search.slice(1))
      const given = reply(search.slice(1))
      if (given === 'silent')
        return new Promise((_, reject) =>
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
        )
      return new Response(JSON.stringify(given.body), { status: given.status ?? 200 })
    },
  })
  return { clock, asked, prices: createPrices({ clock, http: async () => http }) }
}
const eth = { chain: 'eip155:1', symbol: 'ETH' }

describe('prices', () => {
  test('a coin by its chain and symbol, a token by its contract, and nothing of the user', async () => {
    const { prices, asked } = setUp((query) => ({
      body: query.includes('contract') ? { usd: 1, contract: '0xABC' } : { usd: 2_500 },
    }))
    expect(await prices.of(eth)).toMatchObject({ units: 2_500n, scale: 0 })
    expect(await prices.of({ chain: 'solana:mainnet', symbol: 'SOL' })).toMatchObject({ units: 2_500n })
    expect(await prices.of({ chain: 'eip155:8453', token: '0xabc', decimals: 6 })).toMatchObject({
      units: 1n,
    })
    expect(asked).toEqual([
      'chainId=1&tokenSymbol=ETH',
      'chainId=0&tokenSymbol=SOL',
      'chainId=8453&contract=0xabc&decimals=6',
    ])
  })

  test('prices: a review without those of coins still has those of tokens', async () => {
    const { prices, asked } = setUp((query) => ({
      body: query.includes('contract') ? { usd: 1, contract: '0xabc' } : { usd: 1 },
    }))
    let hasCoins = false
    const shown = createReviewPrices(prices, () => hasCoins)
    expect(await shown.of(eth)).toBeUndefined()
    expect(asked).toEqual([])
    expect(await shown.of({ chain: 'eip155:1', token: '0xabc', decimals: 6 })).toMatchObject({ units: 1n })
    hasCoins = true
    expect(await shown.of(eth)).toMatchObject({ units: 1n })
  })

  test('prices: a test network of Solana has none, and nobody is asked', async () => {
    const { prices, asked } = setUp(() => ({ body: { usd: 1 } }))
    expect(await prices.of({ chain: 'solana:devnet', symbol: 'SOL' })).toBeUndefined()
    expect(asked).toEqual([])
  })

  test('prices: a server that knows symbols alone has no price of a token', async () => {
    const { prices } = setUp(() => ({ body: { usd: 1 } }))
    expect(await prices.of({ chain: 'eip155:1', token: '0xabc', decimals: 6 })).toBeUndefined()
  })

  test('prices: one that is older than ten minutes at its source is left out', async () => {
    let age = PRICE_AGE
    const { clock, prices } = setUp(() => ({ body: { usd: 1, at: Math.floor((clock.now() - age) / 1_000) } }))
    await clock.leap(2 * PRICE_AGE)
    expect(await prices.of(eth)).toBeDefined()
    age += 2_000
    await clock.leap(60_000)
    expect(await prices.of(eth)).toBeUndefined()
  })

  test('within a minute one answer serves all who ask', async () => {
    const { prices, asked, clock } = setUp(() => ({ body: { usd: 2_500 } }))
    const price = expect.objectContaining({ units: 2_500n })
    expect(await Promise.all([prices.of(eth), prices.of(eth)])).toEqual([price, price])
    await clock.leap(59_999)
    await prices.of(eth)
    expect(asked).toHaveLength(1)
    await clock.leap(1)
    await prices.of(eth)
    expect(asked).toHaveLength(2)
  })

  test('a server without a source is asked once', async () => {
    const { prices, asked, clock } = setUp(() => ({
      status: 403,
      body: { error: 'none', code: 'feature_not_enabled' },
    }))
    expect(await prices.of(eth)).toBeUndefined()
    await clock.leap(600_000)
    expect(await prices.of({ chain: 'eip155:10', symbol: 'ETH' })).toBeUndefined()
    expect(asked).toHaveLength(1)
  })

  test.each<[string, Reply]>([
    ['empty', { body: {} }],
    ['refused', { status: 400, body: { error: 'none', code: 'not_supported' } }],
    ['negative', { body: { usd: -1 } }],
    ['zero', { body: { usd: 0 } }],
    ['beyond all measure', { body: { usd: 1e15 } }],
    ['text', { body: { usd: '2500' } }],
    ['nothing', { body: null }],
    ['a server that is down', { status: 503, body: {} }],
  ])('an answer that is %s is no price', async (_, reply) => {
    const { prices } = setUp(() => reply)
    expect(await prices.of(eth)).toBeUndefined()
  })

  test.each<[string, PricedAsset]>([
    ['Unable to fetch SOL price', { chain: 'solana:mainnet', symbol: 'SOL' }],
    ['Unable to fetch token price on chain id 1', eth],
    ['Unable to fetch token price on chain id 8453', { chain: 'eip155:8453', token: '0xabc', decimals: 6 }],
  ])('prices: a failure is told in the console at debug level, as %s', async (said, asset) => {
    const debug = vi.spyOn(console, 'debug').mockImplementation(() => {})
    const { prices } = setUp(() => ({ status: 400, body: { error: 'none', code: 'not_supported' } }))
    await prices.of(asset)
    expect(debug.mock.calls).toEqual([[said, expect.objectContaining({ code: 'not_supported' })]])
  })

  test('prices: a server that has none is no failure, and nothing is told', async () => {
    const debug = vi.spyOn(console, 'debug').mockImplementation(() => {})
    const { prices } = setUp(() => ({ body: {} }))
    await prices.of(eth)
    expect(debug).not.toHaveBeenCalled()
  })

  test('a server that never answers is waited for three seconds', async () => {
    const { prices, clock } = setUp(() => 'silent')
    const price = prices.of(eth)
    await clock.advance(3_000)
    expect(await price).toBeUndefined()
  })
})
