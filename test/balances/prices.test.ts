/** Prices and tokens of Solana beside balances: which are asked for, which are believed, and what their absence does. */
import { describe, expect, test } from 'vitest'
import { resolveConfig } from '../../src/app/config.ts'
import { type Balance, type BalancesContext, createBalances, tokensOn } from '../../src/balances/balances.ts'
import { createPrices, type Priced } from '../../src/balances/prices.ts'
import { KitError } from '../../src/errors/kit-error.ts'
import { PRICE_AGE } from '../../src/lib/price.ts'
import { createStore } from '../../src/lib/store.ts'
import type { Http } from '../../src/protocol/http.ts'
import { TOKEN_PROGRAM } from '../../src/solana/programs/token.ts'
import { testClock } from '../support/clock.ts'

const ether: Priced = { chainId: 1, symbol: 'ETH' }
const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const wallet = '7EqQdEULxWcraVx3mXKFjc84LhCkMGZCkRuDpvcMwJeK'

function setUp(answer: (path: string) => unknown) {
  const clock = testClock()
  const asked: string[] = []
  const http = {
    async call({ path }: { path: string }) {
      asked.push(path)
      return answer(path)
    },
  } as unknown as Http
  return { clock, asked, priceOf: createPrices({ http: async () => http, clock }) }
}

describe('prices', () => {
  test('prices: a coin is asked for by its chain and symbol, once a minute', async () => {
    const { asked, clock, priceOf } = setUp(() => ({ usd: 3_125.4 }))
    expect(await priceOf(ether)).toEqual({ units: 31_254n, scale: 1, at: clock.now() })
    await Promise.all([priceOf(ether), priceOf(ether)])
    expect(asked).toEqual(['/api/v1/token_price?chainId=1&tokenSymbol=ETH'])
    await clock.advance(60_000)
    await priceOf(ether)
    expect(asked).toHaveLength(2)
  })

  test('prices: a token is asked for by its contract and decimals', async () => {
    const { asked, priceOf } = setUp(() => ({ usd: 1, contract: usdc.toLowerCase() }))
    const priced = { chainId: 1, symbol: 'USDC', contract: usdc, decimals: 6 }
    expect(await priceOf(priced)).toMatchObject({ units: 1n, scale: 0 })
    expect(asked).toEqual([`/api/v1/token_price?chainId=1&tokenSymbol=USDC&contract=${usdc}&decimals=6`])
  })

  test('prices: a server that knows symbols alone has no price of a token', async () => {
    const { priceOf } = setUp(() => ({ usd: 1 }))
    expect(await priceOf({ chainId: 1, symbol: 'USDC', contract: usdc, decimals: 6 })).toBeUndefined()
  })

  test('prices: one that is older than ten minutes at its source is left out', async () => {
    let age = PRICE_AGE
    const { clock, priceOf } = setUp(() => ({ usd: 1, at: (clock.now() - age) / 1_000 }))
    await clock.advance(2 * PRICE_AGE)
    expect(await priceOf(ether)).toBeDefined()
    await clock.advance(60_000)
    age += 1_000
    expect(await priceOf(ether)).toBeUndefined()
  })

  test.each([0, -1, Number.NaN])('prices: %d is no price', async (usd) => {
    expect(await setUp(() => ({ usd })).priceOf(ether)).toBeUndefined()
  })

  test('prices: a server without a source is not asked again, one that fails is', async () => {
    const off = setUp(() => {
      throw new KitError('feature_not_enabled', 'This server has no prices.')
    })
    const failing = setUp(() => {
      throw new KitError('network_unavailable', 'Disconnected')
    })
    for (const { clock, priceOf } of [off, failing]) {
      expect(await priceOf(ether)).toBeUndefined()
      await clock.advance(60_000)
      expect(await priceOf(ether)).toBeUndefined()
    }
    expect([off.asked.length, failing.asked.length]).toEqual([1, 2])
  })
})

describe('balances on Solana', () => {
  const config = resolveConfig(
    {
      tokens: [
        { mint },
        { mint },
        { mint: '0x1' },
        { cluster: 'devnet', mint: wallet },
        { chainId: 1, address: usdc },
      ],
      solanaClusters: [{ name: 'mainnet-beta', rpcUrl: 'https://node.example' }],
    },
    { name: 'Harbor', loginMethods: new Set(), raw: {} } as never,
  )

  function reading(over: Partial<BalancesContext> = {}) {
    const clock = testClock()
    const balances = createStore<readonly Balance[]>([])
    const priced: Priced[] = []
    const { refresh } = createBalances({
      clock,
      balances,
      config: () => config,
      wallets: () => [{ address: wallet, chainType: 'solana' }],
      nodeOf: () => undefined,
      solanaRpc: () => ({ ask: async () => ({ context: { slot: 5 }, value: 12_000_000_000 }) }),
      splBalances: async () => async (_, owner, mints) => {
        expect([owner, mints]).toEqual([wallet, [mint]])
        const token = { decimals: 6, symbol: 'USDC', amount: 250_000_000n, isFrozen: true }
        return new Map([[mint, { ...token, program: TOKEN_PROGRAM, extensions: [] }]])
      },
      priceOf: async (each) => {
        priced.push(each)
        return { units: 150n, scale: 0, at: clock.now() }
      },
      ...over,
    })
    return { clock, balances, priced, refresh }
  }

  test('balances: the app’s tokens are read beside SOL, each with its price', async () => {
    const { refresh, priced } = reading()
    const price = { units: 150n, scale: 0 }
    expect(await refresh()).toMatchObject([
      { chain: 'solana:mainnet', kind: 'coin', symbol: 'SOL', amount: 12_000_000_000n, price },
      {
        kind: 'token',
        token: mint,
        symbol: 'USDC',
        decimals: 6,
        amount: 250_000_000n,
        isFrozen: true,
        price,
      },
    ])
    expect(priced).toEqual([
      { chainId: 0, symbol: 'SOL' },
      { chainId: 0, symbol: 'USDC', contract: mint, decimals: 6 },
    ])
  })

  test('balances: a mint that is none is no token, and tokens that can not be read leave SOL as it is', async () => {
    const none = reading({ splBalances: async () => async () => new Map([[mint, undefined]]) })
    expect(await none.refresh()).toMatchObject([{ status: 'loaded' }, { status: 'no-token' }])
    const broken = reading({
      splBalances: async () => async () => {
        throw new Error('The node is busy')
      },
    })
    expect(await broken.refresh()).toMatchObject([{ status: 'loaded' }, { status: 'unreachable' }])
  })

  test('balances: a price that does not come keeps no balance back', async () => {
    const { refresh, clock, balances } = reading({ priceOf: () => new Promise(() => {}) })
    const work = refresh()
    await clock.advance(100)
    expect(balances.get()).toMatchObject([{ status: 'loaded' }, { status: 'loaded' }])
    await clock.advance(5_000)
    expect((await work)[0]).not.toHaveProperty('price')
  })

  test('tokens: those of one chain are named by contract or mint, each once', () => {
    expect(tokensOn(config, 'solana:mainnet')).toEqual([mint])
    expect(tokensOn(config, 'solana:devnet')).toEqual([wallet])
    expect(tokensOn(config, 'eip155:1')).toEqual([usdc])
    expect(tokensOn(config, 'eip155:8453')).toEqual([])
  })
})
