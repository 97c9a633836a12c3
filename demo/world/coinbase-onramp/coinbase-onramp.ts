import { createHmac, createPublicKey, type KeyObject, randomBytes, randomUUID } from 'node:crypto'
import { isIP } from 'node:net'
import { Hono } from 'hono'
import { jwtVerify } from 'jose'
import * as v from 'valibot'
import { createDesk, type Payment, type Play, plays, priceOf } from '../payments/desk.ts'
import { notePage, pageHeaders, paymentPage, payPage } from '../payments/pages.ts'
import type { Treasury } from '../payments/treasury.ts'
import { sendWebhook } from '../payments/webhooks.ts'

/** What a partner of Coinbase's has. */
export interface OnrampAccount {
  projectId: string
  keyName: string
  /** SPKI in PEM. */
  publicKey: string
  webhookSecret: string
  /** Where webhooks go. */
  webhookUrl?: string
}

const NAME = 'Coinbase Onramp'
const TOKEN_LIFE = 5 * 60_000
const WEEK = 500
const chains: Readonly<Record<string, string>> = {
  ethereum: 'eip155:1',
  optimism: 'eip155:10',
  polygon: 'eip155:137',
  base: 'eip155:8453',
  arbitrum: 'eip155:42161',
  solana: 'solana:mainnet',
}
/** Ids by which older clients name an asset. */
export const assetIds: Readonly<Record<string, string>> = {
  '2b92315d-eab7-5bef-84fa-089a131333f5': 'USDC',
  'd85dce9b-5b73-5c3c-8978-522ce1d1c1b4': 'ETH',
  '5b71fc48-3dd3-540c-809b-f8c94d0e68b5': 'BTC',
  '4f039497-3af8-5bb3-951c-6df9afa9be1c': 'SOL',
  '026bcc1e-9163-591c-a709-34dd18b2e7a1': 'POL',
}

const text = v.pipe(v.string(), v.minLength(1), v.maxLength(200))
const ip = v.pipe(
  v.string(),
  v.check((given) => isIP(given) !== 0),
)
const reference = v.pipe(v.string(), v.minLength(1), v.maxLength(49))
const tokenBody = v.object({
  addresses: v.pipe(
    v.array(v.object({ address: text, blockchains: v.pipe(v.array(text), v.minLength(1)) })),
    v.minLength(1),
  ),
  assets: v.optional(v.array(text)),
  clientIp: ip,
})
const amounts = {
  purchaseCurrency: text,
  destinationNetwork: text,
  destinationAddress: text,
  purchaseAmount: v.optional(v.pipe(v.string(), v.regex(/^\d+(?:\.\d+)?$/))),
  paymentAmount: v.optional(v.pipe(v.string(), v.regex(/^\d+(?:\.\d+)?$/))),
  paymentCurrency: v.optional(text, 'USD'),
}
const sessionBody = v.object({
  ...amounts,
  paymentMethod: v.optional(text),
  country: v.optional(text),
  clientIp: v.optional(ip),
  partnerUserRef: v.optional(reference),
  redirectUrl: v.optional(text),
})
const orderBody = v.object({
  ...amounts,
  paymentMethod: v.picklist(['GUEST_CHECKOUT_APPLE_PAY', 'GUEST_CHECKOUT_GOOGLE_PAY']),
  email: v.pipe(v.string(), v.email()),
  phoneNumber: v.pipe(v.string(), v.regex(/^\+1\d{10}$/)),
  phoneNumberVerifiedAt: v.pipe(v.string(), v.isoTimestamp()),
  agreementAcceptedAt: v.optional(v.pipe(v.string(), v.isoTimestamp())),
  partnerUserRef: reference,
  clientIp: v.optional(ip),
  domain: v.optional(text),
  isQuote: v.optional(v.boolean(), false),
})

interface Session {
  account: OnrampAccount
  addresses: v.InferOutput<typeof tokenBody>['addresses']
  until: number
}
interface Order {
  account: OnrampAccount
  id: string
  linkToken: string
  partnerUserRef: string
  chain: string
  network: string
  symbol: string
  address: string
  amount: string
  method: string
  createdAt: number
}

/** Sent to the page around the frame, as the original does. */
const frameScript = (events: readonly string[]) =>
  `for (const eventName of ${JSON.stringify(events)}) parent.postMessage({ eventName, data: {} }, '*')`

/**
 * Coinbase Onramp: session tokens and the hosted page, orders with a payment button in a frame (API v2), and webhooks.
 * @param options.base where it is mounted
 */
