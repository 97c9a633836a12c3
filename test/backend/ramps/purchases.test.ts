import { createHmac, randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { audit } from '../../../demo/backend/audit/tables.ts'
import { rampEvents } from '../../../demo/backend/ramps/tables.ts'
import { signedHeaders, viewOf } from '../../../demo/world/moonpay/moonpay.ts'
import { crowd } from '../../support/soak.ts'
import type { Client } from '../support/client.ts'
import {
  answerBank,
  closedRampApp,
  moonpayAccount,
  newBuyer,
  otherRampApp,
  playPage,
  type RampWorld,
  rampApp,
  startRampWorld,
} from '../support/ramps-world.ts'
import { days, minutes, seconds, site, stores } from '../support/world.ts'

const order = {
  chain: 'eip155:8453',
  asset: 'native-currency',
  amount: '0.05',
  provider: 'moonpay',
  method: 'card',
}

describe.each(stores)('purchases on $name', (store) => {
  let world: RampWorld
  beforeAll(async () => {
    world = await startRampWorld(store)
  })
  afterAll(() => world?.stop())
  afterEach(() => {
    world.sellers.instead.answer = undefined
  })

  async function start(client: Client, address: string, more: object = {}) {
    const body = { ...order, address, reference: randomUUID(), ...more }
    return client.post('funding/purchases', body)
  }
  async function started(more: object = {}) {
    const buyer = await newBuyer(world)
    const answer = await start(buyer.client, buyer.address, more)
    expect(answer.status, answer.text).toBe(200)
    return { ...buyer, purchase: answer.body.purchase, opening: answer.body.opening }
  }
  const read = async (client: Client, id: string) => (await client.get(`funding/purchases/${id}`)).body
  /** A webhook, as the provider sends it. */
  const deliver = (body: string, headers: Record<string, string>, app = rampApp, provider = 'moonpay') =>
    world.backend.api.request(`/api/v1/funding/webhooks/${provider}/${app}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    })
  const sign = (body: string, at = world.clock.now) => signedHeaders(moonpayAccount, body, at)
  /** The provider's report of a purchase. */
  function eventOf(purchase: { id: string; address: string }, more: object = {}) {
    const payment = {
      id: randomUUID(),
      account: moonpayAccount.publishableKey,
      reference: purchase.id,
      chain: 'eip155:8453',
      symbol: 'ETH',
      address: purchase.address,
      amount: '0.05',
      currency: 'USD',
      total: '153.30',
      fee: '3.30',
      method: 'credit_debit_card',
      state: 'completed' as const,
      failure: undefined,
      hash: `0x${'ab'.repeat(32)}`,
      createdAt: world.clock.now,
      updatedAt: world.clock.now,
      ...more,
    }
    return JSON.stringify({ type: 'transaction_updated', data: viewOf(payment) })
  }
  const completions = async (userId: string) =>
    (await world.backend.database.select().from(audit).where(eq(audit.userId, userId))).filter(
      ({ action }) => action === 'purchase-completed',
    )

  test('quotes: those of all providers stand side by side, with total, fee, time and method', async () => {
    const { client, address } = await newBuyer(world)
    const { chain, asset, amount } = order
    const { status, body } = await client.post('funding/quotes', { chain, asset, amount, address })
    expect(status).toBe(200)
    const rows = body.quotes.map((each: Record<string, unknown>) => [each.provider, each.method, each.opens])
    expect(rows).toEqual([
      ['moonpay', 'card', 'url'],
      ['moonpay', 'bank-transfer', 'url'],
      ['coinbase-onramp', 'card', 'popup'],
      ['coinbase-onramp', 'exchange', 'popup'],
      ['coinbase-onramp', 'apple-pay', 'frame'],
    ])
    expect(body.quotes[0]).toMatchObject({
      receives: { amount: '0.05', symbol: 'ETH' },
      total: '153.3',
      fee: '3.3',
      currency: 'USD',
      is_sandbox: true,
      missing: [],
    })
    expect(body.quotes[2]).toMatchObject({ total: '153.30', fee: '3.30' })
    // A guest's number has to be verified before there is a price.
    expect(body.quotes[4]).toMatchObject({ missing: ['phone'], terms_url: expect.any(String) })
    expect(body.unavailable).toEqual([])
  })

  test('quotes: one provider that is down, or sells less, hides no other’s', async () => {
    const { client, address } = await newBuyer(world)
    const ask = (amount: string) =>
      client.post('funding/quotes', {
        chain: order.chain,
        asset: order.asset,
        amount,
        address,
        method: 'card',
      })
    world.sellers.instead.answer = ({ url }) =>
      url.includes('/moonpay/') ? new Response('busy', { status: 503 }) : undefined
    const down = (await ask('0.05')).body
    expect(down.quotes.map(({ provider }: { provider: string }) => provider)).toEqual(['coinbase-onramp'])
    expect(down.unavailable).toEqual([{ provider: 'moonpay', name: 'MoonPay', reason: 'unavailable' }])
    world.sellers.instead.answer = undefined
    const little = (await ask('0.001')).body
    expect(little.unavailable[0]).toMatchObject({ provider: 'moonpay', reason: 'amount-too-low' })
    expect(Number(little.unavailable[0].least)).toBeGreaterThan(0.001)
  })

  test.each([
    '',
    '.',
    '0',
    '0.000',
    '1.2.3',
    `1${'0'.repeat(40)}`,
    '-1',
    '1e3',
    '0.1234567890123456789',
    ' 1',
    '１',
  ])('quotes: the amount %j is refused', async (amount) => {
    const { client, address } = await newBuyer(world)
    const { status, body } = await client.post('funding/quotes', {
      chain: order.chain,
      asset: order.asset,
      amount,
      address,
    })
    expect([status, body.code]).toEqual([400, 'invalid_data'])
  })

  test('quotes: an address of another chain, and a wallet of somebody else, are refused', async () => {
    const { client, solana } = await newBuyer(world)
    const { address: strangers } = await newBuyer(world)
    const ask = (more: object) =>
      client.post('funding/quotes', { chain: order.chain, asset: 'USDC', amount: '5', ...more })
    expect((await ask({ address: solana })).body.code).toBe('invalid_data')
    expect((await ask({ address: strangers })).body.code).toBe('linked_account_not_found')
    expect((await ask({ address: strangers, chain: 'eip155:424242' })).body.code).toBe('not_supported')
    expect((await client.post('funding/quotes', { ...order, address: solana })).status).toBe(400)
  })

  test('start: the signed address fixes asset, amount, currency and wallet, and no byte of it can be changed', async () => {
    const { opening, purchase, address } = await started({ theme: 'dark', accent_color: '#5B5BD6' })
    expect(opening.kind).toBe('url')
    const url = new URL(opening.url)
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      apiKey: moonpayAccount.publishableKey,
      currencyCode: 'eth_base',
      walletAddress: address,
      quoteCurrencyAmount: '0.05',
      baseCurrencyCode: 'usd',
      lockAmount: 'true',
      externalTransactionId: purchase.id,
      theme: 'dark',
      colorCode: '#5B5BD6',
    })
    const [signed = '', signature = ''] = url.search.split('&signature=')
    const expected = createHmac('sha256', moonpayAccount.secretKey).update(signed).digest('base64')
    expect(decodeURIComponent(signature)).toBe(expected)
    expect((await fetch(opening.url)).status).toBe(200)
    for (const [from, to] of [
      ['0.05', '0.5'],
      [address.slice(2, 8), '000000'],
      ['eth_base', 'eth'],
      ['usd', 'eur'],
      ['lockAmount=true', 'lockAmount=false'],
      ['&signature=', '&walletAddress=0x1&signature='],
      ['&signature=', '&signature=A'],
    ] as const)
      expect((await fetch(opening.url.replace(from, to))).status, `${from} → ${to}`).toBe(400)
    expect((await fetch(`${opening.url}&quoteCurrencyAmount=9`)).status).toBe(400)
  })

  test(`start: ${crowd} presses with one reference make one purchase`, async () => {
    const { client, address } = await newBuyer(world)
    const reference = randomUUID()
    const all = await Promise.all(Array.from({ length: crowd }, () => start(client, address, { reference })))
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(all.map(({ body }) => body.purchase.id)).size).toBe(1)
    expect((await client.get('funding/purchases')).body.purchases).toHaveLength(1)
    const other = await start(client, address, { reference, amount: '0.06' })
    expect(other.body.code).toBe('resource_conflict')
  })

  test('start: a total that has risen above the one that was shown is refused with the new one', async () => {
    const { client, address } = await newBuyer(world)
    const changed = await start(client, address, { expected_total: '140.00' })
    expect([changed.status, changed.body.code]).toEqual([400, 'quote_changed'])
    expect(changed.body.data).toEqual({ total: '153.3', currency: 'USD' })
    expect((await client.get('funding/purchases')).body.purchases).toEqual([])
    expect((await start(client, address, { expected_total: '153.30' })).status).toBe(200)
  })

  test('start: unknown providers, methods, networks and ways back are refused', async () => {
    const { client, address } = await newBuyer(world)
    const codes = []
    for (const more of [
      { provider: 'somebody' },
      { method: 'exchange' },
      { chain: 'eip155:10' },
      { return_url: 'https://evil.example/' },
      { reference: 'mine' },
      { terms_accepted_at: Math.floor(world.clock.now / 1_000) + 3_600 },
    ])
      codes.push((await start(client, address, more)).body.code)
    expect(codes).toEqual([
      'feature_not_enabled',
      'not_supported',
      'not_supported',
      'invalid_data',
      'invalid_data',
      'invalid_data',
    ])
    const { status, body } = await start(client, address, { return_url: `${site}/bought?tab=2#top` })
    expect(status).toBe(200)
    expect(new URL(body.opening.url).searchParams.get('redirectURL')).toBe(
      `${site}/bought?tab=2&lk_purchase=${body.purchase.id}#top`,
    )
    const plain = await newBuyer(world, { appId: 'latchkey-demo-open-000001' })
    expect((await start(plain.client, plain.address)).body.code).toBe('feature_not_enabled')
  })

  test('start: an app with fiatOnRamp off has providers, and sells nothing', async () => {
    const { client, address } = await newBuyer(world, { appId: closedRampApp })
    expect((await start(client, address)).body.code).toBe('feature_not_enabled')
    const flagOf = async (id: string) => (await client.get(`apps/${id}`)).body.fiat_on_ramp_enabled
    expect(await flagOf(closedRampApp)).toBe(false)
    expect(await flagOf(rampApp)).toBe(true)
  })

  test('status: a purchase is completed once the coins are sent, with hash and figures, and listed on other devices', async () => {
    const { client, purchase, opening, address } = await started()
    expect(purchase.status).toBe('started')
    const before = world.sellers.delivered.length
    await playPage(opening.url, 'approve')
    await world.sellers.moonpay.desk.idle()
    expect(world.sellers.delivered.slice(before)).toEqual([
      { chain: 'eip155:8453', symbol: 'ETH', address, amount: 50_000_000_000_000_000n },
    ])
    const seen = await read(client, purchase.id)
    expect(seen).toMatchObject({
      status: 'completed',
      received: '0.05',
      total: '153.3',
      fee: '3.3',
      transaction_hash: expect.stringMatching(/^0x/),
    })
    const { purchases } = (await client.get('funding/purchases')).body
    expect(purchases).toEqual([seen])
    expect((await client.post(`funding/purchases/${purchase.id}/open`)).body.code).toBe('purchase_not_open')
    expect((await client.post(`funding/purchases/${purchase.id}/abandon`)).body.code).toBe(
      'purchase_not_open',
    )
  })

  test('status: slow, by bank transfer, declined and asked by the bank are told apart', async () => {
    const slow = await started()
    await playPage(slow.opening.url, 'slow')
    expect((await read(slow.client, slow.purchase.id)).status).toBe('pending')
    const transfer = await started({ method: 'bank-transfer' })
    await playPage(transfer.opening.url, 'bank-transfer')
    expect((await read(transfer.client, transfer.purchase.id)).status).toBe('waiting-payment')
    const declined = await started()
    await playPage(declined.opening.url, 'decline')
    expect(await read(declined.client, declined.purchase.id)).toMatchObject({
      status: 'failed',
      failure: 'declined',
    })
    const asked = await started()
    const { html } = await playPage(asked.opening.url, 'three-d-secure')
    expect((await read(asked.client, asked.purchase.id)).status).toBe('waiting-authorization')
    await answerBank(html, 'no')
    expect(await read(asked.client, asked.purchase.id)).toMatchObject({
      status: 'failed',
      failure: 'authorization',
    })
    // Another card, on the same page.
    await playPage(asked.opening.url, 'approve')
    await world.sellers.moonpay.desk.idle()
    expect((await read(asked.client, asked.purchase.id)).status).toBe('completed')
  })

  test('status: both spellings of the bank’s question mean the same', async () => {
    for (const status of ['waitingAuthorization', 'awaitingAuthorization']) {
      const { client, purchase } = await started()
      const [data] = [JSON.parse(eventOf(purchase)).data]
      world.sellers.instead.answer = () => Response.json([{ ...data, status }])
      expect((await read(client, purchase.id)).status).toBe('waiting-authorization')
      world.sellers.instead.answer = undefined
    }
  })

  test('status: a provider that is down, or answers nonsense, is told as an outage and changes nothing', async () => {
    const { client, purchase } = await started()
    for (const response of [
      () => new Response('no', { status: 500 }),
      () => new Response('<html>', { status: 200 }),
      () => Response.json({ status: 'completed' }),
      () => Response.json([{ status: 'completed' }]),
    ]) {
      world.sellers.instead.answer = response
      expect((await client.get(`funding/purchases/${purchase.id}`)).status).toBe(503)
    }
    world.sellers.instead.answer = undefined
    expect((await read(client, purchase.id)).status).toBe('started')
  })

  test('status: what the provider says of another wallet, currency or purchase doesn’t count', async () => {
    const { client, purchase, userId } = await started()
    const forged = [
      { address: '0x000000000000000000000000000000000000dEaD' },
      { address: '' },
      { symbol: 'USDC' },
      { chain: 'eip155:1' },
      { chain: 'solana:mainnet', symbol: 'SOL' },
    ]
    for (const more of forged) {
      const { data } = JSON.parse(eventOf(purchase, more))
      world.sellers.instead.answer = () => Response.json([data])
      expect((await read(client, purchase.id)).status).toBe('started')
      world.sellers.instead.answer = undefined
      const body = JSON.stringify({ type: 'transaction_updated', data })
      expect((await deliver(body, sign(body))).status).toBe(200)
      expect((await read(client, purchase.id)).status).toBe('started')
    }
    expect(await completions(userId)).toEqual([])
  })

  test('purchases: nobody else sees, opens or ends one', async () => {
    const { purchase } = await started()
    const { client } = await newBuyer(world)
    expect((await client.get(`funding/purchases/${purchase.id}`)).status).toBe(404)
    expect((await client.post(`funding/purchases/${purchase.id}/open`)).status).toBe(404)
    expect((await client.post(`funding/purchases/${purchase.id}/abandon`)).status).toBe(404)
    client.token = undefined
    expect((await client.get('funding/purchases')).status).toBe(401)
    expect((await client.get(`funding/purchases/${purchase.id}`)).status).toBe(401)
  })

  test('abandon: the purchase can be resumed, and a payment that comes all the same counts', async () => {
    const { client, purchase, opening } = await started()
    expect((await client.post(`funding/purchases/${purchase.id}/abandon`)).body.status).toBe('abandoned')
    const resumed = await client.post(`funding/purchases/${purchase.id}/open`)
    expect(resumed.body).toMatchObject({ purchase: { id: purchase.id, status: 'started' }, opening })
    await client.post(`funding/purchases/${purchase.id}/abandon`)
    await playPage(opening.url, 'approve')
    await world.sellers.moonpay.desk.idle()
    expect((await read(client, purchase.id)).status).toBe('completed')
  })

  test('list: twenty on a page, the newest first, and each once', async () => {
    const { client, address } = await newBuyer(world)
    for (let at = 0; at < 23; at++) {
      if (at % 3 === 0) world.clock.pass(1_000)
      expect((await start(client, address)).status).toBe(200)
    }
    const first = (await client.get('funding/purchases')).body
    const second = (await client.get(`funding/purchases?before=${encodeURIComponent(first.next)}`)).body
    expect([first.purchases.length, second.purchases.length, second.next]).toEqual([20, 3, undefined])
    const all = [...first.purchases, ...second.purchases]
    expect(new Set(all.map(({ id }) => id)).size).toBe(23)
    expect(all.map(({ created_at: at }) => at)).toEqual(
      all.map(({ created_at: at }) => at).sort((a, b) => b - a),
    )
    expect((await client.get('funding/purchases?before=tomorrow')).body.code).toBe('invalid_data')
  })

  test(`webhook: a closed tab’s purchase is completed by it, once for ${crowd} parallel deliveries`, async () => {
    const { client, purchase, userId } = await started()
    const body = eventOf(purchase)
    const all = await Promise.all(Array.from({ length: crowd }, () => deliver(body, sign(body))))
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await completions(userId)).toHaveLength(1)
    const rows = await world.backend.database.select().from(rampEvents)
    expect(rows.length).toBeGreaterThan(0)
    const [listed] = (await client.get('funding/purchases')).body.purchases
    expect(listed).toMatchObject({ id: purchase.id, status: 'completed' })
    // Signed anew some minutes later, as repetitions are.
    world.clock.pass(minutes(10))
    expect((await deliver(body, sign(body))).status).toBe(200)
    expect(await completions(userId)).toHaveLength(1)
  })

  test('webhook: what comes late or out of order takes nothing back', async () => {
    const { client, purchase } = await started()
    const id = randomUUID()
    const at = world.clock.now
    const say = async (state: string, offset: number, more: object = {}) => {
      const body = eventOf(purchase, { id, state, updatedAt: at + offset, ...more })
      expect((await deliver(body, sign(body))).status).toBe(200)
      return (await client.get('funding/purchases')).body.purchases[0].status
    }
    expect(await say('pending', 20)).toBe('pending')
    expect(await say('authorizing', 10)).toBe('pending')
    expect(await say('failed', 30, { failure: 'card_declined' })).toBe('failed')
    expect(await say('pending', 25)).toBe('failed')
    expect(await say('pending', 40, { id: randomUUID() })).toBe('pending')
    expect(await say('failed', 30, { failure: 'card_declined' })).toBe('pending')
    expect(await say('completed', 50)).toBe('completed')
    expect(await say('failed', 60)).toBe('completed')
    expect(await say('pending', 70, { id: randomUUID() })).toBe('completed')
  })

  test('webhook: forged, old, changed and misaddressed ones are refused and change nothing', async () => {
    const { client, purchase, userId } = await started()
    const body = eventOf(purchase)
    const now = world.clock.now
    const t = Math.floor(now / 1_000)
    const by = (key: string, text: string, encoding: 'hex' | 'base64' = 'hex') =>
      createHmac('sha256', key).update(text).digest(encoding)
    const right = by(moonpayAccount.webhookKey, `${t}.${body}`)
    const header = (value: string) => ({ 'moonpay-signature-v2': value })
    const good = header(`t=${t},s=${right}`)
    const forged: [name: string, body: string, headers: Record<string, string>][] = [
      ['no signature', body, {}],
      ['the old header', body, { 'moonpay-signature': `t=${t},s=${right}` }],
      ['an empty header', body, header('')],
      ['no time', body, header(`s=${right}`)],
      ['no value', body, header(`t=${t}`)],
      ['an empty value', body, header(`t=${t},s=`)],
      ['another key', body, header(`t=${t},s=${by('wk_test_somebody_else', `${t}.${body}`)}`)],
      ['the publishable key', body, header(`t=${t},s=${by(moonpayAccount.publishableKey, `${t}.${body}`)}`)],
      ['the key of addresses', body, header(`t=${t},s=${by(moonpayAccount.secretKey, `${t}.${body}`)}`)],
      ['an empty key', body, header(`t=${t},s=${by('', `${t}.${body}`)}`)],
      ['no time signed', body, header(`t=${t},s=${by(moonpayAccount.webhookKey, body)}`)],
      ['another separator', body, header(`t=${t},s=${by(moonpayAccount.webhookKey, `${t}${body}`)}`)],
      ['in base64', body, header(`t=${t},s=${by(moonpayAccount.webhookKey, `${t}.${body}`, 'base64')}`)],
      ['in capitals', body, header(`t=${t},s=${right.toUpperCase()}`)],
      ['cut off', body, header(`t=${t},s=${right.slice(0, -1)}`)],
      ['longer', body, header(`t=${t},s=${right}0`)],
      ['one digit off', body, header(`t=${t},s=${right.slice(0, -1)}${right.endsWith('0') ? '1' : '0'}`)],
      ['another time', body, header(`t=${t + 1},s=${right}`)],
      ['two times', body, header(`t=${t},t=${t},s=${right}`)],
      ['two values', body, header(`t=${t},s=0,s=${right}`)],
      ['a field more', body, header(`t=${t},s=${right},x=1`)],
      ['six minutes old', body, sign(body, now - minutes(6))],
      ['a day old', body, sign(body, now - days(1))],
      ['a minute ahead', body, sign(body, now + minutes(1))],
      ['in milliseconds', body, header(`t=${now},s=${by(moonpayAccount.webhookKey, `${now}.${body}`)}`)],
      ['a time of words', body, header(`t=now,s=${by(moonpayAccount.webhookKey, `now.${body}`)}`)],
      ['a negative time', body, header(`t=-${t},s=${by(moonpayAccount.webhookKey, `-${t}.${body}`)}`)],
      ['a changed amount', body.replace('0.05', '5.00'), good],
      [
        'a changed wallet',
        body.replace(purchase.address, '0x000000000000000000000000000000000000dEaD'),
        good,
      ],
      ['a space more', `${body} `, good],
      ['a byte order mark', `\ufeff${body}`, good],
      ['written anew', JSON.stringify(JSON.parse(body), null, 1), good],
      ['an empty body', '', good],
      ['a very long header', body, header(`t=${t},s=${'a'.repeat(4_000)}`)],
    ]
    expect(forged.length).toBeGreaterThanOrEqual(30)
    for (const [name, text, headers] of forged) expect((await deliver(text, headers)).status, name).toBe(401)
    expect((await deliver(body, good, 'latchkey-demo-open-000001')).status).toBe(404)
    expect((await deliver(body, good, rampApp, 'somebody')).status).toBe(404)
    expect((await deliver(body, good, rampApp, 'coinbase-onramp')).status).toBe(401)
    expect((await deliver(body, { ...good, 'content-type': 'text/plain' })).status).toBe(415)
    // Genuine, and for another app with the same keys, which has no such purchase.
    expect((await deliver(body, good, otherRampApp)).status).toBe(200)
    const big = JSON.stringify({ ...JSON.parse(body), filler: 'x'.repeat(70_000) })
    expect((await deliver(big, sign(big))).status).toBe(413)
    expect(await completions(userId)).toEqual([])
    expect((await client.get('funding/purchases')).body.purchases[0].status).toBe('started')
    expect((await deliver(body, good)).status).toBe(200)
    expect(await completions(userId)).toHaveLength(1)
  })

  test('webhook: a genuine one about something else is taken and ignored', async () => {
    for (const said of [
      { type: 'sell_transaction_created', data: {} },
      { type: 'transaction_updated' },
      { type: 'transaction_updated', data: { id: 5 } },
      { type: 'transaction_updated', data: null },
      [],
      null,
      5,
    ]) {
      const body = JSON.stringify(said)
      expect((await deliver(body, sign(body))).status, body).toBe(200)
    }
    expect((await deliver('{', sign('{'))).status).toBe(401)
  })

  test('sweep: what nobody paid is forgotten after a month, and what was paid is kept', async () => {
    const { sweep } = await import('../../../demo/backend/features.ts')
    const { defaultLimits } = await import('../../../demo/backend/settings/limits.ts')
    const { client, purchase, address } = await started()
    const paid = await start(client, address)
    const body = eventOf(paid.body.purchase)
    await deliver(body, sign(body))
    await sweep(world.backend.database, defaultLimits, world.clock.now + days(29))
    expect((await client.get('funding/purchases')).body.purchases).toHaveLength(2)
    await sweep(world.backend.database, defaultLimits, world.clock.now + days(31))
    const left = (await client.get('funding/purchases')).body.purchases
    // The session is over by then in the database's eyes, but not by the backend's clock.
    expect(left === undefined || left.every(({ id }: { id: string }) => id !== purchase.id)).toBe(true)
    world.clock.pass(seconds(1))
  })

  describe('unmodified clients', () => {
    const sign = (client: Client, body: object) => client.post('plugins/moonpay_on_ramp/sign', body)

    test('sign: the address is signed with the purchase’s own id, and the status is known here as well', async () => {
      const { client, address } = await newBuyer(world)
      const { status, body } = await sign(client, {
        address,
        config: {
          currencyCode: 'USDC_BASE',
          quoteCurrencyAmount: 25.5,
          paymentMethod: 'credit_debit_card',
          uiConfig: { accentColor: '#123456', theme: 'light' },
        },
      })
      expect(status).toBe(200)
      expect(Object.keys(body).sort()).toEqual(['externalTransactionId', 'signedUrl'])
      const query = Object.fromEntries(new URL(body.signedUrl).searchParams)
      expect(query).toMatchObject({
        currencyCode: 'usdc_base',
        quoteCurrencyAmount: '25.5',
        externalTransactionId: body.externalTransactionId,
      })
      await playPage(body.signedUrl, 'approve')
      await world.sellers.moonpay.desk.idle()
      expect(await read(client, body.externalTransactionId)).toMatchObject({
        status: 'completed',
        symbol: 'USDC',
      })
    })

    test('sign: short codes are the long ones, and a code of the other chain is refused', async () => {
      const { client, address, solana } = await newBuyer(world)
      const codeOf = async (text: string, currencyCode?: string) => {
        const { body } = await sign(client, { address: text, config: { currencyCode } })
        return body.code ?? new URL(body.signedUrl).searchParams.get('currencyCode')
      }
      expect(await codeOf(address, 'USDC')).toBe('usdc')
      expect(await codeOf(address, 'ETH')).toBe('eth')
      expect(await codeOf(address)).toBe('eth')
      expect(await codeOf(address, 'AVAX_CCHAIN')).toBe('avax_cchain')
      expect(await codeOf(solana)).toBe('sol')
      expect(await codeOf(solana, 'USDC_SOL')).toBe('usdc_sol')
      expect(await codeOf(solana, 'ETH_BASE')).toBe('invalid_data')
      expect(await codeOf(address, 'SOL')).toBe('invalid_data')
      expect(await codeOf(address, '__proto__')).toBe('invalid_data')
    })

    test('sign: somebody else’s wallet is refused', async () => {
      const { client } = await newBuyer(world)
      const { address } = await newBuyer(world)
      expect((await sign(client, { address, config: {} })).body.code).toBe('linked_account_not_found')
      expect((await sign(client, { address: 'x', config: {} })).body.code).toBe('invalid_data')
    })
  })
})
