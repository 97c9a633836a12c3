/** Buying from a provider: quotes, the provider's window or frame, the status that the server says, and purchases that are found again. */
import { describe, expect, test } from 'vitest'
import { createTranslate } from '../../src/copy/copy.ts'
import { createRuns } from '../../src/dialog/runs.ts'
import { Closed } from '../../src/dialog/stage.ts'
import { KitError } from '../../src/errors/kit-error.ts'
import { type BuyingOptions, buying } from '../../src/funding/card/flow.ts'
import { readOffers } from '../../src/funding/card/offers.ts'
import { showPurchase, unfinished } from '../../src/funding/card/purchases.ts'
import { createReferences } from '../../src/funding/card/references.ts'
import { createPurchaseService, type PurchaseService } from '../../src/funding/card/service.ts'
import { fund } from '../../src/funding/flow.ts'
import type { FundingTarget } from '../../src/funding/target.ts'
import { memoryStorage } from '../../src/lib/storage.ts'
import type { FundingSettings } from '../../src/protocol/app-config.ts'
import type { FundingQuote, FundingQuotes, Purchase, PurchaseOpening } from '../../src/protocol/funding.ts'
import { testClock } from '../support/clock.ts'
import { testPage } from '../support/page.ts'
import { type Step, scriptedPerson } from '../support/person.ts'

const address = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const target: FundingTarget = {
  address,
  chain: 'eip155:8453',
  network: 'Base',
  chainType: 'ethereum',
  asset: 'native-currency',
  symbol: 'ETH',
  decimals: 18,
  amount: 20_000_000_000_000_000n,
}
const settings: FundingSettings = {
  chain: 'eip155:8453',
  asset: 'native-currency',
  amount: '0.02',
  methods: ['moonpay', 'coinbase-onramp', 'external'],
  options: [
    { method: 'card', provider: 'moonpay' },
    { method: 'card', provider: 'coinbase' },
    { method: 'exchange', provider: 'coinbase' },
  ],
  promptOnCreation: false,
  bridging: false,
  tokens: [],
  providers: [
    { id: 'moonpay', name: 'MoonPay', methods: ['card', 'bank-transfer'], isSandbox: true },
    {
      id: 'coinbase-onramp',
      name: 'Coinbase',
      methods: ['card', 'exchange', 'apple-pay'],
      isSandbox: true,
    },
  ],
  bridge: undefined,
}
const quoteOf = (over: Partial<FundingQuote> = {}): FundingQuote => ({
  provider: 'moonpay',
  name: 'MoonPay',
  method: 'card',
  opens: 'url',
  isSandbox: true,
  receives: { amount: '0.02', symbol: 'ETH' },
  total: '61.5',
  fee: '1.5',
  currency: 'USD',
  countries: [],
  missing: [],
  ...over,
})
const byCoinbase = { provider: 'coinbase-onramp', name: 'Coinbase', opens: 'popup' } as const
const quotes: readonly FundingQuote[] = [
  quoteOf(),
  quoteOf({ ...byCoinbase, total: '60.9' }),
  quoteOf({ ...byCoinbase, method: 'exchange', total: undefined, fee: undefined }),
  quoteOf({
    ...byCoinbase,
    method: 'apple-pay',
    opens: 'frame',
    termsUrl: 'https://provider.example/terms',
  }),
]
const at = new Date('2026-01-01T00:00:00Z')
const purchaseOf = (over: Partial<Purchase> = {}): Purchase => ({
  id: 'lk1',
  provider: 'moonpay',
  name: 'MoonPay',
  method: 'card',
  status: 'started',
  isSandbox: true,
  address,
  chain: target.chain,
  asset: 'native-currency',
  symbol: 'ETH',
  amount: '0.02',
  currency: 'USD',
  createdAt: at,
  updatedAt: at,
  ...over,
})

type Reply<T> = T | KitError | ((now: number) => T | KitError)
const refusal = (code: KitError['code'], data?: unknown, status = 400) =>
  new KitError(code, 'Refused', { data, status })

/** A window that the test sees go somewhere, and closes. */
function fakeWindow() {
  const visited: string[] = []
  const opened = {
    closed: false,
    visited,
    location: { replace: (url: string) => void visited.push(url) },
    close() {
      opened.closed = true
    },
  }
  return opened
}
type FakeWindow = ReturnType<typeof fakeWindow>

