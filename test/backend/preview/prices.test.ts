import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPrices } from '../../../demo/backend/preview/prices.ts'
import { defaultLimits } from '../../../demo/backend/settings/limits.ts'
import type { PriceSource } from '../../../demo/backend/settings/outside.ts'
import { startChain } from '../../support/chains.ts'
import { serveFetch } from '../../support/serve.ts'
import { ethereumKeyOf, Vault } from '../support/embedded-world.ts'
import { apiUrl, openApp, site, startWorld, stores, type World } from '../support/world.ts'

const contract = '0x00000000000000000000000000000000000000AA'
const now = Date.UTC(2026, 0, 15, 12)
const seconds = now / 1_000

/** A source of prices that says what a test wants. */
async function startSource() {
  const answers: { body: unknown } = { body: {} }
  const asked: { path: string; key: string | null }[] = []
  const { origin, stop } = await serveFetch((request) => {
    const { pathname, search } = new URL(request.url)
    asked.push({ path: pathname + search, key: request.headers.get('x-cg-demo-api-key') })
    return answers.body instanceof Response ? answers.body.clone() : Response.json(answers.body)
  })
  return { url: origin, answers, asked, stop }
}

let source: Awaited<ReturnType<typeof startSource>>
beforeAll(async () => {
  source = await startSource()
})
afterAll(() => source?.stop())

const llama = (id: string, more: object = {}) => ({
  coins: { [id]: { price: 2_500.5, timestamp: seconds - 30, confidence: 0.99, ...more } },
})

describe('prices of a source', () => {
  const prices = (format: PriceSource['format'], more: Partial<PriceSource> = {}) =>
    createPrices({ source: { format, url: source.url, ...more }, limits: defaultLimits, clock: () => now })
  const ether = { coin: 'ethereum' }
  const token = { chainId: 1, contract, decimals: 6 }
  const tokenId = `ethereum:${contract.toLowerCase()}`

  test('prices: DeFiLlama’s format is read, for coins and for tokens by their contract', async () => {
    source.answers.body = llama('coingecko:ethereum')
    expect(await prices('defillama').of(ether)).toEqual({ usd: 2_500.5, at: seconds - 30 })
    source.answers.body = llama(tokenId, { price: 1, decimals: 6 })
    expect(await prices('defillama').of(token)).toEqual({ usd: 1, at: seconds - 30 })
    expect(source.asked.slice(-2).map(({ path }) => path)).toEqual([
      '/prices/current/coingecko:ethereum',
      `/prices/current/${tokenId}`,
    ])
  })

  test('prices: CoinGecko’s format is read, with the key of the settings', async () => {
    source.answers.body = { ethereum: { usd: 3, last_updated_at: seconds - 5 } }
    expect(await prices('coingecko', { apiKey: 'CG-1' }).of(ether)).toEqual({ usd: 3, at: seconds - 5 })
    const [last] = source.asked.slice(-1)
    expect(last?.key).toBe('CG-1')
    expect(new URL(last?.path ?? '', source.url).searchParams.get('ids')).toBe('ethereum')
    // Its prices of contracts have no decimals to check.
    expect(await prices('coingecko').of(token)).toBeUndefined()
  })

  const unreliable: Record<string, unknown> = {
    'a price that is too old': llama('coingecko:ethereum', { timestamp: seconds - 601 }),
    'a price of the future': llama('coingecko:ethereum', { timestamp: seconds + 3_600 }),
    'a price that the source is unsure of': llama('coingecko:ethereum', { confidence: 0.89 }),
    'a price without confidence': llama('coingecko:ethereum', { confidence: undefined }),
    'a price of nothing': llama('coingecko:ethereum', { price: 0 }),
    'a negative price': llama('coingecko:ethereum', { price: -1 }),
    'a price in words': llama('coingecko:ethereum', { price: '2500' }),
    'a price of something else': llama('coingecko:bitcoin'),
    'no answer': new Response('busy', { status: 429 }),
    'a list': [],
  }
  test.each(Object.entries(unreliable))('prices: %s is none', async (_, body) => {
    source.answers.body = body
    expect(await prices('defillama').of(ether)).toBeUndefined()
  })

  test('prices: a token with other decimals than its contract says is another token', async () => {
    source.answers.body = llama(tokenId, { decimals: 18 })
    expect(await prices('defillama').of(token)).toBeUndefined()
    source.answers.body = llama(tokenId)
    expect(await prices('defillama').of(token)).toBeUndefined()
  })

  test('prices: one is remembered for a minute, and a failure is not', async () => {
    let at = now
    const kept = createPrices({
      source: { format: 'defillama', url: source.url },
      limits: defaultLimits,
      clock: () => at,
    })
    source.answers.body = new Response('busy', { status: 503 })
    expect(await kept.of(ether)).toBeUndefined()
    source.answers.body = llama('coingecko:ethereum')
    const before = source.asked.length
    for (let time = 0; time < 3; time++) expect((await kept.of(ether))?.usd).toBe(2_500.5)
    expect(source.asked.length).toBe(before + 1)
    at += 60_001
    await kept.of(ether)
    expect(source.asked.length).toBe(before + 2)
  })
})

const noCoins = {
  id: 'latchkey-tests-nocoins-01',
  name: 'No Coins',
  methods: ['email' as const],
  allowedDomains: ['http://localhost:*'],
  nativeTokenPrices: false,
}

