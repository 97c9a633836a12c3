import { createHmac, randomUUID } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { rampsOf } from '../../../demo/backend/ramps/ramps.ts'
import { type App, readApps } from '../../../demo/backend/settings/app.ts'
import { defaultLimits } from '../../../demo/backend/settings/limits.ts'
import { accounts } from '../../../demo/backend/users/tables.ts'
import { hookHeaders, webhookView } from '../../../demo/world/coinbase-onramp/coinbase-onramp.ts'
import { crowd } from '../../support/soak.ts'
import type { Client, ClientOptions } from '../support/client.ts'
import {
  answerBank,
  newBuyer,
  onrampAccount,
  playPage,
  type Ramps,
  type RampWorld,
  rampApp,
  rampSettings,
  startRampWorld,
} from '../support/ramps-world.ts'
import { days, minutes, stores } from '../support/world.ts'

const order = {
  chain: 'eip155:8453',
  asset: 'native-currency',
  amount: '0.05',
  provider: 'coinbase-onramp',
  method: 'card',
}
const phone = () => `+1212${String(Math.floor(Math.random() * 9_000_000) + 1_000_000)}`

const liveApp = (sellers: Ramps) =>
  readApps([rampSettings(sellers, { coinbase: { sandbox: false } })]).all[0] as App