function setUp({
  kind = 'card',
  hasAmount = true,
  quoted = [{ quotes, unavailable: [] }],
  statuses = [],
  starts = [],
  opens = true,
  opening,
  verify = () => undefined,
  listed = [],
  direct = true,
  over = {},
}: {
  kind?: 'card' | 'exchange'
  /** Whether an amount is proposed. */
  hasAmount?: boolean
  /** Answers to requests for quotes; the last one is repeated. */
  quoted?: readonly Reply<FundingQuotes>[]
  /** Answers to questions about the status; the last one is repeated. */
  statuses?: readonly Reply<Partial<Purchase>>[]
  /** Failures of the first starts. */
  starts?: readonly KitError[]
  /** Whether the browser opens windows. */
  opens?: boolean
  opening?: Partial<PurchaseOpening>
  verify?: BuyingOptions['verify']
  listed?: readonly Purchase[]
  /** Begins with the method itself; otherwise with all of them. */
  direct?: boolean
  over?: Partial<FundingSettings>
} = {}) {
  const clock = testClock()
  const start = clock.now()
  const person = scriptedPerson(clock)
  const windows: FakeWindow[] = []
  const runs = createRuns({
    clock,
    makeSurface: () => person.surface,
    openWindow() {
      if (!opens) return null
      windows.push(fakeWindow())
      return windows.at(-1) as unknown as Window
    },
  })
  const reply = <T>(list: readonly Reply<T>[], turn: number): T => {
    const next = list[Math.min(turn, list.length - 1)]
    const value = typeof next === 'function' ? (next as (now: number) => T | KitError)(clock.now()) : next
    if (value instanceof KitError || value === undefined) throw value ?? new Error('No reply')
    return value
  }
  const told: KitError[] = []
  const tracked: (readonly [string, object | undefined])[] = []
  const readAt: number[] = []
  const quotedAt: number[] = []
  const orders: Parameters<PurchaseService['start']>[0][] = []
  const reopened: string[] = []
  const settled: string[] = []
  let current = purchaseOf()
  const purchases: PurchaseService = {
    async quotes() {
      quotedAt.push(clock.now() - start)
      return reply(quoted, quotedAt.length - 1)
    },
    async start(order) {
      orders.push(order)
      const failure = starts[orders.length - 1]
      if (failure) throw failure
      const quote = quotes.find((each) => each.provider === order.provider && each.method === order.method)
      current = purchaseOf({
        ...current,
        provider: order.provider,
        method: order.method,
        name: quote?.name ?? '',
      })
      return {
        purchase: current,
        opening: { kind: quote?.opens ?? 'url', url: 'https://provider.example/buy', ...opening },
      }
    },
    async read() {
      readAt.push(clock.now() - start)
      current = { ...current, ...reply(statuses, readAt.length - 1) }
      return current
    },
    async reopen(id) {
      reopened.push(id)
      return {
        purchase: current,
        opening: {
          kind: 'url',
          ...opening,
          url: `https://provider.example/again/${reopened.length}`,
          ...(opening?.expiresAt && { expiresAt: new Date(clock.now() + 300_000) }),
        },
      }
    },
    async abandon(id) {
      return purchaseOf({ id, status: 'abandoned' })
    },
    list: async () => ({ purchases: listed }),
    settle: (id) => void settled.push(id),
  }
  const context = (stage: unknown) =>
    ({
      stage,
      clock,
      page: testPage(),
      config: { theme: 'dark', accent: '#5B5BD6', host: {}, app: {} },
      t: createTranslate(),
      report: (error: KitError) => void told.push(error),
      track: (name: string, payload?: object) => void tracked.push([name, payload]),
    }) as never
  const offers = readOffers({ ...settings, ...over }, kind)
  if (!offers) throw new Error('Nothing is offered')
  const wanted = { ...target, amount: hasAmount ? target.amount : undefined }
  const work = runs
    .run('fund', {}, (stage) =>
      fund(context(stage), {
        target: wanted,
        methods: { [kind]: buying({ purchases, offers, verify }) },
        first: direct ? kind : undefined,
        readBalance: async () => 5n,
        cardProviders: {
          current: () => offers.preferred().name,
          hasOther: offers.providers.length > 1,
          tryNext: offers.tryNext,
        },
        unfinished: {
          list: async () =>
            unfinished((await purchases.list()).purchases, wanted, clock.now()).map((each) => ({
              id: each.id,
              amount: each.amount ?? '',
              provider: each.name,
              when: '',
              state: each.status,
              tone: 'plain' as const,
            })),
          async resume(cx, id) {
            current = listed.find((each) => each.id === id) ?? current
            return showPurchase(cx, { purchases, target: wanted }, current)
          },
        },
      }),
    )
    .then(
      (value) => ({ value: value === 'back' ? undefined : value, error: undefined }),
      (error: { code: string }) => ({ value: undefined, error }),
    )
  return {
    clock,
    person,
    windows,
    told,
    tracked,
    readAt,
    quotedAt,
    orders,
    reopened,
    settled,
    async run(script: readonly Step[]) {
      await person.follow(script)
      return work
    },
  }
}
const on =
  (screen: string) =>
  (expected: object): Step => ({ on: screen, expect: (props) => expect(props).toMatchObject(expected) })
const quotesShow = on('funding-quotes')
const statusShows = on('funding-status')
const methodsShow = on('funding-method')
const startMoonpay: Step = ['funding-quotes', { start: 'moonpay card' }]
const startCoinbase: Step = ['funding-quotes', { start: 'coinbase-onramp card' }]
const leave: Step = { on: 'funding-method', close: true }
const pending = { status: 'pending' } as const
const completed = { status: 'completed', received: '0.02', transactionHash: '0xabc' } as const

