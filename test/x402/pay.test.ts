import { domainSeparator } from 'viem'
import { describe, expect, test } from 'vitest'
import { KitError } from '../../src/errors/kit-error.ts'
import { fakeApprovals } from '../support/approvals.ts'
import { settled, testClock } from '../support/clock.ts'
import { ethereumAccount } from '../support/embedded-kit.ts'
import {
  approved,
  asks,
  asks1,
  buyer,
  caps,
  delivers,
  offer,
  offer1,
  payer,
  seller,
  settledHash,
  settlement,
  shop,
  signerOf,
  terms,
  url,
  usdc,
} from './support.ts'

describe('fetchWithPayment', () => {
  test('a response without status 402 comes back as it is, and nothing is asked or paid', async () => {
    const { fetch, sent, paid } = shop({ answers: [() => new Response('free', { status: 403 })] })
    const { pay, person } = buyer({ fetch })
    const response = await pay()
    expect([response.status, await response.text()]).toEqual([403, 'free'])
    expect(sent).toHaveLength(1)
    expect(paid()).toEqual([])
    expect(person.scene).toBeUndefined()
  })

  test('version 2: the same request goes again with a payment that the token takes, and its response comes back', async () => {
    const extensions = { bazaar: { info: { a: 1 }, schema: {} } }
    const { fetch, sent, paid } = shop({ answers: [() => asks(terms({}, { extensions })), () => delivers()] })
    const { buy, clock } = buyer({ fetch })
    const { response } = await buy(approved, url, {
      method: 'POST',
      body: '{"days":7}',
      headers: { 'x-own': 'a' },
    })
    expect(await response?.json()).toEqual({ tides: 'high' })
    expect(sent.map(({ method, body, headers }) => [method, body, headers.get('x-own')])).toEqual([
      ['POST', '{"days":7}', 'a'],
      ['POST', '{"days":7}', 'a'],
    ])
    const [{ payment, redirect, headers } = {} as never] = paid()
    expect(headers.has('x-payment')).toBe(false)
    expect(redirect).toBe('error')
    expect(payment).toMatchObject({ x402Version: 2, accepted: offer(), resource: { url }, extensions })
    const { authorization } = (payment?.payload ?? {}) as { authorization: Record<string, string> }
    const now = clock.now() / 1_000
    expect(authorization).toMatchObject({ from: payer, to: seller, value: '10000' })
    expect(Number(authorization.validAfter)).toBeLessThanOrEqual(now)
    expect(Number(authorization.validBefore)).toBeGreaterThan(now + 60)
    expect(Number(authorization.validBefore)).toBeLessThanOrEqual(now + 60 + 300)
    expect(await signerOf(payment)).toBe(payer)
  })

  test('version 1: terms in the body are paid by X-PAYMENT, and the settlement is read from X-PAYMENT-RESPONSE', async () => {
    const answer = () =>
      Response.json(
        {},
        { headers: { 'x-payment-response': btoa(JSON.stringify(settlement({ network: 'base' }))) } },
      )
    const { fetch, paid } = shop({ answers: [() => asks1(), answer] })
    const { buy, activity, clock } = buyer({ fetch })
    const { response } = await buy()
    expect(response?.status).toBe(200)
    const [{ payment, headers } = {} as never] = paid()
    expect(headers.has('payment-signature')).toBe(false)
    expect(payment).toMatchObject({ x402Version: 1, scheme: 'exact', network: 'base' })
    expect(await signerOf(payment)).toBe(payer)
    await clock.advance(0)
    expect(activity.get()).toMatchObject([{ hash: settledHash }])
  })

  test('the review names the seller, its words, the amount, the token, the network, the recipient and what is left', async () => {
    const { fetch } = shop()
    const { buy } = buyer({ fetch })
    const seen: Record<string, unknown>[] = []
    await buy([{ on: 'approve-payment', expect: (props) => seen.push(props), answer: 'sign' }])
    expect(seen).toMatchObject([
      {
        origin: 'https://host.example',
        address: payer,
        seller: 'https://api.tides.example',
        description: 'Tides of the next seven days',
        amount: 10_000n,
        asset: { symbol: 'USDC', decimals: 6 },
        token: usdc,
        network: 'Base',
        recipient: seller,
        left: ['$4.99'],
      },
    ])
    expect(seen[0]).not.toHaveProperty('withoutReview')
  })

  test('a strict app: the vault reviews the signed transfer, and the page displays no screen of its own', async () => {
    const { fetch, paid } = shop()
    const approvals = fakeApprovals((_, request) => {
      const { typedData } = request as { typedData: Record<string, never> }
      signing = ethereumAccount.signTypedData(typedData as never)
      return undefined
    })
    let signing: Promise<string> | undefined
    const { pay, person } = buyer({ fetch, approvals, x402: { ...caps, skipsReviews: true } })
    const response = pay()
    response.catch(() => {})
    await settled()
    await expect.poll(() => approvals.requests().length).toBe(1)
    const [[purpose, request] = [] as never] = approvals.requests()
    expect(purpose).toBe('sign')
    expect(request).toMatchObject({
      kind: 'typedData',
      chainId: 8453,
      typedData: {
        primaryType: 'TransferWithAuthorization',
        domain: { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: usdc },
        message: { from: payer, to: seller, value: '10000' },
      },
    })
    expect(signing).toBeDefined()
    expect(person.trace()).not.toContain('approve-payment')
    expect(paid()).toEqual([])
    person.close()
    await expect(response).rejects.toMatchObject({ code: 'unable_to_sign' })
  })

  test('the payment is in the activity with the transaction that the network has', async () => {
    const { fetch } = shop()
    const { buy, activity, clock } = buyer({ fetch })
    await buy()
    await clock.advance(0)
    expect(activity.get()).toMatchObject([
      {
        chain: 'eip155:8453',
        wallet: payer,
        hash: settledHash,
        title: 'transfer',
        to: seller,
        amount: '10000',
        asset: { symbol: 'USDC', decimals: 6 },
        status: 'confirmed',
        block: '101',
      },
    ])
  })

  test('a payment of which the seller says nothing is found on its network later, also after the page was loaded again', async () => {
    let isSettled = false
    const { fetch } = shop({ answers: [() => asks(), () => new Response('yes')], isSettled: () => isSettled })
    const first = buyer({ fetch })
    await first.buy()
    await first.clock.advance(10_000)
    expect(first.activity.get()).toEqual([])
    first.close()
    isSettled = true
    const next = buyer({ fetch, storage: first.storage, clock: testClock(first.clock.now()) })
    await expect.poll(() => next.activity.get()).toMatchObject([{ hash: settledHash }])
  })

  test('a seller that names another transaction doesn’t bring it into the activity', async () => {
    const lie = `0x${'11'.repeat(32)}`
    const { fetch } = shop({ answers: [() => asks(), () => delivers(settlement({ transaction: lie }))] })
    const { buy, activity, clock } = buyer({ fetch })
    await buy()
    await clock.advance(0)
    expect(activity.get().map(({ hash }) => hash)).toEqual([settledHash])
  })

  test('the first offer that can be paid is taken, whatever stands before it', async () => {
    const accepts = [
      offer({ scheme: 'upto' }),
      { scheme: 'exact', network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' },
      offer({ amount: '1000000' }),
      offer({ amount: '20000' }),
    ]
    const { fetch, paid } = shop({ answers: [() => asks(terms({}, { accepts })), () => delivers()] })
    const { buy } = buyer({ fetch })
    await buy()
    expect(paid()[0]?.payment?.accepted).toEqual(offer({ amount: '20000' }))
  })

  test('the user rejects a payment: nothing is sent, and the day’s cap is as before', async () => {
    const { fetch, paid } = shop({ answers: [() => asks()] })
    const { buy } = buyer({ fetch, x402: { perPayment: { usd: 1 }, perDay: { usd: 0.01 } } })
    expect((await buy([['approve-payment', 'cancel']])).error).toMatchObject({ code: 'unable_to_sign' })
    expect((await buy([['approve-payment', 'cancel']])).error).toMatchObject({ code: 'unable_to_sign' })
    expect(paid()).toEqual([])
  })

  test('a payment that was approved after its authorization’s time is not sent', async () => {
    const { fetch, paid } = shop({ answers: [() => asks()] })
    const { buy } = buyer({ fetch })
    const { error } = await buy([{ on: 'approve-payment' }, { wait: 360_000 }, ['approve-payment', 'sign']])
    expect(error).toMatchObject({ code: 'client_request_timeout', retryable: true })
    expect(paid()).toEqual([])
  })
})

describe('caps', () => {
  test.each([
    ['no settings', 'off', 'payment_not_enabled'],
    ['no caps', {}, 'payment_cap_missing'],
    ['none per day', { perPayment: { usd: 1 } }, 'payment_cap_missing'],
    ['none per payment', { perDay: { usd: 1 } }, 'payment_cap_missing'],
    [
      'those of another asset',
      { perPayment: { assets: { [`eip155:1/erc20:${usdc}`]: 5n } }, perDay: { usd: 1 } },
      'payment_cap_missing',
    ],
    ['an empty one', { perPayment: {}, perDay: { usd: 1 } }, 'invalid_request_arguments'],
    ['one below zero', { perPayment: { usd: -1 }, perDay: { usd: 1 } }, 'invalid_request_arguments'],
    [
      'one that is no number',
      { perPayment: { usd: Number.NaN }, perDay: { usd: 1 } },
      'invalid_request_arguments',
    ],
    [
      'an asset that is none',
      { perPayment: { assets: { USDC: 5n } }, perDay: { usd: 1 } },
      'invalid_request_arguments',
    ],
  ] as const)('with %s nothing is paid', async (_, x402, code) => {
    const { fetch, paid } = shop({ answers: [() => asks()] })
    const { pay } = buyer({ fetch, x402: x402 as never })
    await expect(pay()).rejects.toMatchObject({ code })
    expect(paid()).toEqual([])
  })

  test.each([
    ['dollars', { usd: 0.009 }, { per: 'payment', unit: 'usd', cap: 0.009 }],
    [
      'units',
      { assets: { [`eip155:8453/erc20:${usdc}`]: 9_999n } },
      { per: 'payment', unit: 'units', cap: 9_999n },
    ],
  ] as const)(
    'a payment above the cap per payment in %s is refused before anybody is asked',
    async (_, perPayment, data) => {
      const { fetch, paid } = shop({ answers: [() => asks()] })
      const { pay, person } = buyer({ fetch, x402: { perPayment, perDay: { usd: 5 } } })
      await expect(pay()).rejects.toMatchObject({ code: 'payment_over_cap', data })
      expect(person.scene).toBeUndefined()
      expect(paid()).toEqual([])
    },
  )

  test('a cap of the call holds beside that of the app', async () => {
    const { fetch } = shop({ answers: [() => asks()] })
    const { pay } = buyer({ fetch })
    const lower = pay(url, {}, { perPayment: { usd: 0.001 } })
    await expect(lower).rejects.toMatchObject({ code: 'payment_over_cap', data: { cap: 0.001 } })
    const { fetch: dear } = shop({ answers: [() => asks(terms({ amount: '200000' }))] })
    const higher = buyer({ fetch: dear }).pay(url, {}, { perPayment: { usd: 9 } })
    await expect(higher).rejects.toMatchObject({ code: 'payment_over_cap', data: { cap: 0.1 } })
  })

  test('the cap of a day holds for all payments of 24 hours, in all tabs', async () => {
    const { fetch, paid } = shop({
      answers: [() => asks(), () => delivers(), () => asks(), () => delivers(), () => asks()],
    })
    const x402 = { perPayment: { usd: 1 }, perDay: { usd: 0.02 } }
    const first = buyer({ fetch, x402 })
    await first.buy()
    const second = buyer({ fetch, x402, storage: first.storage, clock: first.clock })
    await second.buy()
    const { error } = await first.buy([])
    expect(error).toMatchObject({ code: 'payment_over_cap', data: { per: 'day', left: 0 } })
    expect(paid()).toHaveLength(2)
    await first.clock.advance(24 * 60 * 60_000)
    await first.buy([['approve-payment', 'cancel']])
    expect(first.person.trace()).toContain('approve-payment')
  })

  test.each([
    ['a day ahead', 24],
    ['a year ahead', 365 * 24],
    ['a day back', -24],
  ])(
    'the cap of a day holds by the server’s time, with the device’s clock %s, in another tab and after a reload',
    async (_, hours) => {
      const server = testClock()
      const { fetch, paid } = shop({ answers: [({ payment }) => (payment ? delivers() : asks())] })
      const x402 = { perPayment: { usd: 1 }, perDay: { usd: 0.02 } }
      const session = { serverNow: () => server.now() }
      const first = buyer({ fetch, x402, session })
      await first.buy()
      // The payment of another tab, made while the clock is wrong, is of today when the clock is right again.
      const wrong = testClock(first.clock.now() + hours * 60 * 60_000)
      const second = buyer({ fetch, x402, session, storage: first.storage, clock: wrong })
      await second.buy()
      for (const set of [first, second]) {
        const { error } = await set.buy([])
        expect(error).toMatchObject({ code: 'payment_over_cap', data: { per: 'day', left: 0 } })
      }
      first.close()
      const reloaded = buyer({ fetch, x402, session, storage: first.storage, clock: first.clock })
      expect((await reloaded.buy([])).error).toMatchObject({ code: 'payment_over_cap' })
      expect(paid()).toHaveLength(2)
      await server.advance(24 * 60 * 60_000)
      await reloaded.buy()
      expect(paid()).toHaveLength(3)
    },
  )

  test('nothing is paid while the server doesn’t say its time, which a wrong clock needs for another day', async () => {
    const { fetch, paid } = shop({ answers: [({ payment }) => (payment ? delivers() : asks())] })
    let isDown = true
    const refreshUser = async () => {
      if (isDown) throw new KitError('network_unavailable', 'Disconnected', { retryable: true })
    }
    const { buy, person } = buyer({ fetch, session: { refreshUser } })
    expect((await buy([])).error).toMatchObject({ code: 'network_unavailable', retryable: true })
    expect([paid(), person.trace()]).toEqual([[], []])
    isDown = false
    await buy()
    expect(paid()).toHaveLength(1)
  })

  test('two payments at once can’t both have the rest of a day', async () => {
    const { fetch, paid } = shop({ answers: [({ payment }) => (payment ? delivers() : asks())] })
    const { pay, person } = buyer({ fetch, x402: { perPayment: { usd: 1 }, perDay: { usd: 0.015 } } })
    const both = Promise.allSettled([pay(`${url}?a`), pay(`${url}?b`)])
    await expect.poll(() => person.scene !== undefined).toBe(true)
    await person.follow(approved)
    const outcomes = await both
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'payment_over_cap' },
    })
    expect(paid()).toHaveLength(1)
  })

  test('a token without a price is refused under a cap in dollars, and paid under one of its own', async () => {
    const token = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
    const domain = { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: token } as const
    const { fetch, paid } = shop({
      answers: [({ payment }) => (payment ? delivers() : asks(terms({ asset: token })))],
      token: { domainSeparator: domainSeparator({ domain }) },
    })
    await expect(buyer({ fetch }).pay()).rejects.toMatchObject({ code: 'payment_cap_missing' })
    const assets = { [`eip155:8453/erc20:${token}`]: 10_000n }
    const seen: unknown[] = []
    const { buy } = buyer({ fetch, x402: { perPayment: { assets }, perDay: { assets } } })
    await buy([{ on: 'approve-payment', expect: ({ left }) => seen.push(left), answer: 'sign' }])
    expect(seen).toEqual([['0 USDC']])
    expect(paid()).toHaveLength(1)
  })
})