export function createCoinbaseOnramp({
  base,
  treasury,
  accounts,
  slowness,
  now = Date.now,
}: {
  base: string
  treasury: Treasury
  accounts: OnrampAccount[]
  slowness?: number
  now?: () => number
}) {
  const sessions = new Map<string, Session>()
  const orders = new Map<string, Order>()
  /** Pages that a token has opened: it opens none twice. */
  const pages = new Map<
    string,
    { account: OnrampAccount; order: Parameters<typeof desk.pay>[0]; back?: string | undefined }
  >()
  const desk = createDesk({
    treasury,
    now,
    ...(slowness !== undefined && { slowness }),
    async onChange(payment) {
      const account = accounts.find(({ projectId }) => projectId === payment.account)
      if (!account) return
      const order = orders.get(payment.id)
      const name =
        payment.state === 'completed'
          ? 'success'
          : payment.state === 'failed'
            ? 'failed'
            : payment.updatedAt <= payment.createdAt + 1
              ? 'created'
              : 'updated'
      const about = order ? orderView(order, payment) : webhookView(payment)
      const body = JSON.stringify({ eventType: `onramp.transaction.${name}`, ...about })
      await sendWebhook(account.webhookUrl, () => ({ headers: hookHeaders(account, body, now()), body }))
    },
  })
  const refused = (status: 400 | 401 | 404 | 429, errorType: string, errorMessage: string) =>
    Response.json({ errorType, errorMessage, correlationId: randomUUID() }, { status })

  /** The partner whose key has signed the bearer for this very call. */
  async function partnerOf(request: Request): Promise<OnrampAccount | undefined> {
    const bearer = /^Bearer (\S+)$/.exec(request.headers.get('authorization') ?? '')?.[1]
    const { host, pathname } = new URL(request.url)
    if (!bearer) return undefined
    for (const account of accounts) {
      try {
        const key: KeyObject = createPublicKey(account.publicKey)
        const { payload, protectedHeader } = await jwtVerify(bearer, key, {
          issuer: 'cdp',
          subject: account.keyName,
          algorithms: ['EdDSA', 'ES256'],
          requiredClaims: ['exp', 'nbf'],
          currentDate: new Date(now()),
        })
        const { uris } = payload
        const isForThis = Array.isArray(uris) && uris.includes(`${request.method} ${host}${pathname}`)
        if (protectedHeader.kid === account.keyName && protectedHeader.nonce && isForThis) return account
      } catch {}
    }
    return undefined
  }
  const soldOn = (network: string, symbol: string) => {
    const chain = Object.hasOwn(chains, network) ? chains[network] : undefined
    return chain && treasury.has(chain, symbol) ? chain : undefined
  }

  const app = new Hono()
  app.use('/onramp/*', async (c, next) => {
    if (!(await partnerOf(c.req.raw))) return refused(401, 'unauthorized', 'Unauthorized')
    return next()
  })
  app.use('/platform/*', async (c, next) => {
    if (!(await partnerOf(c.req.raw))) return refused(401, 'unauthorized', 'Unauthorized')
    return next()
  })
  const bodyOf = async <T>(request: Request, schema: v.GenericSchema<unknown, T>): Promise<T | undefined> => {
    const result = v.safeParse(schema, await request.json().catch(() => undefined))
    return result.success ? result.output : undefined
  }
  const invalid = () => refused(400, 'invalid_request', 'The request is not valid')

  app.post('/onramp/v1/token', async (c) => {
    const account = await partnerOf(c.req.raw)
    const body = await bodyOf(c.req.raw, tokenBody)
    if (!account || !body) return invalid()
    const token = randomBytes(24).toString('base64url')
    sessions.set(token, { account, addresses: body.addresses, until: now() + TOKEN_LIFE })
    return c.json({ token, channel_id: randomUUID() })
  })
  app.get('/onramp/v1/buy/user/:ref/transactions', async (c) => {
    const account = await partnerOf(c.req.raw)
    const all = account ? desk.of(account.projectId, c.req.param('ref')) : []
    return c.json({
      transactions: all.map(transactionView),
      next_page_key: '',
      total_count: String(all.length),
    })
  })

  app.post('/platform/v2/onramp/sessions', async (c) => {
    const account = await partnerOf(c.req.raw)
    const body = await bodyOf(c.req.raw, sessionBody)
    if (!account || !body?.purchaseAmount) return invalid()
    if (!soldOn(body.destinationNetwork, body.purchaseCurrency))
      return refused(400, 'network_not_tradable', 'Not sold on this network')
    const token = randomBytes(24).toString('base64url')
    const addresses = [{ address: body.destinationAddress, blockchains: [body.destinationNetwork] }]
    sessions.set(token, { account, addresses, until: now() + TOKEN_LIFE })
    const price = priceOf(body.purchaseCurrency, body.purchaseAmount)
    return c.json(
      {
        session: { onrampUrl: `${base}/buy/select-asset?sessionToken=${token}` },
        quote: {
          paymentTotal: price.total.toFixed(2),
          paymentSubtotal: price.subtotal.toFixed(2),
          paymentCurrency: body.paymentCurrency,
          purchaseCurrency: body.purchaseCurrency,
          purchaseAmount: body.purchaseAmount,
          destinationNetwork: body.destinationNetwork,
          fees: feesOf(price, body.paymentCurrency),
          exchangeRate: String(price.subtotal / Number(body.purchaseAmount)),
        },
      },
      201,
    )
  })
  app.post('/platform/v2/onramp/orders', async (c) => {
    const account = await partnerOf(c.req.raw)
    const body = await bodyOf(c.req.raw, orderBody)
    if (!account || !body?.purchaseAmount) return invalid()
    // A quote binds nobody.
    if (!body.isQuote && !body.agreementAcceptedAt) return invalid()
    if (now() - Date.parse(body.phoneNumberVerifiedAt) > 60 * 86_400_000)
      return refused(400, 'phone_number_verification_expired', 'Verify the phone number again')
    if (!/^sandbox-/.test(body.partnerUserRef) && body.phoneNumber.startsWith('+1555'))
      return refused(400, 'invalid_request', 'Not a real cell phone number')
    const chain = soldOn(body.destinationNetwork, body.purchaseCurrency)
    if (!chain) return refused(400, 'network_not_tradable', 'Not sold on this network')
    if (priceOf(body.purchaseCurrency, body.purchaseAmount).total > WEEK)
      return refused(400, 'guest_transaction_limit', 'Above the weekly limit')
    const order: Order = {
      account,
      id: randomUUID(),
      linkToken: randomBytes(24).toString('base64url'),
      partnerUserRef: body.partnerUserRef,
      chain,
      network: body.destinationNetwork,
      symbol: body.purchaseCurrency,
      address: body.destinationAddress,
      amount: body.purchaseAmount,
      method: body.paymentMethod,
      createdAt: now(),
    }
    if (body.isQuote) return c.json({ order: orderView(order, undefined) }, 201)
    orders.set(order.id, order)
    const kind = body.paymentMethod === 'GUEST_CHECKOUT_APPLE_PAY' ? 'apple-pay' : 'google-pay'
    return c.json(
      {
        order: orderView(order, undefined),
        paymentLink: {
          url: `${base}/v2/api-onramp/${kind}?sessionToken=${order.linkToken}`,
          paymentLinkType: `PAYMENT_LINK_TYPE_${kind === 'apple-pay' ? 'APPLE_PAY' : 'GOOGLE_PAY'}_BUTTON`,
        },
      },
      201,
    )
  })
  app.get('/platform/v2/onramp/orders/:id', async (c) => {
    const account = await partnerOf(c.req.raw)
    const order = orders.get(c.req.param('id'))
    if (!order || order.account !== account) return refused(404, 'not_found', 'Order not found')
    return c.json({ order: orderView(order, desk.get(order.id)) })
  })

  app.get('/buy/select-asset', (c) => openPage(c.req.raw))
  app.get('/sandbox/', (c) => openPage(c.req.raw))
  function openPage(request: Request): Response {
    const query = Object.fromEntries(new URL(request.url).searchParams)
    const session = sessions.get(query.sessionToken ?? '')
    sessions.delete(query.sessionToken ?? '')
    if (!session || session.until < now())
      return html(notePage(NAME, 'This link has expired', 'Go back and begin again.'), 400)
    const named = query.defaultAsset ?? 'ETH'
    const symbol = (assetIds[named] ?? named).toUpperCase()
    const fits = session.addresses.find(({ blockchains }) => blockchains.includes(query.defaultNetwork ?? ''))
    const network = fits ? (query.defaultNetwork ?? '') : (session.addresses[0]?.blockchains[0] ?? '')
    const address = (fits ?? session.addresses[0])?.address ?? ''
    const chain = soldOn(network, symbol)
    if (!chain)
      return html(notePage(NAME, 'This is not for sale', 'Choose another network.', query.redirectUrl), 400)
    const amount = query.presetCryptoAmount ?? '0.01'
    const price = priceOf(symbol, amount)
    const isTransfer = query.defaultExperience === 'send'
    const page = randomBytes(16).toString('hex')
    pages.set(page, {
      account: session.account,
      back: query.redirectUrl,
      order: {
        account: session.account.projectId,
        reference: query.partnerUserRef ?? query.partnerUserId ?? '',
        chain,
        symbol,
        address,
        amount,
        currency: query.fiatCurrency ?? 'USD',
        total: (isTransfer ? 0 : price.total).toFixed(2),
        fee: (isTransfer ? 0 : price.service + price.network).toFixed(2),
        method: isTransfer ? 'CRYPTO_ACCOUNT' : 'CARD',
      },
    })
    return html(
      payPage(NAME, {
        title: isTransfer ? `Send ${symbol} from your account` : `Buy ${symbol}`,
        rows: {
          'You get': `${amount} ${symbol}`,
          ...(!isTransfer && { 'You pay': `${price.total.toFixed(2)} USD` }),
          Network: network,
          Wallet: address,
        },
        action: `${base}/buy/pay`,
        fields: { page },
        choices: ['approve', 'slow', 'decline', 'three-d-secure', 'abandon'],
      }),
    )
  }
  app.post('/buy/pay', async (c) => {
    const form = new URLSearchParams(await c.req.text())
    const id = form.get('id')
    const action = `${base}/buy/pay`
    if (id !== null) {
      const payment = desk.authorize(id, form.get('answer') === 'yes')
      return payment
        ? html(paymentPage(NAME, payment, { action }))
        : html(notePage(NAME, 'There is no such payment', ''), 404)
    }
    const page = pages.get(form.get('page') ?? '')
    const play = form.get('play') ?? ''
    if (!page) return html(notePage(NAME, 'This link has expired', 'Go back and begin again.'), 400)
    if (play === 'abandon')
      return html(notePage(NAME, 'Nothing was paid', 'You can close this window.', page.back))
    if (!plays.includes(play as Play)) return html(notePage(NAME, 'Choose how to pay', ''), 400)
    const payment = desk.pay(page.order, play as Play, form.get('page') ?? undefined)
    return html(paymentPage(NAME, payment, { action, back: page.back }))
  })

  const orderOf = (token: string | undefined) =>
    [...orders.values()].find(({ linkToken }) => linkToken === token)
  app.get('/v2/api-onramp/:kind', (c) => {
    const order = orderOf(c.req.query('sessionToken'))
    const script = frameScript([order ? 'onramp_api.load_success' : 'onramp_api.load_error'])
    if (!order) return html(notePage(NAME, 'This link has expired', ''), 400)
    const kind = c.req.param('kind') === 'apple-pay' ? 'Apple Pay' : 'Google Pay'
    return html(
      payPage(NAME, {
        title: kind,
        rows: {
          'You get': `${order.amount} ${order.symbol}`,
          'You pay': `${priceOf(order.symbol, order.amount).total.toFixed(2)} USD`,
        },
        action: `${base}/v2/api-onramp/pay`,
        fields: { token: order.linkToken },
        choices: ['approve', 'slow', 'decline', 'three-d-secure', 'abandon'],
        script,
      }),
      200,
      script,
    )
  })
  app.post('/v2/api-onramp/pay', async (c) => {
    const form = new URLSearchParams(await c.req.text())
    const action = `${base}/v2/api-onramp/pay`
    const id = form.get('id')
    const order = id === null ? orderOf(form.get('token') ?? '') : orders.get(id)
    const play = form.get('play') ?? ''
    if (!order) return html(notePage(NAME, 'This link has expired', ''), 400)
    const say = (payment: Payment) => {
      const events =
        payment.state === 'failed'
          ? ['onramp_api.commit_error']
          : payment.state === 'authorizing'
            ? ['onramp_api.pending_payment_auth']
            : ['onramp_api.commit_success', 'onramp_api.polling_start']
      const script = frameScript(events)
      return html(paymentPage(NAME, payment, { action, script }), 200, script)
    }
    if (id !== null) {
      const payment = desk.authorize(id, form.get('answer') === 'yes')
      return payment ? say(payment) : html(notePage(NAME, 'There is no such payment', ''), 404)
    }
    if (play === 'abandon') {
      const script = frameScript(['onramp_api.cancel'])
      const payment = { id: order.id, state: 'failed' } as const
      return html(paymentPage(NAME, payment, { action, script }), 200, script)
    }
    if (!plays.includes(play as Play)) return html(notePage(NAME, 'Choose how to pay', ''), 400)
    const price = priceOf(order.symbol, order.amount)
    return say(
      desk.pay(
        {
          account: order.account.projectId,
          reference: order.partnerUserRef,
          chain: order.chain,
          symbol: order.symbol,
          address: order.address,
          amount: order.amount,
          currency: 'USD',
          total: price.total.toFixed(2),
          fee: (price.service + price.network).toFixed(2),
          method: order.method,
        },
        play as Play,
        order.id,
      ),
    )
  })

  return { app, desk, hosts: { api: base, platform: base, pay: base, sandboxPay: `${base}/sandbox` } }
}