describe('quotes', () => {
  test('quotes: those of all offered providers stand side by side, the preferred one first chosen', async () => {
    const { run } = setUp()
    await run([
      { wait: 0 },
      quotesShow({
        state: 'ready',
        amount: '0.02 ETH',
        first: 'moonpay card',
        quotes: [
          { key: 'moonpay card', total: '$61.50', fee: '$1.50', receives: '0.02 ETH', isBest: false },
          { key: 'coinbase-onramp card', total: '$60.90', isBest: true },
          { key: 'coinbase-onramp apple-pay', termsUrl: 'https://provider.example/terms' },
        ],
      }),
      ['funding-quotes', 'back'],
      leave,
    ])
  })

  test('quotes: an exchange has its own, without a price that only it knows', async () => {
    const { run } = setUp({ kind: 'exchange' })
    await run([
      { wait: 0 },
      quotesShow({ quotes: [{ key: 'coinbase-onramp exchange', total: undefined }] }),
      ['funding-quotes', 'back'],
      leave,
    ])
  })

  test('quotes: they are renewed after a minute, sooner where they expire sooner, and not for ever', async () => {
    const soon = (now: number): FundingQuotes => ({
      quotes: [quoteOf({ expiresAt: new Date(now + 30_000) })],
      unavailable: [],
    })
    const { run, quotedAt, clock } = setUp({
      quoted: [{ quotes, unavailable: [] }, soon, { quotes, unavailable: [] }],
    })
    await run([
      { wait: 90_000 },
      quotesShow({ state: 'ready' }),
      { wait: 30 * 60_000 },
      quotesShow({ state: 'old' }),
      ['funding-quotes', 'retry'],
      { wait: 0 },
      quotesShow({ state: 'ready' }),
      ['funding-quotes', 'back'],
      leave,
    ])
    expect(quotedAt.slice(0, 3)).toEqual([0, 60_000, 90_000])
    expect(quotedAt).toHaveLength(1 + 20 + 1)
    await clock.advance(10_000)
    expect(clock.sleeping).toBe(0)
  })

  test('quotes: a server that does not answer is said, and is asked again at a press', async () => {
    const { run } = setUp({
      quoted: [refusal('network_unavailable', undefined, 503), { quotes, unavailable: [] }],
    })
    await run([
      { wait: 0 },
      quotesShow({ state: 'failed', error: "The prices can't be loaded at the moment. Please try again." }),
      ['funding-quotes', 'retry'],
      { wait: 0 },
      quotesShow({ state: 'ready', error: undefined }),
      ['funding-quotes', 'back'],
      leave,
    ])
  })

  test('quotes: providers that sell nothing of it say why', async () => {
    const unavailable = [
      { provider: 'moonpay', name: 'MoonPay', reason: 'amount-too-low', least: '0.007' },
      { provider: 'coinbase-onramp', name: 'Coinbase', reason: 'not-supported' },
      { provider: 'stranger', name: 'Stranger', reason: 'region' },
    ]
    const { run } = setUp({ quoted: [{ quotes: [], unavailable }] })
    await run([
      { wait: 0 },
      quotesShow({
        quotes: [],
        unavailable: [
          { provider: 'MoonPay', reason: 'Sells 0.007 ETH or more' },
          { provider: 'Coinbase', reason: 'Unsupported chainId 8453 for Coinbase Onramp' },
        ],
      }),
      ['funding-quotes', 'edit'],
      ['funding-amount', { amount: '0.5' }],
      quotesShow({ amount: '0.5 ETH' }),
      ['funding-quotes', 'back'],
      leave,
    ])
  })

  test('quotes: an amount is asked for first where none is proposed, and going back leads to it', async () => {
    const { run } = setUp({ hasAmount: false })
    await run([
      ['funding-amount', { amount: '0.5' }],
      ['funding-quotes', 'back'],
      { on: 'funding-amount', expect: (props) => expect(props.filled).toEqual({ text: '0.5' }) },
      ['funding-amount', 'back'],
      leave,
    ])
  })

  test('quotes: trying a different provider proposes the next one', async () => {
    const { run } = setUp({ direct: false })
    await run([
      methodsShow({ provider: 'MoonPay', hasOtherProvider: true }),
      ['funding-method', 'other-provider'],
      methodsShow({ provider: 'Coinbase' }),
      ['funding-method', 'card'],
      { wait: 0 },
      quotesShow({ first: 'coinbase-onramp card' }),
      ['funding-quotes', 'back'],
      leave,
    ])
  })

  test('offers: options, methods and providers decide together, and unknown ones are left out', () => {
    const ids = (over: Partial<FundingSettings>, kind: 'card' | 'exchange' = 'card') =>
      readOffers({ ...settings, ...over }, kind)?.providers.map(({ id }) => id)
    expect(ids({})).toEqual(['moonpay', 'coinbase-onramp'])
    expect(ids({ options: [] })).toEqual(['moonpay', 'coinbase-onramp'])
    expect(ids({ options: [...settings.options].reverse() })).toEqual(['coinbase-onramp', 'moonpay'])
    expect(ids({ methods: ['moonpay'] })).toEqual(['moonpay'])
    expect(ids({ methods: ['external'] })).toBeUndefined()
    expect(ids({ options: [{ method: 'wallets', provider: '' }] })).toBeUndefined()
    expect(ids({ options: [{ method: 'teleport', provider: 'moonpay' }] })).toBeUndefined()
    expect(ids({}, 'exchange')).toEqual(['coinbase-onramp'])
    expect(ids({ providers: [] }, 'exchange')).toBeUndefined()
    const requests = readOffers(
      { ...settings, options: [{ method: 'payment-request', provider: 'coinbase' }] },
      'card',
    )
    expect(requests?.allows({ provider: 'coinbase-onramp', method: 'card' })).toBe(false)
    expect(requests?.allows({ provider: 'coinbase-onramp', method: 'apple-pay' })).toBe(true)
  })
})

