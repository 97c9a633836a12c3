import { createHmac, timingSafeEqual } from 'node:crypto'
import { Hono } from 'hono'
import { crossOrigin } from '../cross-origin.ts'
import { createDesk, type Payment, type Play, plays, priceOf } from '../payments/desk.ts'
import { notePage, pageHeaders, paymentPage, payPage } from '../payments/pages.ts'
import { decimalsOf, type Treasury } from '../payments/treasury.ts'
import { sendWebhook } from '../payments/webhooks.ts'

/** What a partner of MoonPay's has. */
export interface MoonpayAccount {
  publishableKey: string
  secretKey: string
  webhookKey: string
  /** Where webhooks go. */
  webhookUrl?: string
}

/** The provider's codes. */
const currencies: Readonly<Record<string, readonly [chain: string, symbol: string]>> = {
  eth: ['eip155:1', 'ETH'],
  usdc: ['eip155:1', 'USDC'],
  eth_base: ['eip155:8453', 'ETH'],
  usdc_base: ['eip155:8453', 'USDC'],
  eth_arbitrum: ['eip155:42161', 'ETH'],
  usdc_arbitrum: ['eip155:42161', 'USDC'],
  matic_polygon: ['eip155:137', 'POL'],
  usdc_polygon: ['eip155:137', 'USDC'],
  avax_cchain: ['eip155:43114', 'AVAX'],
  celo: ['eip155:42220', 'CELO'],
  sol: ['solana:mainnet', 'SOL'],
  usdc_sol: ['solana:mainnet', 'USDC'],
}
const LEAST_USD = 20
const MOST_USD = 10_000
const NAME = 'MoonPay'
const statuses = {
  'waiting-payment': 'waitingPayment',
  authorizing: 'waitingAuthorization',
  pending: 'pending',
  completed: 'completed',
  failed: 'failed',
} as const satisfies Record<Payment['state'], string>

/**
 * MoonPay: its page, where one plays the buyer, the part of its API that partners ask, and its webhooks.
 * @param options.base where it is mounted
 * @param options.accounts the partners, which may be added to
 */
