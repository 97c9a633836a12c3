/** Balances of Solana's tokens, and prices beside balances: which are asked for, and what their absence does. */
import { describe, expect, test } from 'vitest'
import { resolveConfig } from '../../src/app/config.ts'
import { type Balance, type BalancesContext, createBalances, tokensOn } from '../../src/balances/balances.ts'
import { createStore } from '../../src/lib/store.ts'
import { createPrices, type PricedAsset } from '../../src/prices/prices.ts'
import { TOKEN_PROGRAM } from '../../src/solana/programs/token.ts'
import { testClock } from '../support/clock.ts'

const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const wallet = '7EqQdEULxWcraVx3mXKFjc84LhCkMGZCkRuDpvcMwJeK'

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
    const priced: PricedAsset[] = []
    const { refresh } = createBalances({
      clock,
      balances,
      config: () => config,
      wallets: () => [{ address: wallet, chainType: 'solana' }],
      watched: () => [],
      nodeOf: () => undefined,
      solanaRpc: () => ({ ask: async () => ({ context: { slot: 5 }, value: 12_000_000_000 }) }),
      splBalances: async () => async (_, owner, mints) => {
        expect([owner, mints]).toEqual([wallet, [mint]])
        const token = { decimals: 6, symbol: 'USDC', amount: 250_000_000n, isFrozen: true }
        const rules = { scale: 1, accountSize: 165, beginsFrozen: false }
        const balance = { ...token, mint, rules, raw: token.amount, program: TOKEN_PROGRAM, extensions: [] }
        return new Map([[mint, balance]])
      },
      prices: {
        async of(each) {
          priced.push(each)
          return { units: 150n, scale: 0, at: clock.now() }
        },
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
      { chain: 'solana:mainnet', symbol: 'SOL' },
      { chain: 'solana:mainnet', token: mint, decimals: 6 },
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
    const clock = testClock()
    const prices = createPrices({ clock, http: () => new Promise(() => {}) })
    const { refresh, balances } = reading({ clock, prices })
    const work = refresh()
    await clock.advance(100)
    expect(balances.get()).toMatchObject([{ status: 'loaded' }, { status: 'loaded' }])
    await clock.advance(5_000)
    expect((await work)[0]).not.toHaveProperty('price')
  })

  test('tokens: those of one chain are named by contract or mint, each once', () => {
    expect(tokensOn(config, 'solana:mainnet', [])).toEqual([mint])
    expect(tokensOn(config, 'solana:devnet', [])).toEqual([wallet])
    expect(tokensOn(config, 'eip155:1', [])).toEqual([usdc])
    expect(tokensOn(config, 'eip155:8453', [])).toEqual([])
  })
})