describe('payments without a review', () => {
  const x402 = { ...caps, skipsReviews: true }
  const chosen: Parameters<ReturnType<typeof buyer>['buy']>[0] = [
    { on: 'approve-payment', answer: { edited: { withoutReview: true } } },
    {
      on: 'approve-payment',
      expect: (props) => expect(props.withoutReview).toMatchObject({ isChosen: true, sum: 4_990_000n }),
      answer: 'sign',
    },
  ]
  const always = ({ payment }: { payment: unknown }) => (payment ? delivers() : asks())

  test('the user chooses it for a seller: the next payments are signed unseen, up to the same amount each', async () => {
    let amount = '10000'
    const { fetch, paid } = shop({
      answers: [({ payment }) => (payment ? delivers() : asks(terms({ amount })))],
    })
    const { buy, pay, person } = buyer({ fetch, x402 })
    await buy(chosen)
    const [{ payment } = {} as never] = paid()
    expect((await pay()).status).toBe(200)
    expect(paid()).toHaveLength(2)
    const { authorization } = (paid()[1]?.payment?.payload ?? {}) as { authorization: Record<string, string> }
    const first = payment?.payload as { authorization: Record<string, string> }
    // Nobody needs time to read it.
    expect(Number(authorization.validBefore)).toBeLessThan(Number(first.authorization.validBefore))
    amount = '10001'
    const outcome = pay()
    outcome.catch(() => {})
    await expect.poll(() => person.scene !== undefined).toBe(true)
    await person.follow([['approve-payment', 'cancel']])
    await expect(outcome).rejects.toMatchObject({ code: 'unable_to_sign' })
    expect(paid()).toHaveLength(2)
  })

  test('another recipient, another seller, and the next day are reviewed', async () => {
    let over = {}
    const { fetch, paid } = shop({
      answers: [({ payment }) => (payment ? delivers() : asks(terms(over)))],
    })
    const { buy, clock } = buyer({ fetch, x402 })
    await buy(chosen)
    const cancelled = [['approve-payment', 'cancel']] as never
    over = { payTo: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC' }
    expect((await buy(cancelled)).error).toMatchObject({ code: 'unable_to_sign' })
    over = {}
    await clock.advance(24 * 60 * 60_000)
    expect((await buy(cancelled)).error).toMatchObject({ code: 'unable_to_sign' })
    expect(paid()).toHaveLength(1)
  })

  test('a payment that is never signed leaves the sum that the user has agreed to as it was', async () => {
    let maxTimeoutSeconds = 60
    const { fetch, paid } = shop({
      answers: [({ payment }) => (payment ? delivers() : asks(terms({ maxTimeoutSeconds })))],
    })
    const dollars = { perPayment: { usd: 1 }, perDay: { usd: 0.03 } }
    const { buy, pay } = buyer({ fetch, x402: { ...dollars, skipsReviews: true } })
    // Two more payments are left of what the user agrees to.
    await buy([
      { on: 'approve-payment', answer: { edited: { withoutReview: true } } },
      ['approve-payment', 'sign'],
    ])
    // A facilitator would have no time for it, so its signature is thrown away.
    maxTimeoutSeconds = 3
    for (let attempt = 0; attempt < 3; attempt++)
      await expect(pay()).rejects.toMatchObject({ code: 'client_request_timeout' })
    maxTimeoutSeconds = 60
    expect((await buy([])).response?.status).toBe(200)
    expect((await buy([])).response?.status).toBe(200)
    expect(paid()).toHaveLength(3)
  })

  test('it is not offered where the app doesn’t want it, and an app that no longer does reviews each', async () => {
    const { fetch, paid } = shop({ answers: [always] })
    const first = buyer({ fetch, x402 })
    await first.buy(chosen)
    const later = buyer({ fetch, x402: caps, storage: first.storage, clock: first.clock })
    const { error } = await later.buy([['approve-payment', 'cancel']])
    expect(error).toMatchObject({ code: 'unable_to_sign' })
    expect(paid()).toHaveLength(1)
  })

  test('nothing of it outlives the login', async () => {
    const { fetch } = shop({ answers: [always] })
    const first = buyer({ fetch, x402 })
    await first.buy(chosen)
    await first.clock.advance(0)
    first.logout()
    first.login()
    const { error } = await first.buy([['approve-payment', 'cancel']])
    expect(error).toMatchObject({ code: 'unable_to_sign' })
  })

  test('a host that wants no screens has each payment reviewed all the same', async () => {
    const { fetch } = shop()
    const set = buyer({ fetch })
    set.configure({
      embeddedWallets: { showWalletUIs: false },
      rpcConfig: { rpcUrls: { 8453: 'https://base.node.example/' } },
      x402: caps,
    })
    await set.buy()
    expect(set.person.trace()).toContain('approve-payment')
  })
})

describe('requests', () => {
  test.each([
    ['a stream', { method: 'POST', body: new ReadableStream(), duplex: 'half' }, 'request_not_repeatable'],
    [
      'a body of more than 10 MiB',
      { method: 'POST', body: new Uint8Array(10 * 1_024 * 1_024 + 1) },
      'request_not_repeatable',
    ],
    ['a payment of its own', { headers: { 'payment-signature': 'e30=' } }, 'invalid_request_arguments'],
    ['a payment of version 1', { headers: { 'X-PAYMENT': 'e30=' } }, 'invalid_request_arguments'],
    ['a method that is none', { method: 'GET IT' }, 'invalid_request_arguments'],
  ])('%s is refused before anything is sent', async (_, init, code) => {
    const { fetch, sent } = shop()
    const { pay } = buyer({ fetch })
    await expect(pay(url, init as RequestInit)).rejects.toMatchObject({ code })
    expect(sent).toEqual([])
  })

  test('a request whose body was read is refused before anything is sent', async () => {
    const { fetch, sent } = shop()
    const { pay } = buyer({ fetch })
    const request = new Request(url, { method: 'POST', body: 'a' })
    await request.text()
    await expect(pay(request)).rejects.toMatchObject({ code: 'request_not_repeatable' })
    expect(sent).toEqual([])
  })

  test('a Request with a body is sent twice with the same bytes', async () => {
    const { fetch, sent } = shop()
    const { buy } = buyer({ fetch })
    await buy(approved, new Request(url, { method: 'PUT', body: new Uint8Array([104, 105]) }))
    expect(sent.map(({ method, body }) => [method, body])).toEqual([
      ['PUT', 'hi'],
      ['PUT', 'hi'],
    ])
  })

  test('a button that is pressed twice buys once', async () => {
    const { fetch, paid } = shop({ answers: [({ payment }) => (payment ? delivers() : asks())] })
    const { pay, person, shown } = buyer({ fetch })
    const both = Promise.allSettled([pay(), pay()])
    await shown()
    await person.follow(approved)
    const outcomes = await both
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'flow_in_progress' },
    })
    expect(paid()).toHaveLength(1)
  })

  test('the same request can be paid again once the first is done', async () => {
    const { fetch, paid } = shop({ answers: [({ payment }) => (payment ? delivers() : asks())] })
    const { buy } = buyer({ fetch })
    await buy()
    await buy()
    expect(paid()).toHaveLength(2)
  })

  test('a user who is logged out, or has no wallet, gets an error and sends nothing', async () => {
    const { fetch, sent } = shop()
    await expect(buyer({ fetch, isLoggedIn: false }).pay()).rejects.toMatchObject({
      code: 'must_be_authenticated',
    })
    await expect(buyer({ fetch, wallets: [] }).pay()).rejects.toMatchObject({
      code: 'embedded_wallet_not_found',
    })
    expect(sent).toEqual([])
  })

  test('the host’s signal ends it while the seller is silent, and while the user reads', async () => {
    const leaving = new AbortController()
    const { fetch } = shop({ answers: [() => new Promise<Response>(() => {})] })
    const silent = buyer({ fetch }).pay(url, { signal: leaving.signal })
    await settled()
    leaving.abort(new Error('left'))
    await expect(silent).rejects.toThrow('left')
    const other = new AbortController()
    const { fetch: asking, paid } = shop({ answers: [() => asks()] })
    const { pay, person } = buyer({ fetch: asking })
    const reading = pay(url, { signal: other.signal })
    reading.catch(() => {})
    await expect.poll(() => person.scene !== undefined).toBe(true)
    await person.follow([{ on: 'approve-payment' }])
    other.abort()
    await expect(reading).rejects.toBeDefined()
    expect(paid()).toEqual([])
  })

  test('a seller that is silent at first ends in an error after two minutes', async () => {
    const { fetch, sent } = shop({ answers: [() => new Promise<Response>(() => {})] })
    const { pay, clock } = buyer({ fetch })
    const outcome = pay()
    outcome.catch(() => {})
    await expect.poll(() => sent.length).toBe(1)
    await clock.advance(120_000)
    await expect(outcome).rejects.toMatchObject({ code: 'client_request_timeout' })
  })
})