test('offers: a provider is offered for what it sells alone', () => {
  const sells = [
    { chain: 'eip155:1', asset: 'native-currency' },
    { chain: 'eip155:8453', asset: 'USDC' },
  ]
  const [first, ...others] = settings.providers
  const providers = [
    { ...first, sells } as (typeof settings.providers)[number],
    ...others.map((each) => ({ ...each, sells: [] })),
  ]
  const idsOn = (chain: string, asset: string, known = providers) =>
    readOffers({ ...settings, providers: known }, 'card', { chain, asset })?.providers.map(({ id }) => id)
  expect(idsOn('eip155:1', 'native-currency')).toEqual([first?.id])
  expect(idsOn('eip155:8453', 'USDC')).toEqual([first?.id])
  for (const [chain, asset] of [
    ['eip155:59144', 'native-currency'],
    ['eip155:59144', 'USDC'],
    ['eip155:8453', 'native-currency'],
    ['eip155:1', 'USDC'],
    ['eip155:11155111', 'native-currency'],
    ['eip155:100', 'native-currency'],
    ['eip155:56', 'native-currency'],
    ['solana:devnet', 'native-currency'],
    ['solana:mainnet', 'USDC'],
    ['toString', 'USDC'],
  ] as const)
    expect(idsOn(chain, asset)).toBeUndefined()
  // An older server says nothing of it.
  expect(idsOn('eip155:59144', 'USDC', [...settings.providers])).toEqual(['moonpay', 'coinbase-onramp'])
})

describe('start', () => {
  test('start: the order is what was shown, with the look of the app and when terms were accepted', async () => {
    const { run, orders, windows, clock } = setUp({ statuses: [completed] })
    await run([
      ['funding-quotes', { start: 'coinbase-onramp apple-pay' }],
      { wait: 5_000 },
      ['funding-status', 'close'],
    ])
    expect(orders[0]).toEqual({
      address,
      chain: 'eip155:8453',
      asset: 'native-currency',
      amount: '0.02',
      currency: 'USD',
      provider: 'coinbase-onramp',
      method: 'apple-pay',
      expectedTotal: '61.5',
      theme: 'dark',
      accentColor: '#5B5BD6',
      language: 'en-GB',
      returnUrl: 'https://host.example/',
      termsAcceptedAt: new Date(clock.now() - 5_000),
    })
    expect(windows).toEqual([])
  })

  test.each([
    ['quote_changed', { total: '70' }, 'The price has changed. Please check it again.'],
    ['provider_refused', { reason: 'region' }, "MoonPay: Isn't available where you are"],
    ['provider_refused', undefined, "MoonPay: Isn't available at the moment"],
    ['contact_not_verified', { missing: ['phone'] }, 'Needs a phone number that was verified lately'],
    ['not_supported', undefined, "MoonPay: Doesn't sell ETH on Base"],
  ] as const)('start: %s with %j is said, and the quotes are asked for again', async (code, data, notice) => {
    const { run, windows, told, quotedAt } = setUp({ starts: [refusal(code, data)], statuses: [completed] })
    const { value } = await run([
      startMoonpay,
      { wait: 0 },
      quotesShow({ notice }),
      startMoonpay,
      { wait: 8_000 },
      ['funding-status', 'close'],
    ])
    expect(value?.status).toBe('completed')
    expect(windows.map(({ closed }) => closed)).toEqual([true, true])
    expect(told.map((each) => each.code)).toEqual([code])
    expect(quotedAt.length).toBeGreaterThan(1)
  })

  test.each([
    ['too_many_requests', 'Too many attempts. Please wait a minute and try again.'],
    [
      'network_unavailable',
      'Something went wrong adding funds from Moonpay. Please try again or use another method to fund your wallet.',
    ],
  ] as const)('start: %s leaves the quotes as they are', async (code, error) => {
    const { run, windows } = setUp({ starts: [refusal(code)] })
    await run([startMoonpay, { wait: 0 }, quotesShow({ error }), ['funding-quotes', 'back'], leave])
    expect(windows[0]?.closed).toBe(true)
  })

  test('start: a missing contact is verified first, and turning back from that changes nothing', async () => {
    const missing = [quoteOf({ ...byCoinbase, method: 'apple-pay', opens: 'frame', missing: ['phone'] })]
    const asked: string[] = []
    let turns = 0
    const { run, windows, told } = setUp({
      quoted: [
        { quotes: missing, unavailable: [] },
        { quotes: missing, unavailable: [] },
        { quotes, unavailable: [] },
      ],
      verify: (_, contact) => {
        asked.push(contact)
        return turns++ === 0 ? Promise.reject(new Closed('Back')) : Promise.resolve()
      },
    })
    const verify: Step = ['funding-quotes', { verify: 'phone', for: 'coinbase-onramp apple-pay' }]
    await run([
      { wait: 0 },
      verify,
      { wait: 0 },
      quotesShow({ quotes: [{ missing: ['phone'] }] }),
      verify,
      { wait: 0 },
      quotesShow({ first: 'coinbase-onramp apple-pay', quotes: [{ missing: [] }, {}, {}] }),
      ['funding-quotes', 'back'],
      leave,
    ])
    expect(asked).toEqual(['phone', 'phone'])
    expect(told).toEqual([])
    expect(windows).toEqual([])
  })

  test('start: an app that can not verify a contact says so', async () => {
    const { run } = setUp()
    await run([
      ['funding-quotes', { verify: 'phone', for: 'coinbase-onramp apple-pay' }],
      { wait: 0 },
      quotesShow({ error: "This app can't verify that. Please choose another provider." }),
      ['funding-quotes', 'back'],
      leave,
    ])
  })

  test('start: analytics say which provider, how much, and how it ended', async () => {
    const { run, tracked } = setUp({ statuses: [completed], kind: 'exchange' })
    await run([
      ['funding-quotes', { start: 'coinbase-onramp exchange' }],
      { wait: 5_000 },
      ['funding-status', 'close'],
    ])
    const payload = { provider: 'coinbase-exchange', value: '0.02', chainType: 'ethereum', chainId: '8453' }
    expect(tracked).toEqual([
      ['sdk_fiat_on_ramp_started', payload],
      ['sdk_fiat_on_ramp_completed_with_status', { ...payload, status: 'success' }],
    ])
  })
})