export function createMoonpay({
  base,
  treasury,
  accounts,
  slowness,
  now = Date.now,
}: {
  base: string
  treasury: Treasury
  accounts: MoonpayAccount[]
  slowness?: number
  now?: () => number
}) {
  const desk = createDesk({
    treasury,
    now,
    ...(slowness !== undefined && { slowness }),
    async onChange(payment) {
      const account = accountOf(payment.account)
      const type =
        payment.createdAt + 1 === payment.updatedAt || payment.createdAt === payment.updatedAt
          ? 'transaction_created'
          : payment.state === 'failed'
            ? 'transaction_failed'
            : 'transaction_updated'
      const body = JSON.stringify({ type, data: viewOf(payment), externalCustomerId: null })
      if (account)
        await sendWebhook(account.webhookUrl, () => ({ headers: signedHeaders(account, body, now()), body }))
    },
  })
  const accountOf = (publishableKey: string | undefined) =>
    accounts.find((each) => each.publishableKey === publishableKey)
  const failed = (status: 400 | 401 | 404, moonPayErrorCode: string, message: string) =>
    Response.json({ moonPayErrorCode, message, type: 'BadRequestError', errors: [] }, { status })
  const soldAs = (code: string) => {
    const row = Object.hasOwn(currencies, code) ? currencies[code] : undefined
    return row && treasury.has(...row) ? row : undefined
  }

  /** The partner whose signature the address has. */
  function signer(url: URL): MoonpayAccount | undefined {
    const account = accountOf(url.searchParams.get('apiKey') ?? undefined)
    const at = url.search.lastIndexOf('&signature=')
    const signature = url.searchParams.get('signature')
    if (!account || at < 0 || !signature || url.search.indexOf('&', at + 1) >= 0) return undefined
    const expected = createHmac('sha256', account.secretKey).update(url.search.slice(0, at)).digest('base64')
    return isSame(expected, signature) ? account : undefined
  }

  const app = new Hono()
  app.use('/v1/*', crossOrigin({ methods: ['GET'] }))
  app.use('/v3/*', crossOrigin({ methods: ['GET'] }))

  app.get('/buy', (c) => {
    const url = new URL(c.req.url)
    const account = signer(url)
    if (!account)
      return c.html(
        notePage(NAME, 'This address is not signed', 'The partner has to sign it.'),
        400,
        pageHeaders(),
      )
    const query = Object.fromEntries(url.searchParams)
    const sold = soldAs(query.currencyCode ?? '')
    if (!sold || !query.walletAddress)
      return c.html(
        notePage(NAME, 'This is not for sale', 'Choose another currency.', query.redirectURL),
        400,
        pageHeaders(),
      )
    const [chain, symbol] = sold
    const amount = query.quoteCurrencyAmount ?? String(30 / (priceOf(symbol, '1').subtotal || 1))
    const { total } = priceOf(symbol, amount)
    return c.html(
      payPage(NAME, {
        title: `Buy ${symbol}`,
        rows: {
          'You get': `${amount} ${symbol}`,
          'You pay': `${total.toFixed(2)} ${(query.baseCurrencyCode ?? 'usd').toUpperCase()}`,
          Network: chain,
          Wallet: query.walletAddress,
        },
        action: `${base}/buy`,
        fields: { address: url.search },
        choices: [...plays, 'abandon'],
        theme: query.theme ?? '',
      }),
      200,
      pageHeaders(),
    )
  })
  app.post('/buy', async (c) => {
    const form = new URLSearchParams(await c.req.text())
    const id = form.get('id')
    if (id !== null) {
      const payment = desk.authorize(id, form.get('answer') === 'yes')
      if (!payment)
        return c.html(notePage(NAME, 'There is no such payment', 'Begin again.'), 404, pageHeaders())
      return c.html(paymentPage(NAME, payment, { action: `${base}/buy` }), 200, pageHeaders())
    }
    const url = new URL(`${base}/buy${form.get('address') ?? ''}`)
    const account = signer(url)
    const query = Object.fromEntries(url.searchParams)
    const sold = soldAs(query.currencyCode ?? '')
    const play = form.get('play') ?? ''
    if (!account || !sold) return c.html(notePage(NAME, 'This address is not signed', ''), 400, pageHeaders())
    if (play === 'abandon')
      return c.html(
        notePage(NAME, 'Nothing was paid', 'You can close this window.', query.redirectURL),
        200,
        pageHeaders(),
      )
    if (!plays.includes(play as Play))
      return c.html(notePage(NAME, 'Choose how to pay', ''), 400, pageHeaders())
    const [chain, symbol] = sold
    const amount =
      query.quoteCurrencyAmount ??
      (30 / priceOf(symbol, '1').subtotal).toFixed(Math.min(6, decimalsOf(chain, symbol)))
    const { total, subtotal } = priceOf(symbol, amount)
    const payment = desk.pay(
      {
        account: account.publishableKey,
        reference: query.externalTransactionId ?? '',
        chain,
        symbol,
        address: query.walletAddress ?? '',
        amount,
        currency: (query.baseCurrencyCode ?? 'usd').toUpperCase(),
        total: total.toFixed(2),
        fee: (total - subtotal).toFixed(2),
        method: query.paymentMethod ?? 'credit_debit_card',
      },
      play as Play,
    )
    return c.html(
      paymentPage(NAME, payment, { action: `${base}/buy`, back: returnOf(query.redirectURL, payment) }),
      200,
      pageHeaders(),
    )
  })

  app.get('/v1/transactions/ext/:reference', (c) => {
    const account = accountOf(c.req.query('apiKey'))
    if (!account) return failed(401, '4_SYS_UNAUTHORIZED', 'Unauthorized')
    const found = desk.of(account.publishableKey, c.req.param('reference'))
    if (found.length === 0) return failed(404, '4_SYS_NOT_FOUND', 'Transactions not found')
    return c.json(found.map(viewOf))
  })
  app.get('/v1/transactions/:id', (c) => {
    const account = accountOf(c.req.query('apiKey'))
    if (!account) return failed(401, '4_SYS_UNAUTHORIZED', 'Unauthorized')
    const found = desk.get(c.req.param('id'))
    if (found?.account !== account.publishableKey) return failed(404, '4_SYS_NOT_FOUND', 'Not found')
    return c.json(viewOf(found))
  })
  app.get('/v3/currencies/:code/buy_quote', (c) => {
    if (!accountOf(c.req.query('apiKey'))) return failed(401, '4_SYS_UNAUTHORIZED', 'Unauthorized')
    const sold = soldAs(c.req.param('code'))
    if (!sold) return failed(404, '4_SYS_NOT_FOUND', 'Currency not found')
    const amount = c.req.query('quoteCurrencyAmount') ?? ''
    const { subtotal, service, network, total } = priceOf(sold[1], amount)
    if (!(subtotal >= LEAST_USD && subtotal <= MOST_USD))
      return failed(400, '4_PS_AMOUNT', 'The amount is outside the limits')
    return c.json({
      baseCurrencyAmount: subtotal,
      baseCurrencyCode: c.req.query('baseCurrencyCode') ?? 'usd',
      quoteCurrencyAmount: Number(amount),
      quoteCurrencyCode: c.req.param('code'),
      feeAmount: service,
      extraFeeAmount: 0,
      networkFeeAmount: network,
      totalAmount: total,
      paymentMethod: c.req.query('paymentMethod'),
    })
  })
  app.get('/v3/currencies/:code/limits', (c) => {
    if (!accountOf(c.req.query('apiKey'))) return failed(401, '4_SYS_UNAUTHORIZED', 'Unauthorized')
    const sold = soldAs(c.req.param('code'))
    if (!sold) return failed(404, '4_SYS_NOT_FOUND', 'Currency not found')
    const price = priceOf(sold[1], '1').subtotal
    return c.json({
      paymentMethod: c.req.query('paymentMethod'),
      quoteCurrency: {
        code: c.req.param('code'),
        minBuyAmount: LEAST_USD / price,
        maxBuyAmount: MOST_USD / price,
      },
      baseCurrency: { code: 'usd', minBuyAmount: LEAST_USD, maxBuyAmount: MOST_USD },
      areFeesIncluded: true,
    })
  })

  return { app, desk, hosts: { buy: `${base}/buy`, sandboxBuy: `${base}/buy`, api: base } }
}