describe('after a payment was signed', () => {
  const paid = (over = {}) => ({
    payment: {
      chain: 'eip155:8453',
      asset: usdc,
      amount: 10_000n,
      payTo: seller,
      from: payer,
      nonce: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      validBefore: expect.any(Date),
      ...over,
    },
  })

  test('a seller that is silent, or whose connection breaks, ends in an error that says what was paid', async () => {
    const never = () => new Promise<Response>(() => {})
    const { fetch, paid: payments } = shop({ answers: [() => asks(), never] })
    const set = buyer({ fetch })
    const outcome = set.pay()
    outcome.catch(() => {})
    await set.shown()
    await set.person.follow(approved)
    await expect.poll(() => payments()).toHaveLength(1)
    await set.clock.advance(75_000)
    await expect(outcome).rejects.toMatchObject({ code: 'payment_unanswered', data: paid() })
    const broken = shop({ answers: [() => asks(), () => Promise.reject(new TypeError('Failed to fetch'))] })
    const { error } = await buyer({ fetch: broken.fetch }).buy()
    expect(error).toMatchObject({ code: 'payment_unanswered', data: paid() })
  })

  test('a seller that asks again is an error with what was paid and the seller’s reason, and is never paid twice', async () => {
    const again = () => {
      const response = asks()
      response.headers.set(
        'payment-response',
        btoa(
          JSON.stringify(settlement({ success: false, transaction: '', errorReason: 'insufficient_funds' })),
        ),
      )
      return response
    }
    const { fetch, paid: payments } = shop({ answers: [() => asks(), again] })
    const { error } = await buyer({ fetch }).buy()
    expect(error).toMatchObject({
      code: 'payment_refused',
      data: { ...paid(), reason: 'insufficient_funds' },
    })
    expect(payments()).toHaveLength(1)
  })

  test('a seller that asks for more after it was paid has changed its terms, and gets nothing else', async () => {
    const { fetch, paid: payments } = shop({
      answers: [() => asks(), () => asks(terms({ amount: '20000' }))],
    })
    const { error } = await buyer({ fetch }).buy()
    expect(error).toMatchObject({ code: 'payment_terms_changed', data: paid() })
    expect(payments()).toHaveLength(1)
  })

  test('a response with another status comes back to the host, and the payment is in the activity', async () => {
    const { fetch } = shop({ answers: [() => asks(), () => new Response('broken', { status: 500 })] })
    const { buy, activity, clock } = buyer({ fetch })
    const { response } = await buy()
    expect(response?.status).toBe(500)
    await clock.advance(0)
    expect(activity.get()).toMatchObject([{ hash: settledHash }])
  })

  test('a payment that nobody took counts for the day all the same', async () => {
    const { fetch } = shop({ answers: [() => asks(), () => asks(), () => asks()], isSettled: () => false })
    const set = buyer({ fetch, x402: { perPayment: { usd: 1 }, perDay: { usd: 0.015 } } })
    await set.buy()
    expect((await set.buy([])).error).toMatchObject({ code: 'payment_over_cap' })
  })
})

describe('version 1', () => {
  test('an offer on a network by its name is paid on that chain', async () => {
    const { fetch, paid } = shop({
      answers: [() => asks1(offer1({ network: 'moon' }), offer1()), () => delivers()],
    })
    const { buy } = buyer({ fetch })
    await buy()
    expect(paid()[0]?.payment).toMatchObject({ network: 'base' })
  })
})
