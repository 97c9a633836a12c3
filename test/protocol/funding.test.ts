import { describe, expect, test } from 'vitest'
import { getAppConfig } from '../../src/protocol/app-config.ts'
import {
  abandonPurchase,
  getFundingQuotes,
  getPurchase,
  listPurchases,
  openPurchase,
  startPurchase,
} from '../../src/protocol/funding.ts'
import { createHttp, type Http } from '../../src/protocol/http.ts'
import { testClock } from '../support/clock.ts'

function serverThat(answers: unknown, status = 200): { http: Http; sent: { url: string; body: unknown }[] } {
  const sent: { url: string; body: unknown }[] = []
  const http = createHttp({
    base: 'https://api.example',
    appId: 'app',
    clientId: undefined,
    analyticsId: () => '',
    tokens: () => undefined,
    clock: testClock(),
    fetch: async (url, init) => {
      sent.push({ url: String(url), body: init?.body ? JSON.parse(String(init.body)) : undefined })
      return Response.json(answers, { status })
    },
  })
  return { http, sent }
}
const purchase = {
  id: 'lk1',
  provider: 'moonpay',
  name: 'MoonPay',
  method: 'card',
  status: 'completed',
  is_sandbox: true,
  address: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
  chain: 'eip155:8453',
  asset: 'native-currency',
  symbol: 'ETH',
  amount: '0.05',
  received: '0.05',
  currency: 'USD',
  total: '153.3',
  fee: '3.3',
  transaction_hash: '0xab',
  created_at: 1_768_478_400,
  updated_at: 1_768_478_401,
}
const quote = {
  provider: 'moonpay',
  name: 'MoonPay',
  method: 'card',
  opens: 'url',
  is_sandbox: true,
  receives: { amount: '0.05', symbol: 'ETH' },
  total: '153.3',
  fee: '3.3',
  currency: 'USD',
  seconds: 300,
  countries: ['US', 'nowhere'],
  missing: [],
}
const opening = {
  kind: 'popup',
  url: 'https://pay.example/',
  width: 440,
  height: 680,
  expires_at: 1_768_478_700,
}
const request = {
  address: purchase.address,
  chain: 'eip155:8453',
  asset: 'native-currency',
  amount: '0.05',
} as const