describe('status', () => {
  test('MoonPay: the first question comes after 8 s and then every 3 s, up to the success', async () => {
    const { run, readAt, windows, settled } = setUp({
      statuses: [{}, pending, pending, completed],
    })
    const { value } = await run([
      startMoonpay,
      statusShows({ phase: 'window', provider: 'MoonPay', amount: '0.02 ETH' }),
      { wait: 11_000 },
      statusShows({ phase: 'processing' }),
      { wait: 6_000 },
      statusShows({ phase: 'done', hash: '0xabc' }),
      ['funding-status', 'close'],
    ])
    expect(readAt).toEqual([8_000, 11_000, 14_000, 17_000])
    expect(value).toEqual({
      method: 'card',
      status: 'completed',
      received: 20_000_000_000_000_000n,
      transactionHash: '0xabc',
      purchase: { id: 'lk1', provider: 'moonpay', isSandbox: true },
    })
    expect(windows[0]?.visited).toEqual(['https://provider.example/buy'])
    expect(settled).toContain('lk1')
  })

  test('Coinbase: the first question comes after 5 s and then every 1.5 s', async () => {
    const { run, readAt } = setUp({ statuses: [{}, {}, pending, completed] })
    await run([startCoinbase, { wait: 9_500 }, statusShows({ phase: 'done' }), ['funding-status', 'close']])
    expect(readAt).toEqual([5_000, 6_500, 8_000, 9_500])
  })

  test('status: a card whose bank asks is processed; a transfer for which a bank asks goes on there', async () => {
    const asked = { status: 'waiting-authorization' } as const
    const card = setUp({ statuses: [asked, { ...asked, method: 'bank-transfer' }] })
    await card.run([
      startMoonpay,
      { wait: 8_000 },
      statusShows({ phase: 'processing' }),
      ['funding-status', 'close'],
    ])
    const transfer = setUp({ statuses: [{ ...asked, method: 'bank-transfer' }] })
    await transfer.run([
      startMoonpay,
      { wait: 8_000 },
      statusShows({ phase: 'bank' }),
      ['funding-status', 'close'],
    ])
  })

  test('status: a bank transfer is waited for without an end, less and less often, and then no more', async () => {
    const { run, readAt, clock } = setUp({ statuses: [{ status: 'waiting-payment' }] })
    const { value } = await run([
      startMoonpay,
      { wait: 3 * 60 * 60_000 },
      statusShows({ phase: 'processing' }),
      ['funding-status', 'close'],
    ])
    expect(value?.status).toBe('submitted')
    const last = readAt.at(-1) ?? 0
    expect(last).toBeLessThanOrEqual(2 * 60 * 60_000 + 30_000)
    expect(last - (readAt.at(-2) ?? 0)).toBe(30_000)
    await clock.advance(10_000)
    expect(clock.sleeping).toBe(0)
  })

  test.each([
    [
      startMoonpay,
      'Something went wrong adding funds from Moonpay. Please try again or use another method to fund your wallet.',
    ],
    [startCoinbase, 'There was an error completing Coinbase Onramp flow.'],
  ])('status: a failed purchase leads back to the methods, which say so', async (begin, error) => {
    const { run, told, tracked, windows } = setUp({ statuses: [{ status: 'failed', failure: 'declined' }] })
    await run([begin, { wait: 8_000 }, methodsShow({ error }), leave])
    expect(told[0]).toMatchObject({ code: 'provider_refused', details: 'declined' })
    expect(tracked.at(-1)).toMatchObject(['sdk_fiat_on_ramp_completed_with_status', { status: 'failure' }])
    expect(windows[0]?.closed).toBe(true)
  })

  test('status: three errors in a row are a failure of the service, two are none', async () => {
    const down = refusal('network_unavailable', undefined, 503)
    const { run, readAt } = setUp({ statuses: [down, down, {}, down, down, down] })
    await run([
      startMoonpay,
      { wait: 20_000 },
      statusShows({ phase: 'window' }),
      { wait: 3_000 },
      methodsShow({
        error:
          'Something went wrong adding funds from Moonpay. Please try again or use another method to fund your wallet.',
      }),
      leave,
    ])
    expect(readAt).toHaveLength(6)
  })

  test('status: a purchase that the server has not heard of yet is no error', async () => {
    const missing = refusal('invalid_data', undefined, 404)
    const { run } = setUp({ statuses: [missing, missing, missing, missing, missing, completed] })
    const { value } = await run([startMoonpay, { wait: 23_000 }, ['funding-status', 'close']])
    expect(value?.status).toBe('completed')
  })

  test('status: a card that was declined before does not end another attempt', async () => {
    const later = new Date(at.getTime() + 60_000)
    const before = { status: 'failed' } as const
    const { run } = setUp({
      listed: [],
      statuses: [before, { ...before, updatedAt: later }, completed],
    })
    await run([
      startMoonpay,
      { wait: 8_000 },
      ['funding-method', 'card'],
      // The same purchase, with what is known of it: failed at that time.
      startMoonpay,
      { wait: 5_000 },
      statusShows({ phase: 'window' }),
      { wait: 3_000 },
      methodsShow({}),
      leave,
    ])
  })
})