const html = (text: string, status = 200, script?: string) =>
  new Response(text, {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', ...pageHeaders(script) },
  })

/** @param at Unix milliseconds */
export function hookHeaders(
  { webhookSecret }: Pick<OnrampAccount, 'webhookSecret'>,
  body: string,
  at: number,
) {
  const time = Math.floor(at / 1_000)
  const headers = { 'x-hook0-id': randomUUID(), 'content-type': 'application/json' }
  const names = Object.keys(headers).join(' ')
  const values = Object.values(headers).join('.')
  const v1 = createHmac('sha256', webhookSecret).update(`${time}.${names}.${values}.${body}`).digest('hex')
  const v0 = createHmac('sha256', webhookSecret).update(`${time}.${body}`).digest('hex')
  return { ...headers, 'x-hook0-signature': `t=${time},v0=${v0},h=${names},v1=${v1}` }
}

const networkOf = (chain: string) => Object.entries(chains).find(([, each]) => each === chain)?.[0] ?? ''
const feesOf = ({ service, network }: ReturnType<typeof priceOf>, currency: string) => [
  { type: 'FEE_TYPE_EXCHANGE', amount: service.toFixed(2), currency },
  { type: 'FEE_TYPE_NETWORK', amount: network.toFixed(2), currency },
]
const iso = (at: number) => new Date(at).toISOString()
const NEVER = '0001-01-01T00:00:00Z'