describe.each(stores)('Coinbase on $name', (store) => {
  let world: RampWorld
  beforeAll(async () => {
    world = await startRampWorld(store, { trustedProxies: ['10.0.0.0/8'] })
  })
  afterAll(() => world?.stop())
  afterEach(() => {
    world.sellers.instead.answer = undefined
  })

  async function started(more: object = {}, options: ClientOptions & { phone?: string } = {}) {
    const buyer = await newBuyer(world, options)
    const body = { ...order, address: buyer.address, reference: randomUUID(), ...more }
    const answer = await buyer.client.post('funding/purchases', body)
    expect(answer.status, answer.text).toBe(200)
    return { ...buyer, purchase: answer.body.purchase, opening: answer.body.opening }
  }
  const read = async (client: Client, id: string) => (await client.get(`funding/purchases/${id}`)).body
  const lastCall = (path: string) => world.sellers.requests.findLast((each) => each.path.endsWith(path))
  const deliver = (body: string, headers: Record<string, string>) =>
    world.backend.api.request(`/api/v1/funding/webhooks/coinbase-onramp/${rampApp}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    })
  const sign = (body: string, at = world.clock.now) => hookHeaders(onrampAccount, body, at)
  const eventOf = (purchase: { id: string; address: string }, more: object = {}) =>
    JSON.stringify({
      eventType: 'onramp.transaction.success',
      ...webhookView({
        id: randomUUID(),
        account: onrampAccount.projectId,
        reference: `sandbox-${purchase.id}`,
        chain: 'eip155:8453',
        symbol: 'ETH',
        address: purchase.address,
        amount: '0.05',
        currency: 'USD',
        total: '153.30',
        fee: '3.30',
        method: 'CARD',
        state: 'completed',
        failure: undefined,
        hash: `0x${'ab'.repeat(32)}`,
        createdAt: world.clock.now,
        updatedAt: world.clock.now,
        ...more,
      }),
    })
  const listed = async (client: Client) => (await client.get('funding/purchases')).body.purchases[0]

  test('start: the window’s address has a session token, what is bought, and the purchase’s own reference', async () => {
    const { opening, purchase } = await started()
    expect(opening).toMatchObject({ kind: 'popup', width: 440, height: 680 })
    expect(opening.expires_at * 1_000 - world.clock.now).toBe(minutes(5))
    const query = Object.fromEntries(new URL(opening.url).searchParams)
    expect(query).toMatchObject({
      sessionToken: expect.stringMatching(/^.{20,}$/),
      defaultNetwork: 'base',
      defaultAsset: 'ETH',
      presetCryptoAmount: '0.05',
      fiatCurrency: 'USD',
      defaultExperience: 'buy',
      defaultPaymentMethod: 'CARD',
      partnerUserRef: `sandbox-${purchase.id}`,
    })
    expect(query.partnerUserRef?.length).toBeLessThan(50)
    expect(query).not.toHaveProperty('addresses')
    const exchange = await started({ method: 'exchange' })
    expect(Object.fromEntries(new URL(exchange.opening.url).searchParams)).toMatchObject({
      defaultExperience: 'send',
      defaultPaymentMethod: 'CRYPTO_ACCOUNT',
    })
  })

  test('start: each call has a bearer of the API key for that call alone, for two minutes', async () => {
    let bearer = ''
    world.sellers.instead.answer = ({ headers }) => {
      bearer = headers.get('authorization')?.slice(7) ?? ''
      return undefined
    }
    await started()
    expect(decodeProtectedHeader(bearer)).toMatchObject({ alg: 'EdDSA', kid: onrampAccount.keyName })
    const claims = decodeJwt(bearer)
    expect(claims).toMatchObject({ iss: 'cdp', sub: onrampAccount.keyName })
    expect(claims.uris).toEqual([`POST ${new URL(world.sellers.origin).host}/coinbase/onramp/v1/token`])
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(120)
  })

  test.each([
    ['the connection', { ip: '203.0.113.7' }, '203.0.113.7'],
    ['a connection that names another', { ip: '203.0.113.7', forwarded: '8.8.8.8' }, '203.0.113.7'],
    ['a trusted proxy', { ip: '10.1.2.3', forwarded: '198.51.100.9' }, '198.51.100.9'],
    [
      'the last of several that a proxy names',
      { ip: '10.1.2.3', forwarded: '8.8.8.8, 198.51.100.9' },
      '198.51.100.9',
    ],
    [
      'a proxy that names a whole IPv6 address',
      { ip: '10.1.2.3', forwarded: '2001:db8:1:2::77' },
      '2001:db8:1:2::77',
    ],
    ['a proxy that names nonsense', { ip: '10.1.2.3', forwarded: 'localhost' }, '10.1.2.3'],
  ])(
    'start: the buyer’s address is that of %s',
    async (_, { ip, forwarded }: { ip: string; forwarded?: string }, expected) => {
      const headers = forwarded === undefined ? {} : { headers: { 'x-forwarded-for': forwarded } }
      await started({}, { ip, ...headers })
      expect(JSON.parse(lastCall('/onramp/v1/token')?.body ?? '{}').clientIp).toBe(expected)
    },
  )

  test.each(['10.1.2.3', '127.0.0.1', '192.168.1.5', '172.20.0.1', '::1', 'fd00::5'])(
    'start: with live keys nothing is begun for somebody at %s, whom the provider would not take',
    async (ip) => {
      const [moonpay, coinbase] = rampsOf(liveApp(world.sellers))
      expect([moonpay?.sandbox, coinbase?.sandbox]).toEqual([true, false])
      const logged: string[] = []
      const started = coinbase?.start(
        { ...order, reference: 'lk1', method: 'card', address: '0x1', currency: 'USD' },
        {},
        { userId: 'u', ip, email: undefined, phone: undefined },
        { limits: defaultLimits, now: Date.now, log: (line) => logged.push(line) },
      )
      await expect(started).rejects.toMatchObject({ reason: 'unavailable' })
      expect(logged).toEqual(["Coinbase needs callers' public addresses: see TRUSTED_PROXIES"])
    },
  )

  test('open: each opening has a session of its own, since a token opens one page once', async () => {
    const { client, purchase, opening } = await started()
    const again = async () => (await client.post(`funding/purchases/${purchase.id}/open`)).body.opening
    const next = await again()
    expect(next.url).not.toBe(opening.url)
    expect((await again()).url).not.toBe(next.url)
    const { purchases } = (await client.get('funding/purchases')).body
    expect(purchases).toHaveLength(1)
    // A token opens one page, once.
    expect((await fetch(next.url)).status).toBe(200)
    expect((await fetch(next.url)).status).toBe(400)
  })

  test('status: approved, slow, declined and asked by the bank, as the transactions of the reference say', async () => {
    const approved = await started()
    await playPage(approved.opening.url, 'approve')
    await world.sellers.coinbase.desk.idle()
    expect(await read(approved.client, approved.purchase.id)).toMatchObject({
      status: 'completed',
      received: '0.05',
      total: '153.30',
      transaction_hash: expect.stringMatching(/^0x/),
    })
    const slow = await started()
    await playPage(slow.opening.url, 'slow')
    expect((await read(slow.client, slow.purchase.id)).status).toBe('pending')
    const declined = await started()
    await playPage(declined.opening.url, 'decline')
    expect(await read(declined.client, declined.purchase.id)).toMatchObject({
      status: 'failed',
      failure: 'declined',
    })
    const asked = await started()
    const { html } = await playPage(asked.opening.url, 'three-d-secure')
    await answerBank(html, 'yes')
    await world.sellers.coinbase.desk.idle()
    expect((await read(asked.client, asked.purchase.id)).status).toBe('completed')
  })

  describe('orders in a frame', () => {
    const guest = { method: 'apple-pay', terms_accepted_at: 1_700_000_000 }

    test('order: the verified e-mail and number of the user are sent, never the page’s', async () => {
      const number = phone()
      const { opening, purchase, client } = await started(guest, { phone: number })
      expect(opening.kind).toBe('frame')
      const sent = JSON.parse(lastCall('/platform/v2/onramp/orders')?.body ?? '{}')
      expect(sent).toMatchObject({
        destinationNetwork: 'base',
        purchaseCurrency: 'ETH',
        purchaseAmount: '0.05',
        paymentCurrency: 'USD',
        paymentMethod: 'GUEST_CHECKOUT_APPLE_PAY',
        email: expect.stringMatching(/^buyer-.*@example\.com$/),
        phoneNumber: number,
        agreementAcceptedAt: '2023-11-14T22:13:20.000Z',
        partnerUserRef: `sandbox-${purchase.id}`,
        isQuote: false,
      })
      expect((await read(client, purchase.id)).status).toBe('started')
      await playPage(opening.url, 'approve')
      await world.sellers.coinbase.desk.idle()
      expect(await read(client, purchase.id)).toMatchObject({ status: 'completed', received: '0.05' })
    })

    test('order: without a number, or with one that was verified long ago, the user has to verify it', async () => {
      const start = async (client: Client, address: string) =>
        client.post('funding/purchases', { ...order, ...guest, address, reference: randomUUID() })
      const without = await newBuyer(world)
      const refused = await start(without.client, without.address)
      expect([refused.status, refused.body.code, refused.body.data]).toEqual([
        400,
        'contact_not_verified',
        { missing: ['phone'] },
      ])
      const old = await newBuyer(world)
      const verifiedAt = world.clock.now - days(61)
      await world.backend.database.insert(accounts).values({
        appId: rampApp,
        userId: old.userId,
        type: 'phone',
        subject: phone(),
        linkedAt: verifiedAt,
        verifiedAt,
      })
      expect((await start(old.client, old.address)).body.code).toBe('contact_not_verified')
      expect((await old.client.get('funding/purchases')).body.purchases).toEqual([])
    })

    test.each(['+4915112345678', '+14165550123', '+18765550123'])(
      'order: with the number %s, which is none of the United States, the method is not offered',
      async (number) => {
        const { client, address } = await newBuyer(world, { phone: number })
        const { chain, asset, amount } = order
        const body = { chain, asset, amount, address }
        const all = (await client.post('funding/quotes', body)).body
        expect(all.quotes.map(({ method }: { method: string }) => method)).not.toContain('apple-pay')
        const alone = (await client.post('funding/quotes', { ...body, method: 'apple-pay' })).body
        expect([alone.quotes, alone.unavailable]).toMatchObject([[], [{ reason: 'region' }]])
        const start = { ...order, ...guest, address, reference: randomUUID() }
        const refused = (await client.post('funding/purchases', start)).body
        expect([refused.code, refused.data]).toEqual(['provider_refused', { reason: 'region' }])
      },
    )

    test('order: its quote says for which countries it is', async () => {
      const { client, address } = await newBuyer(world, { phone: phone() })
      const { chain, asset, amount } = order
      const { body } = await client.post('funding/quotes', {
        chain,
        asset,
        amount,
        address,
        method: 'apple-pay',
      })
      expect(body.quotes).toMatchObject([{ method: 'apple-pay', countries: ['US'], missing: [] }])
    })

    test('order: a declined one is over, and opening the purchase again makes another', async () => {
      const { client, purchase, opening } = await started(guest, { phone: phone() })
      await playPage(opening.url, 'decline')
      expect((await read(client, purchase.id)).status).toBe('failed')
      world.clock.pass(1_000)
      const again = (await client.post(`funding/purchases/${purchase.id}/open`)).body.opening
      expect(again.url).not.toBe(opening.url)
      await playPage(again.url, 'approve')
      await world.sellers.coinbase.desk.idle()
      expect((await read(client, purchase.id)).status).toBe('completed')
    })

    test('order: nothing is begun before the user has accepted the provider’s terms', async () => {
      const { client, address } = await newBuyer(world, { phone: phone() })
      const body = { ...order, method: 'apple-pay', address, reference: randomUUID() }
      expect((await client.post('funding/purchases', body)).body.code).toBe('invalid_data')
      const { chain, asset, amount } = order
      const quoted = await client.post('funding/quotes', {
        chain,
        asset,
        amount,
        address,
        method: 'apple-pay',
      })
      expect(quoted.body.quotes).toMatchObject([{ total: '153.30', fee: '3.30', missing: [] }])
      expect(JSON.parse(lastCall('/platform/v2/onramp/orders')?.body ?? '{}')).not.toHaveProperty(
        'agreementAcceptedAt',
      )
    })

    test('order: an amount above the guest’s limit is refused with the reason', async () => {
      const { client, address } = await newBuyer(world, { phone: phone() })
      const { body } = await client.post('funding/purchases', {
        ...order,
        ...guest,
        amount: '1',
        address,
        reference: randomUUID(),
      })
      expect([body.code, body.data]).toEqual(['provider_refused', { reason: 'amount-too-high' }])
    })

    test.each([
      ['PENDING_AUTH', 'started'],
      ['PENDING_VERIFICATION', 'started'],
      ['PENDING_PAYMENT', 'pending'],
      ['PROCESSING', 'pending'],
      ['COMPLETED', 'completed'],
      ['FAILED', 'failed'],
      ['SOMETHING_NEW', 'started'],
    ])('order: %s means %s', async (name, status) => {
      const { client, purchase } = await started(guest, { phone: phone() })
      world.sellers.instead.answer = async (request) => {
        if (request.method !== 'GET') return undefined
        return Response.json({
          order: {
            orderId: 'o-1',
            status: `ONRAMP_ORDER_STATUS_${name}`,
            destinationAddress: purchase.address,
            destinationNetwork: 'base',
            purchaseCurrency: 'ETH',
            partnerUserRef: `sandbox-${purchase.id}`,
            fees: [],
            createdAt: new Date(world.clock.now).toISOString(),
          },
        })
      }
      expect((await read(client, purchase.id)).status).toBe(status)
    })
  })

  test(`webhook: ${crowd} parallel deliveries of one count once, and complete a closed tab’s purchase`, async () => {
    const { client, purchase } = await started()
    const body = eventOf(purchase)
    const all = await Promise.all(Array.from({ length: crowd }, () => deliver(body, sign(body))))
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await listed(client)).toMatchObject({ status: 'completed', total: '153.30' })
  })

  test('webhook: an order’s own form is understood, and one of real money never in the sandbox', async () => {
    const { client, purchase } = await started()
    const about = {
      eventType: 'onramp.transaction.updated',
      orderId: 'o-2',
      destinationAddress: purchase.address,
      destinationNetwork: 'base',
      purchaseCurrency: 'ETH',
      purchaseAmount: '0.05',
      createdAt: new Date(world.clock.now).toISOString(),
    }
    const say = async (more: object) => {
      const body = JSON.stringify({ ...about, ...more })
      expect((await deliver(body, sign(body))).status).toBe(200)
      return (await listed(client)).status
    }
    const ref = { partnerUserRef: `sandbox-${purchase.id}` }
    expect(await say({ status: 'ONRAMP_ORDER_STATUS_COMPLETED', partnerUserRef: purchase.id })).toBe(
      'started',
    )
    expect(
      await say({ ...ref, status: 'ONRAMP_ORDER_STATUS_COMPLETED', destinationNetwork: 'ethereum' }),
    ).toBe('started')
    expect(await say({ ...ref, status: 'ONRAMP_ORDER_STATUS_PROCESSING' })).toBe('pending')
    expect(await say({ ...ref, status: 'ONRAMP_ORDER_STATUS_COMPLETED' })).toBe('completed')
  })

  test('webhook: forged, old and changed ones are refused and change nothing', async () => {
    const { client, purchase } = await started()
    const body = eventOf(purchase)
    const now = world.clock.now
    const t = Math.floor(now / 1_000)
    const key = onrampAccount.webhookSecret
    const by = (text: string, secret = key) => createHmac('sha256', secret).update(text).digest('hex')
    const names = 'content-type x-hook0-id'
    const more = { 'x-hook0-id': 'id-1' }
    const right = by(`${t}.${names}.application/json.id-1.${body}`)
    const header = (value: string, others: Record<string, string> = more) => ({
      ...others,
      'x-hook0-signature': value,
    })
    const good = header(`t=${t},v0=${by(`${t}.${body}`)},h=${names},v1=${right}`)
    const forged: [name: string, body: string, headers: Record<string, string>][] = [
      ['no signature', body, {}],
      ['an empty header', body, header('')],
      ['no time', body, header(`h=${names},v1=${right}`)],
      ['no value', body, header(`t=${t},h=${names}`)],
      ['the old value alone', body, header(`t=${t},v0=${by(`${t}.${body}`)}`)],
      ['the old value in place of the new', body, header(`t=${t},h=${names},v1=${by(`${t}.${body}`)}`)],
      ['no names', body, header(`t=${t},v1=${right}`)],
      ['other names', body, header(`t=${t},h=content-type,v1=${right}`)],
      ['names in another order', body, header(`t=${t},h=x-hook0-id content-type,v1=${right}`)],
      ['a name that is none', body, header(`t=${t},h=content-type x:y,v1=${right}`)],
      ['a header that is not there', body, header(`t=${t},h=${names},v1=${right}`, {})],
      ['a header that was changed', body, header(`t=${t},h=${names},v1=${right}`, { 'x-hook0-id': 'id-2' })],
      [
        'another key',
        body,
        header(
          `t=${t},h=${names},v1=${by(`${t}.${names}.application/json.id-1.${body}`, 'other-key-of-somebody')}`,
        ),
      ],
      [
        'an empty key',
        body,
        header(`t=${t},h=${names},v1=${by(`${t}.${names}.application/json.id-1.${body}`, '')}`),
      ],
      [
        'the id as key',
        body,
        header(
          `t=${t},h=${names},v1=${by(`${t}.${names}.application/json.id-1.${body}`, onrampAccount.projectId)}`,
        ),
      ],
      ['no body signed', body, header(`t=${t},h=${names},v1=${by(`${t}.${names}.application/json.id-1.`)}`)],
      ['no headers signed', body, header(`t=${t},h=${names},v1=${by(`${t}.${body}`)}`)],
      ['capitals', body, header(`t=${t},h=${names},v1=${right.toUpperCase()}`)],
      ['cut off', body, header(`t=${t},h=${names},v1=${right.slice(1)}`)],
      ['longer', body, header(`t=${t},h=${names},v1=${right}00`)],
      [
        'one digit off',
        body,
        header(`t=${t},h=${names},v1=${right.slice(0, -1)}${right.endsWith('0') ? '1' : '0'}`),
      ],
      ['another time', body, header(`t=${t - 1},h=${names},v1=${right}`)],
      ['two times', body, header(`t=${t},t=${t},h=${names},v1=${right}`)],
      ['two values', body, header(`t=${t},h=${names},v1=${right},v1=${right}`)],
      ['a field more', body, header(`t=${t},h=${names},v1=${right},v2=1`)],
      ['six minutes old', body, sign(body, now - minutes(6))],
      ['two days old', body, sign(body, now - days(2))],
      ['a minute ahead', body, sign(body, now + minutes(1))],
      ['a time of words', body, header(`t=soon,h=${names},v1=${right}`)],
      ['a changed body', body.replace('0.05', '0.50'), good],
      [
        'a changed wallet',
        body.replace(purchase.address, '0x000000000000000000000000000000000000dEaD'),
        good,
      ],
      ['a space more', ` ${body}`, good],
      ['an empty body', '', good],
      ['the other provider’s header', body, { 'moonpay-signature-v2': `t=${t},s=${right}` }],
    ]
    expect(forged.length).toBeGreaterThanOrEqual(30)
    for (const [name, text, headers] of forged) expect((await deliver(text, headers)).status, name).toBe(401)
    expect((await listed(client)).status).toBe('started')
    expect((await deliver(body, good)).status).toBe(200)
    expect((await listed(client)).status).toBe('completed')
  })

  test('status: what is said of another wallet, network, asset or reference doesn’t count', async () => {
    const { client, purchase } = await started()
    for (const more of [
      { address: '0x000000000000000000000000000000000000dEaD' },
      { chain: 'eip155:1' },
      { symbol: 'USDC' },
      { reference: 'sandbox-lk00000000000000000000000000000000' },
    ]) {
      const said = JSON.parse(eventOf(purchase, more))
      world.sellers.instead.answer = () => Response.json({ transactions: [said] })
      expect((await read(client, purchase.id)).status).toBe('started')
      world.sellers.instead.answer = undefined
      const body = JSON.stringify(said)
      expect((await deliver(body, sign(body))).status).toBe(200)
      expect((await listed(client)).status).toBe('started')
    }
  })

  test('unmodified clients: a session token, and a status by the reference, of their own purchases alone', async () => {
    const { client, address } = await newBuyer(world)
    const init = { addresses: [{ address, blockchains: ['base'] }], assets: ['eth'] }
    const { status, body } = await client.post('funding/coinbase_on_ramp/init', init)
    expect(status).toBe(200)
    expect(body).toEqual({
      app_id: onrampAccount.projectId,
      session_token: expect.any(String),
      channel_id: expect.any(String),
      partner_user_id: expect.stringMatching(/^sandbox-lk[\da-f]{32}$/),
    })
    const ask = (by: Client) =>
      by.get(`funding/coinbase_on_ramp/status?partnerUserId=${encodeURIComponent(body.partner_user_id)}`)
    expect((await ask(client)).body).toEqual({ status: 'pending' })
    const query = new URLSearchParams({
      appId: body.app_id,
      sessionToken: body.session_token,
      defaultExperience: 'buy',
      presetCryptoAmount: '0.01',
      defaultNetwork: 'base',
      defaultPaymentMethod: 'CARD',
      defaultAsset: 'd85dce9b-5b73-5c3c-8978-522ce1d1c1b4',
      partnerUserId: body.partner_user_id,
    })
    await playPage(`${world.sellers.origin}/coinbase/buy/select-asset?${query}`, 'approve')
    await world.sellers.coinbase.desk.idle()
    expect((await ask(client)).body).toEqual({ status: 'success' })
    const { client: other } = await newBuyer(world)
    expect((await ask(other)).status).toBe(404)
    const strangers = await other.post('funding/coinbase_on_ramp/init', init)
    expect(strangers.body.code).toBe('linked_account_not_found')
  })
})