describe('leaving', () => {
  test('leaving: closing before anything is paid is an exit, and the window stays open', async () => {
    const { run, windows } = setUp({ statuses: [{}] })
    const { error } = await run([startMoonpay, { wait: 8_000 }, { on: 'funding-status', close: true }])
    expect(error?.code).toBe('exited_funding_flow')
    expect(windows[0]?.closed).toBe(false)
  })

  test('leaving: closing what is paid is a purchase under way', async () => {
    const { run, settled } = setUp({ statuses: [pending] })
    const { value } = await run([startMoonpay, { wait: 8_000 }, { on: 'funding-status', close: true }])
    expect(value).toMatchObject({ status: 'submitted', received: target.amount })
    expect(settled).toContain('lk1')
  })

  test('leaving: closing the success is as good as its button', async () => {
    const { run } = setUp({ statuses: [completed] })
    const { value } = await run([startMoonpay, { wait: 8_000 }, { on: 'funding-status', close: true }])
    expect(value?.status).toBe('completed')
  })

  test('leaving: going back before paying closes the window and shows the methods', async () => {
    const { run, windows } = setUp({ statuses: [{}] })
    await run([startMoonpay, ['funding-status', 'back'], methodsShow({ error: undefined }), leave])
    expect(windows[0]?.closed).toBe(true)
  })
})

