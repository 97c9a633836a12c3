import { describe, expect, test } from 'vitest'
import { createPrices } from '../../src/prices/prices.ts'
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
      body: { usd: query.includes('tokenAddress') ? 1 : 2_500 },
    }))
    expect(await prices.of(eth)).toBe(2_500)
    expect(await prices.of({ chain: 'solana:mainnet', symbol: 'SOL' })).toBe(2_500)
    expect(await prices.of({ chain: 'eip155:8453', token: '0xabc', decimals: 6 })).toBe(1)
    expect(asked).toEqual([
      'chainId=1&tokenSymbol=ETH',
      'chainId=0&tokenSymbol=SOL',
      'chainId=8453&tokenAddress=0xabc&decimals=6',
    ])
  })

  test('test networks and tokens of Solana have none, and nobody is asked', async () => {
    const { prices, asked } = setUp(() => ({ body: { usd: 1 } }))
    expect(await prices.of({ chain: 'solana:devnet', symbol: 'SOL' })).toBeUndefined()
    expect(await prices.of({ chain: 'solana:mainnet', token: 'mint', decimals: 6 })).toBeUndefined()
    expect(asked).toEqual([])
  })

  test('within a minute one answer serves all who ask', async () => {
    const { prices, asked, clock } = setUp(() => ({ body: { usd: 2_500 } }))
    expect(await Promise.all([prices.of(eth), prices.of(eth)])).toEqual([2_500, 2_500])
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

  test('a server that never answers is waited for three seconds', async () => {
    const { prices, clock } = setUp(() => 'silent')
    const price = prices.of(eth)
    await clock.advance(3_000)
    expect(await price).toBeUndefined()
  })
})