describe('funding calls', () => {
  test('quotes: rows that a newer server has changed are left out, the others are read', async () => {
    const { http, sent } = serverThat({
      quotes: [
        quote,
        { ...quote, opens: 'hologram' },
        { ...quote, receives: { amount: '1e5', symbol: 'ETH' } },
      ],
      unavailable: [{ provider: 'coinbase-onramp', reason: 'amount-too-low', least: '0.01' }, 7],
      price: { usd: 3000, at: 1_768_478_400 },
    })
    const found = await getFundingQuotes(http, { ...request, method: 'card' })
    expect(sent).toEqual([
      { url: 'https://api.example/api/v1/funding/quotes', body: { ...request, method: 'card' } },
    ])
    expect(found.quotes).toMatchObject([
      { provider: 'moonpay', isSandbox: true, total: '153.3', countries: ['US'], missing: [] },
    ])
    expect(found.unavailable).toMatchObject([{ name: 'coinbase-onramp', least: '0.01' }])
    expect(found.price).toEqual({ usd: 3000, at: new Date('2026-01-15T12:00:00Z') })
  })

  test('start: times and names go out as the protocol has them', async () => {
    const { http, sent } = serverThat({ purchase, opening })
    const started = await startPurchase(http, {
      ...request,
      reference: 'ref',
      provider: 'moonpay',
      method: 'card',
      expectedTotal: '153.30',
      accentColor: '#123456',
      returnUrl: 'https://app.example/',
      termsAcceptedAt: new Date(1_768_478_400_500),
    })
    expect(sent[0]?.body).toEqual({
      ...request,
      reference: 'ref',
      provider: 'moonpay',
      method: 'card',
      expected_total: '153.30',
      accent_color: '#123456',
      return_url: 'https://app.example/',
      terms_accepted_at: 1_768_478_400,
    })
    expect(started.opening).toMatchObject({ kind: 'popup', expiresAt: new Date(1_768_478_700_000) })
    expect(started.purchase).toMatchObject({ status: 'completed', transactionHash: '0xab', isSandbox: true })
  })

  test('purchases: each is read at its own path, and one of an unknown status is left out of the list', async () => {
    const list = serverThat({ purchases: [purchase, { ...purchase, status: 'levitating' }], next: '5 lk2' })
    expect(await listPurchases(list.http, { before: '9 lk' })).toMatchObject({
      purchases: [{ id: 'lk1' }],
      next: '5 lk2',
    })
    expect(list.sent[0]?.url).toBe('https://api.example/api/v1/funding/purchases?before=9%20lk')
    const one = serverThat(purchase)
    expect((await getPurchase(one.http, 'a/b')).createdAt).toEqual(new Date('2026-01-15T12:00:00Z'))
    expect(one.sent[0]?.url).toBe('https://api.example/api/v1/funding/purchases/a%2Fb')
    const again = serverThat({ purchase, opening })
    expect((await openPurchase(again.http, 'lk1')).opening.width).toBe(440)
    const left = serverThat({ ...purchase, status: 'abandoned' })
    expect((await abandonPurchase(left.http, 'lk1')).status).toBe('abandoned')
  })

  test.each([
    ['a script', "javascript:alert('x')"],
    ['a path', '/pay'],
    ['data', 'data:text/html,x'],
  ])('opening: an address that is %s is refused', async (_, url) => {
    const { http } = serverThat({ purchase, opening: { ...opening, url } })
    await expect(openPurchase(http, 'lk1')).rejects.toMatchObject({ code: 'malformed_response' })
  })

  test.each([
    [undefined, 1],
    [true, 1],
    [false, 0],
  ])(
    'configuration: with fiat_on_ramp_enabled %s there are %i providers to buy from',
    async (flag, count) => {
      const { http } = serverThat({
        id: 'app',
        fiat_on_ramp_enabled: flag,
        funding_config: { methods: ['moonpay'], providers: [{ id: 'moonpay', methods: ['card'] }] },
      })
      expect((await getAppConfig(http, 'app')).funding?.providers).toHaveLength(count)
    },
  )

  test('configuration: what can be read of the funding settings is, and an app without any has none', async () => {
    const read = async (funding_config: unknown) =>
      (await getAppConfig(serverThat({ id: 'app', funding_config }).http, 'app')).funding
    expect(await read(undefined)).toBeUndefined()
    expect(await read('yes')).toBeUndefined()
    expect(await read({})).toMatchObject({ methods: [], options: [], providers: [], bridge: undefined })
    expect(
      await read({
        default_recommended_currency: { chain: 'eip155:8453', asset: 'gold' },
        default_recommended_amount: '1e5',
        methods: ['moonpay', 4],
        options: [{ method: 'card', provider: 'moonpay' }, { method: 'card' }],
        providers: [{ id: 'moonpay', methods: ['card'], is_sandbox: true }, { name: 'nobody' }],
        bridge: { url: 'https://relay.example', testnet_url: 'https://test.example', protocol: 'teleport' },
      }),
    ).toEqual({
      chain: 'eip155:8453',
      asset: undefined,
      amount: undefined,
      methods: ['moonpay'],
      options: [{ method: 'card', provider: 'moonpay' }],
      promptOnCreation: false,
      bridging: false,
      tokens: [],
      providers: [{ id: 'moonpay', name: 'moonpay', methods: ['card'], isSandbox: true }],
      bridge: { url: 'https://relay.example', testnetUrl: 'https://test.example', protocol: 'quote' },
    })
    const bad = await read({ bridge: { url: 'javascript:x', testnet_url: 'https://t.example' } })
    expect(bad?.bridge).toBeUndefined()
  })

  test('errors: the server’s code and what it adds reach the caller', async () => {
    const { http } = serverThat(
      { error: 'The price has changed.', code: 'quote_changed', data: { total: '160' } },
      400,
    )
    await expect(openPurchase(http, 'lk1')).rejects.toMatchObject({ code: 'quote_changed' })
  })
})