const statusName = ({ state }: Payment) =>
  `ONRAMP_TRANSACTION_STATUS_${state === 'completed' ? 'SUCCESS' : state === 'failed' ? 'FAILED' : 'IN_PROGRESS'}`

/** A transaction as the webhooks say it. */
export function webhookView(payment: Payment) {
  const money = (value: string, currency = payment.currency) => ({ value, currency })
  const isOver = payment.state === 'completed' || payment.state === 'failed'
  return {
    transactionId: payment.id,
    status: statusName(payment),
    purchaseCurrency: payment.symbol,
    purchaseNetwork: networkOf(payment.chain),
    purchaseAmount: money(payment.amount, payment.symbol),
    paymentTotal: money(payment.total),
    coinbaseFee: money(payment.fee),
    networkFee: money('0.00'),
    txHash: payment.hash ?? '0x',
    createdAt: iso(payment.createdAt),
    completedAt: isOver ? iso(payment.updatedAt) : NEVER,
    paymentMethod: payment.method,
    walletAddress: payment.address,
    type: 'ONRAMP_TRANSACTION_TYPE_BUY_AND_SEND',
    partnerUserRef: payment.reference,
    failureReason: payment.failure
      ? `FAILURE_REASON_${payment.failure.toUpperCase()}`
      : 'FAILURE_REASON_UNSPECIFIED',
    errorCode: 'ERROR_CODE_UNSPECIFIED',
  }
}