describe('window', () => {
  test('window: a blocked one leaves a link, which is renewed before it expires', async () => {
    const { run, reopened, clock } = setUp({
      opens: false,
      opening: { expiresAt: new Date(testClock().now() + 300_000) },
      statuses: [{}],
    })
    await run([
      startCoinbase,
      statusShows({ phase: 'blocked', link: 'https://provider.example/buy' }),
      { wait: 270_000 },
      statusShows({ phase: 'blocked', link: 'https://provider.example/again/1' }),
      ['funding-status', 'back'],
      leave,
    ])
    expect(reopened).toEqual(['lk1'])
    await clock.advance(10_000)
    expect(clock.sleeping).toBe(0)
  })

  test('window: the purchase goes on by the link', async () => {
    const { run } = setUp({ opens: false, statuses: [{}, pending, completed] })
    const { value } = await run([
      startMoonpay,
      statusShows({ phase: 'blocked' }),
      { wait: 11_000 },
      statusShows({ phase: 'processing' }),
      { wait: 3_000 },
      ['funding-status', 'close'],
    ])
    expect(value?.status).toBe('completed')
  })

  test('window: after its third closing the methods are shown again', async () => {
    const { run, windows, reopened } = setUp({ statuses: [{}] })
    const close: Step = {
      on: 'funding-status',
      expect(props) {
        expect(props.phase).toBe('window')
        windows.at(-1)?.close()
      },
    }
    await run([
      startCoinbase,
      close,
      { wait: 1_000 },
      statusShows({ phase: 'closed' }),
      ['funding-status', 'open'],
      close,
      { wait: 1_000 },
      ['funding-status', 'open'],
      close,
      { wait: 1_000 },
      methodsShow({ error: undefined }),
      leave,
    ])
    expect(windows.map(({ visited }) => visited)).toEqual([
      ['https://provider.example/buy'],
      ['https://provider.example/again/1'],
      ['https://provider.example/again/2'],
    ])
    expect(reopened).toEqual(['lk1', 'lk1'])
  })

  test('window: one that comes back is asked about at once, and does not count as closed', async () => {
    const { run, person, windows, readAt, clock } = setUp({ statuses: [{}, {}, {}, pending, completed] })
    const back = async () => {
      const channel = new BroadcastChannel('lk-purchase')
      const heard = new Promise((resolve) => {
        channel.onmessage = ({ data }) => resolve(data)
      })
      channel.postMessage({ type: 'lk-purchase-returned', purchase: 'lk1' })
      expect(await heard).toEqual({ type: 'lk-purchase-followed', purchase: 'lk1' })
      channel.close()
      windows.at(-1)?.close()
    }
    await person.follow([startCoinbase, statusShows({ phase: 'window' })])
    for (const turn of [1, 2, 3]) {
      const before = readAt.length
      await back()
      await clock.advance(600)
      expect(readAt.length).toBe(before + 1)
      await person.follow([statusShows({ phase: 'closed' }), ['funding-status', 'open']])
      if (turn < 3) await person.follow([statusShows({ phase: 'window' })])
    }
    const { value } = await run([{ wait: 8_000 }, ['funding-status', 'close']])
    expect(value?.status).toBe('completed')
  })

  test('window: a payment made before the window was closed still counts', async () => {
    const { run, windows } = setUp({ statuses: [{}, {}, pending, completed] })
    const { value } = await run([
      startCoinbase,
      { on: 'funding-status', expect: () => windows[0]?.close() },
      { wait: 1_000 },
      statusShows({ phase: 'closed' }),
      { wait: 7_500 },
      statusShows({ phase: 'processing' }),
      { wait: 1_500 },
      ['funding-status', 'close'],
    ])
    expect(value?.status).toBe('completed')
  })
})

describe('frame', () => {
  const begin: Step = ['funding-quotes', { start: 'coinbase-onramp apple-pay' }]
  const say = (frame: object): Step => ['funding-frame', { frame }]
  const frameShows = on('funding-frame')

  test('frame: what it says is displayed, and only the server ends the purchase', async () => {
    const { run } = setUp({ statuses: [{}, {}, pending, completed] })
    const { value } = await run([
      begin,
      frameShows({ state: 'loading', url: 'https://provider.example/buy' }),
      say({ kind: 'loaded' }),
      say({ kind: 'failed', reason: 'declined' }),
      frameShows({ state: 'loaded', problem: 'Your card was declined. Try another one.' }),
      say({ kind: 'canceled' }),
      frameShows({ problem: 'The payment was canceled. You can try it again.' }),
      say({ kind: 'paid' }),
      frameShows({ state: 'loaded', problem: undefined }),
      { wait: 8_000 },
      statusShows({ phase: 'processing' }),
      { wait: 1_500 },
      ['funding-status', 'close'],
    ])
    expect(value?.status).toBe('completed')
  })

  test('frame: one that does not load in time can be loaded again', async () => {
    const { run } = setUp({ statuses: [{}] })
    await run([
      begin,
      { wait: 20_000 },
      frameShows({ state: 'failed' }),
      ['funding-frame', 'retry'],
      frameShows({ state: 'loading', url: 'https://provider.example/again/1' }),
      say({ kind: 'failed', reason: 'unknown' }),
      frameShows({ state: 'failed' }),
      ['funding-frame', 'back'],
      leave,
    ])
  })
})