describe.each(stores)('prices of the server on $name', (store) => {
  let world: World
  const get = async (path: string, from = world) => {
    const headers = { 'privy-app-id': openApp, origin: site }
    const answer = await from.backend.api.request(`${apiUrl}/api/v1/${path}`, { headers })
    return { status: answer.status, body: await answer.json() }
  }
  const account = privateKeyToAccount(generatePrivateKey())
  let chain: Awaited<ReturnType<typeof startChain>>

  beforeAll(async () => {
    chain = await startChain(1)
    world = await startWorld(store, {
      outside: {
        chainRpcUrls: { 1: chain.url },
        prices: { format: 'defillama', url: source.url },
      },
      limits: { lookupsPerIpMinute: 1_000, priceLife: 0 },
      moreApps: [noCoins],
    })
  })
  afterAll(async () => {
    await world?.stop()
    await chain?.close()
  })

  test('token price: a chain’s coin and dollars have one, whatever its case', async () => {
    source.answers.body = llama('coingecko:ethereum')
    expect(await get('token_price?chainId=8453&tokenSymbol=ETH')).toEqual({
      status: 200,
      body: { usd: 2_500.5, at: expect.any(Number) },
    })
    source.answers.body = llama('coingecko:solana', { price: 150 })
    expect(await get('token_price?chainId=0&tokenSymbol=SOL')).toMatchObject({
      status: 200,
      body: { usd: 150 },
    })
    source.answers.body = llama('coingecko:usd-coin', { price: 1 })
    expect(await get('token_price?chainId=1&tokenSymbol=usdc')).toMatchObject({
      status: 200,
      body: { usd: 1 },
    })
  })

  test('token price: a token is priced by its contract and decimals, and the answer names the contract', async () => {
    const contract = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
    source.answers.body = llama(`ethereum:${contract.toLowerCase()}`, { price: 0.9998, decimals: 6 })
    const query = `token_price?chainId=1&tokenSymbol=USDC&contract=${contract}`
    expect(await get(`${query}&decimals=6`)).toMatchObject({ status: 200, body: { usd: 0.9998, contract } })
    // Another token's symbol is no reason for its price.
    expect(await get(`${query}&decimals=18`)).toEqual({ status: 200, body: {} })
    // A contract without decimals is no token, whatever its symbol.
    expect(await get(query)).toMatchObject({ status: 400, body: { code: 'invalid_data' } })
  })

  test('token price: the letters of a mint on Solana keep their case', async () => {
    const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
    source.answers.body = llama(`solana:${mint}`, { price: 1, decimals: 6 })
    expect(await get(`token_price?chainId=0&tokenSymbol=USDC&contract=${mint}&decimals=6`)).toMatchObject({
      status: 200,
      body: { usd: 1, contract: mint },
    })
  })

  test('token price: a test network, another coin and an unreliable price have none, which is no error', async () => {
    source.answers.body = llama('coingecko:ethereum', { confidence: 0.1 })
    for (const query of [
      'chainId=11155111&tokenSymbol=ETH',
      'chainId=1&tokenSymbol=SOL',
      'chainId=1&tokenSymbol=ETH',
    ])
      expect(await get(`token_price?${query}`)).toEqual({ status: 200, body: {} })
    for (const query of ['chainId=1', 'chainId=one&tokenSymbol=ETH', 'chainId=1&tokenSymbol=%3Cb%3E'])
      expect(await get(`token_price?${query}`)).toMatchObject({ status: 400, body: { code: 'invalid_data' } })
  })

  test('token price: a server without a source has none, which is no error', async () => {
    const without = await startWorld(store, {})
    const answer = await get('token_price?chainId=1&tokenSymbol=ETH', without)
    await without.stop()
    expect(answer).toEqual({ status: 200, body: {} })
  })

  test('preview: prices come with it, and the source learns no address of a user', async () => {
    source.answers.body = llama('coingecko:ethereum')
    const vault = await Vault.open(world)
    await vault.create(ethereumKeyOf(account))
    const to = privateKeyToAccount(generatePrivateKey()).address
    const before = source.asked.length
    const { status, body } = await vault.post('embedded_wallets/preview', {
      version: 1,
      address: account.address,
      chain: 'eip155:1',
      request: { transaction: { to, value: '0x1', chainId: 1 } },
    })
    expect([status, body.prices]).toEqual([200, { coin: { usd: 2_500.5, at: seconds - 30 }, tokens: {} }])
    const asked = source.asked.slice(before).map(({ path }) => path)
    expect(asked).toEqual(['/prices/current/coingecko:ethereum'])
    source.answers.body = llama('coingecko:ethereum', { confidence: 0.1 })
    const again = await vault.post('embedded_wallets/preview', {
      version: 1,
      address: account.address,
      chain: 'eip155:1',
      request: { transaction: { to, value: '0x1', chainId: 1 } },
    })
    expect(again.body.prices).toEqual({ tokens: {} })
  })

  test('preview: an app may leave out what coins are worth', async () => {
    source.answers.body = llama('coingecko:ethereum')
    const vault = await Vault.open(world, { appId: noCoins.id })
    const own = privateKeyToAccount(generatePrivateKey())
    await vault.create(ethereumKeyOf(own))
    const before = source.asked.length
    const { status, body } = await vault.post('embedded_wallets/preview', {
      version: 1,
      address: own.address,
      chain: 'eip155:1',
      request: { transaction: { to: account.address, value: '0x1', chainId: 1 } },
    })
    expect([status, body.prices]).toEqual([200, { tokens: {} }])
    expect(source.asked.length).toBe(before)
  })
})