/** The same as the older API lists it. */
const transactionView = (payment: Payment) =>
  Object.fromEntries(
    Object.entries(webhookView(payment)).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  )

function orderView(order: Order, payment: Payment | undefined) {
  const price = priceOf(order.symbol, order.amount)
  const states = {
    'waiting-payment': 'PENDING_PAYMENT',
    authorizing: 'PENDING_AUTH',
    pending: 'PROCESSING',
    completed: 'COMPLETED',
    failed: 'FAILED',
  } as const
  return {
    orderId: order.id,
    paymentTotal: price.total.toFixed(2),
    paymentSubtotal: price.subtotal.toFixed(2),
    paymentCurrency: 'USD',
    paymentMethod: order.method,
    purchaseAmount: order.amount,
    purchaseCurrency: order.symbol,
    fees: feesOf(price, 'USD'),
    exchangeRate: String(price.subtotal / Number(order.amount)),
    destinationAddress: order.address,
    destinationNetwork: order.network,
    status: `ONRAMP_ORDER_STATUS_${payment ? states[payment.state] : 'PENDING_AUTH'}`,
    ...(payment?.hash && { txHash: payment.hash }),
    ...(payment?.failure && { failureReason: payment.failure }),
    partnerUserRef: order.partnerUserRef,
    createdAt: iso(order.createdAt),
    updatedAt: iso(payment?.updatedAt ?? order.createdAt),
  }
}