describe('found again', () => {
  test('unfinished: paid ones and those begun within a day, of this wallet, chain and asset', () => {
    const now = at.getTime() + 60_000
    const old = { createdAt: new Date(now - 25 * 60 * 60_000) }
    const ids = (list: readonly Purchase[]) => unfinished(list, target, now).map(({ id }) => id)
    expect(
      ids([
        purchaseOf({ id: 'a' }),
        purchaseOf({ id: 'b', ...old }),
        purchaseOf({ id: 'c', ...old, status: 'waiting-payment' }),
        purchaseOf({ id: 'd', status: 'completed' }),
        purchaseOf({ id: 'e', status: 'failed' }),
        purchaseOf({ id: 'f', address: '0x0000000000000000000000000000000000000001' }),
        purchaseOf({ id: 'g', chain: 'eip155:1' }),
        purchaseOf({ id: 'h', asset: 'USDC' }),
        purchaseOf({ id: 'i', address: address.toLowerCase() }),
      ]),
    ).toEqual(['a', 'c', 'i'])
  })

  test('found again: one that is not paid is continued in a window of its own press', async () => {
    const { run, windows, reopened } = setUp({
      direct: false,
      listed: [purchaseOf({ id: 'lk9' })],
      statuses: [{}, completed],
    })
    const { value } = await run([
      { wait: 0 },
      methodsShow({ purchases: [{ id: 'lk9', provider: 'MoonPay' }] }),
      ['funding-method', { purchase: 'lk9' }],
      on('funding-purchase')({ status: 'started', actions: ['continue', 'abandon'], inWindow: true }),
      ['funding-purchase', 'continue'],
      { wait: 8_000 },
      ['funding-status', 'close'],
    ])
    expect(value).toMatchObject({ status: 'completed', purchase: { id: 'lk9' } })
    expect(reopened).toEqual(['lk9'])
    expect(windows[0]?.visited).toEqual(['https://provider.example/again/1'])
  })

  test('found again: one that is paid meanwhile is followed and not paid again', async () => {
    const { run, windows, readAt } = setUp({
      direct: false,
      listed: [purchaseOf({ id: 'lk9' })],
      statuses: [pending, pending, completed],
    })
    const { value } = await run([
      { wait: 0 },
      ['funding-method', { purchase: 'lk9' }],
      { wait: 0 },
      statusShows({ phase: 'processing' }),
      { wait: 3_000 },
      ['funding-status', 'close'],
    ])
    expect(value?.status).toBe('completed')
    expect(windows).toEqual([])
    expect(readAt).toEqual([0, 0, 3_000])
  })

  test('found again: discarding leads back to the methods', async () => {
    const { run } = setUp({ direct: false, listed: [purchaseOf({ id: 'lk9' })], statuses: [{}] })
    await run([
      { wait: 0 },
      ['funding-method', { purchase: 'lk9' }],
      ['funding-purchase', 'abandon'],
      methodsShow({ error: undefined }),
      leave,
    ])
  })
})

describe('references', () => {
  const order = {
    provider: 'moonpay',
    method: 'card',
    address,
    chain: 'eip155:8453',
    asset: 'native-currency',
    amount: '0.02',
  } as const
  function browser() {
    const storage = memoryStorage()
    let now = 1_000_000_000_000
    const calls: { path: string; body: Record<string, unknown> }[] = []
    let next: Record<string, unknown> | KitError = {}
    let made = 0
    const http = {
      async call({ path, answer: _ }: { path: string; answer: unknown }, body: Record<string, unknown>) {
        calls.push({ path, body })
        const reply = next
        next = {}
        if (reply instanceof KitError) throw reply
        made++
        return {
          purchase: purchaseOf({ id: `lk-${body.reference ?? path}`, ...reply }),
          opening: { kind: 'url', url: 'https://provider.example/' },
        }
      },
    }
    const open = (user = 'u1') =>
      createPurchaseService({
        http: async () => http as never,
        references: createReferences({ storage, key: 'lk:app:purchases', user, now: () => now }),
      })
    return {
      open,
      storage,
      references: () => calls.filter(({ body }) => body.reference).map(({ body }) => body.reference),
      calls,
      made: () => made,
      pass(ms: number) {
        now += ms
      },
      answer(reply: Record<string, unknown> | KitError) {
        next = reply
      },
    }
  }

  test('references: a lost answer, a reload and another tab find the same purchase', async () => {
    const { open, references, answer } = browser()
    const first = open()
    answer(refusal('network_unavailable', undefined, 503))
    await expect(first.start(order)).rejects.toMatchObject({ code: 'network_unavailable' })
    await first.start(order)
    await open().start(order)
    const all = references()
    expect(all).toHaveLength(3)
    expect(new Set(all).size).toBe(1)
    expect(all[0]).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
  })

  test('references: another amount, another user, a day later, and what is paid are other purchases', async () => {
    const { open, references, pass } = browser()
    const service = open()
    const { purchase } = await service.start(order)
    await service.start({ ...order, amount: '0.03' })
    await open('u2').start(order)
    service.settle(purchase.id)
    await service.start(order)
    pass(24 * 60 * 60_000 + 1)
    await service.start(order)
    expect(new Set(references()).size).toBe(5)
  })

  test('references: a reference that is of another order is replaced once', async () => {
    const { open, references, answer } = browser()
    answer(refusal('resource_conflict'))
    await open().start(order)
    expect(new Set(references()).size).toBe(2)
  })

  test('references: a discarded purchase is begun again, not returned as it was', async () => {
    const { open, calls, answer } = browser()
    answer({ status: 'abandoned', id: 'lk1' })
    await open().start(order)
    expect(calls.at(-1)?.path).toBe('/api/v1/funding/purchases/lk1/open')
  })

  test('references: storage that holds nonsense is no obstacle', async () => {
    for (const text of ['{', '[1,{"user":"u1"}]', '"x"']) {
      const { open, storage, made } = browser()
      storage.set('lk:app:purchases', text)
      await open().start(order)
      expect(made()).toBe(1)
    }
  })
})