/** The address that the buyer goes back to, with the parameters that the original adds. */
function returnOf(redirectUrl: string | undefined, { id, state }: Payment): string | undefined {
  if (redirectUrl === undefined || !URL.canParse(redirectUrl)) return undefined
  const url = new URL(redirectUrl)
  url.searchParams.set('transactionId', id)
  url.searchParams.set('transactionStatus', statuses[state])
  return url.href
}

const isSame = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

/** @param at Unix milliseconds */
export function signedHeaders({ webhookKey }: Pick<MoonpayAccount, 'webhookKey'>, body: string, at: number) {
  const time = Math.floor(at / 1_000)
  const signature = createHmac('sha256', webhookKey).update(`${time}.${body}`).digest('hex')
  return { 'moonpay-signature-v2': `t=${time},s=${signature}` }
}

const codeOf = ({ chain, symbol }: Payment) =>
  Object.entries(currencies).find(([, row]) => row[0] === chain && row[1] === symbol)?.[0] ?? ''

export function viewOf(payment: Payment) {
  const failed = payment.state === 'failed'
  return {
    id: payment.id,
    createdAt: new Date(payment.createdAt).toISOString(),
    updatedAt: new Date(payment.updatedAt).toISOString(),
    baseCurrencyAmount: Number((Number(payment.total) - Number(payment.fee)).toFixed(2)),
    quoteCurrencyAmount: Number(payment.amount),
    feeAmount: Number((Number(payment.fee) - 0.3).toFixed(2)),
    extraFeeAmount: 0,
    networkFeeAmount: 0.3,
    areFeesIncluded: true,
    paymentMethod: payment.method,
    cardPaymentType: payment.method === 'credit_debit_card' ? 'card' : null,
    status: statuses[payment.state],
    failureReason: payment.failure ?? null,
    stages: [
      { stage: 'stage_one_ordering', status: 'success', failureReason: null, actions: [] },
      {
        stage: 'stage_two_verification',
        status: failed ? 'failed' : payment.state === 'authorizing' ? 'in_progress' : 'success',
        failureReason: payment.failure ?? null,
        actions: [],
      },
      {
        stage: 'stage_four_delivery',
        status: failed ? 'not_started' : payment.state === 'completed' ? 'success' : 'pending',
        failureReason: null,
        actions: [],
      },
    ],
    walletAddress: payment.address,
    walletAddressTag: null,
    currency: { type: 'crypto', code: codeOf(payment) },
    baseCurrency: { type: 'fiat', code: payment.currency.toLowerCase() },
    cryptoTransactionId: payment.hash ?? null,
    externalTransactionId: payment.reference,
    redirectUrl: null,
  }
}
