import { randomBytes } from 'node:crypto'
import type { Hono } from 'hono'
import * as v from 'valibot'
import { readQuery } from '../http/body.ts'
import { notKept } from '../http/post.ts'
import type { ServerContext, ServerEnv } from '../http/services.ts'
import { Refusal, Unavailable } from '../lib/refusal.ts'
import { mayLeadTo, withParameters } from '../login/return-address.ts'
import { coinOf, createPrices } from '../preview/prices.ts'
import { requireBearer } from '../sessions/bearer.ts'
import { postAsUser } from '../sessions/post-as-user.ts'
import type { App } from '../settings/app.ts'
import { countEvent } from '../store/rate-limits.ts'
import { refuseFrozen } from '../users/frozen.ts'
import { readAmount } from './amounts.ts'
import { decimalsOf, isSolana, readAddressOn, symbolOf } from './assets.ts'
import {
  catchRampRefusal,
  type FundingContext,
  readBuyer,
  requireOwnAddress,
  requireRamp,
  requireRamps,
} from './context.ts'
import { type Buyer, type Order, type Presentation, type Ramp, RampRefusal } from './provider.ts'
import { notOpen, type PurchaseRow, unpaid } from './purchases.ts'
import { rampsOf } from './ramps.ts'
import { openingView, purchaseView, quoteView, unavailableView } from './views.ts'

const minute = 60_000
const hour = 60 * minute

const method = v.picklist(['card', 'apple-pay', 'google-pay', 'bank-transfer', 'exchange'])
const request = {
  address: v.pipe(v.string(), v.minLength(1), v.maxLength(64)),
  chain: v.pipe(v.string(), v.maxLength(64), v.regex(/^(eip155:[1-9]\d{0,15}|solana:[a-z-]{1,32})$/)),
  asset: v.picklist(['native-currency', 'USDC']),
  amount: v.pipe(v.string(), v.maxLength(48)),
  currency: v.optional(v.pipe(v.string(), v.regex(/^[A-Z]{3}$/)), 'USD'),
}
const quoteBody = v.strictObject({ ...request, method: v.optional(method) })
const startBody = v.strictObject({
  ...request,
  method,
  provider: v.pipe(v.string(), v.maxLength(64)),
  reference: v.pipe(v.string(), v.uuid(), v.toLowerCase()),
  expected_total: v.optional(v.pipe(v.string(), v.regex(/^\d{1,12}(?:\.\d{1,8})?$/))),
  theme: v.optional(v.picklist(['light', 'dark'])),
  accent_color: v.optional(v.pipe(v.string(), v.regex(/^#[\da-f]{6}$/i))),
  language: v.optional(v.pipe(v.string(), v.regex(/^[a-z]{2,3}(?:-[a-z\d]{2,8}){0,3}$/i))),
  return_url: v.optional(v.pipe(v.string(), v.maxLength(2_048))),
  terms_accepted_at: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
})
const nothing = v.strictObject({})

/** The page that the buyer comes back to learns which purchase it is: the tab may be another one than before. */
function presentationOf({ id, presentation }: PurchaseRow): Presentation {
  const { returnUrl } = presentation
  return returnUrl === undefined
    ? presentation
    : { ...presentation, returnUrl: withParameters(returnUrl, { lk_purchase: id }) }
}

/** Quotes and purchases for our own kit. docs/protocol.md, "Funding". */
export function fundingRoutes(api: Hono<ServerEnv>, context: FundingContext): void {
  const { services, purchases, cx } = context
  const { database, limits, clock, outside, idempotency } = services
  const prices = createPrices({ source: outside.prices, limits, clock })

  /** The request, checked and normalized for comparison. */
  async function readOrder(app: App, userId: string, given: v.InferOutput<typeof quoteBody>) {
    const { chain, asset, currency } = given
    const symbol = symbolOf(chain, asset)
    if (symbol === undefined) throw new Refusal('not_supported', 'Nothing is sold on this network.')
    const address = readAddressOn(chain, given.address)
    if (address === undefined) throw new Refusal('invalid_data', 'Invalid or missing: address')
    const amount = readAmount(given.amount, decimalsOf(chain, asset))
    if (amount === undefined) throw new Refusal('invalid_data', 'Invalid or missing: amount')
    await requireOwnAddress(database, app, userId, { chain, address })
    return { order: { address, chain, asset, amount, currency }, symbol }
  }
  const priceOf = async (chain: string, asset: string) => {
    const coin = coinOf(
      isSolana(chain) ? 0 : Number(chain.split(':')[1]),
      asset === 'USDC' ? 'USDC' : undefined,
    )
    return coin === undefined ? undefined : prices.of({ coin })
  }

  api.post(
    '/api/v1/funding/quotes',
    postAsUser(services, {
      actor: notKept,
      body: quoteBody,
      async handle({ c, app, body, bearer: { userId } }) {
        const ramps = requireRamps(app)
        const { order, symbol } = await readOrder(app, userId, body)
        const window = { most: limits.fundingQuotesPerMinute, span: minute }
        await countEvent(database, `funding quotes ${userId}`, clock(), minute, [window])
        const buyer = await readBuyer(context, c, userId)
        const one = async (ramp: Ramp, each: Ramp['methods'][number]) => {
          const reference = `lk${randomBytes(16).toString('hex')}`
          try {
            const quote = await ramp.quote({ ...order, reference, method: each.id }, buyer, cx)
            return { quote: quoteView(ramp, each, symbol, quote) }
          } catch (cause) {
            if (cause instanceof RampRefusal) return { unavailable: unavailableView(ramp, cause) }
            if (cause instanceof Unavailable)
              return { unavailable: unavailableView(ramp, { reason: 'unavailable', details: {} }) }
            throw cause
          }
        }
        const [price, ...all] = await Promise.all([
          priceOf(order.chain, order.asset),
          ...ramps.flatMap((ramp) =>
            ramp.methods
              .filter(({ id }) => body.method === undefined || body.method === id)
              .map((each) => one(ramp, each)),
          ),
        ])
        const quotes = all.flatMap(({ quote }) => quote ?? [])
        const quoted = new Set(quotes.map(({ provider }) => provider))
        const silent = all
          .flatMap(({ unavailable }) => unavailable ?? [])
          .filter((each) => !quoted.has(each.provider))
        // Each provider once.
        const unavailable = [...new Map(silent.map((each) => [each.provider, each])).values()]
        return { body: { quotes, unavailable, ...(price && { price }) } }
      },
    }),
  )

  async function assertTotal(ramp: Ramp, order: Order, buyer: Buyer, expected: string | undefined) {
    if (expected === undefined) return
    const { total, currency } = await ramp.quote(order, buyer, cx)
    if (total === undefined || Number(total) <= Number(expected) * (1 + limits.quoteSlack)) return
    throw new Refusal('quote_changed', 'The price has changed.', { data: { total, currency } })
  }

  /** The purchase and where it is paid; the provider is asked only where no earlier answer is good any more. */
  async function open(
    c: ServerContext,
    row: PurchaseRow,
    check?: (order: Order, buyer: Buyer) => Promise<void>,
    isReopened = false,
  ) {
    const app = c.get('app')
    const ramp = requireRamp(app, row.provider)
    const known = purchases.opening(row)
    // An order that has failed is over; a page takes another card.
    const isOver = row.status === 'failed' && row.providerReference !== null
    // An address that expires has a token, which opens one page once: whoever opens it again needs another.
    const isGood =
      !isOver &&
      known &&
      (known.expiresAt === undefined || (!isReopened && known.expiresAt > clock() + minute))
    if (known && (isGood || !unpaid.includes(row.status)))
      return { purchase: purchaseView(app, row), opening: openingView(known) }
    const buyer = await readBuyer(context, c, row.userId, row.termsAcceptedAt ?? undefined)
    const order: Order = {
      reference: row.id,
      method: row.method,
      address: row.address,
      chain: row.chain,
      asset: row.asset,
      amount: row.amount,
      currency: row.currency,
      product: row.product ?? undefined,
    }
    try {
      return await catchRampRefusal(async () => {
        await check?.(order, buyer)
        const started = await ramp.start(order, presentationOf(row), buyer, cx)
        const changed = await purchases.setOpening(row, started)
        return { purchase: purchaseView(app, changed), opening: openingView(started.opening) }
      })
    } catch (cause) {
      await purchases.discard(row)
      throw cause
    }
  }

  /** The last of those that wait for their turn in this process, by their key. */
  const turns = new Map<string, Promise<unknown>>()

  /**
   * One at a time, over all processes: a second press finds what the first one has made. Within this process they queue, so that only
   * one of them asks the database for its turn.
   */
  async function alone<T>(appId: string, key: string, work: () => Promise<T>): Promise<T> {
    const name = `${appId} ${key}`
    const before = turns.get(name)
    const turn = Promise.allSettled([before]).then(() => takeTurn(appId, key, work))
    turns.set(name, turn)
    try {
      return await turn
    } finally {
      if (turns.get(name) === turn) turns.delete(name)
    }
  }

  async function takeTurn<T>(appId: string, key: string, work: () => Promise<T>): Promise<T> {
    const request = { appId, path: '/api/v1/funding/purchases alone', key, content: '' }
    const { body } = await idempotency.once(request, async () => ({
      answer: { status: 200, body: await work() },
      keep: false,
    }))
    return body as T
  }

  /** The provider makes one order for a purchase, however many presses and tabs there are. */
  const openAlone = (
    c: ServerContext,
    owner: { appId: string; userId: string },
    id: string,
    check?: (order: Order, buyer: Buyer) => Promise<void>,
    isReopened?: boolean,
  ) => alone(owner.appId, id, async () => open(c, await purchases.require(owner, id), check, isReopened))

  api.post(
    '/api/v1/funding/purchases',
    postAsUser(services, {
      body: startBody,
      async handle({ c, app, body, bearer: { userId } }) {
        requireRamps(app)
        const ramp = requireRamp(app, body.provider)
        const way = ramp.methods.find(({ id }) => id === body.method)
        if (!way) throw new Refusal('not_supported', 'The provider does not take this way to pay.')
        const { return_url: returnUrl, terms_accepted_at: accepted, expected_total: expected } = body
        if (returnUrl !== undefined && !mayLeadTo(app, returnUrl))
          throw new Refusal('invalid_data', 'The address to return to is not allowed for this app.')
        const isAccepted =
          accepted === undefined ? !way.termsUrl : accepted * 1_000 <= clock() + limits.clockSkew
        if (!isAccepted) throw new Refusal('invalid_data', 'Invalid or missing: terms_accepted_at')
        const { order, symbol } = await readOrder(app, userId, body)
        const product = ramp.product(order.chain, order.asset)
        if (product === undefined)
          throw new Refusal('not_supported', 'The provider does not sell this on this network.')
        const answer = await alone(app.id, `${userId} ${body.reference}`, async () => {
          const row = await purchases.create({
            ...order,
            appId: app.id,
            userId,
            reference: body.reference,
            provider: ramp.id,
            method: body.method,
            isSandbox: ramp.sandbox,
            symbol,
            product,
            presentation: {
              theme: body.theme,
              accentColor: body.accent_color,
              language: body.language,
              returnUrl,
            },
            termsAcceptedAt: accepted === undefined ? null : accepted * 1_000,
          })
          const isFirst = row.sealedOpening === null
          if (isFirst) {
            const window = { most: limits.purchasesPerHour, span: hour }
            await countEvent(database, `purchases ${userId}`, clock(), hour, [window])
          }
          const check = (each: Order, buyer: Buyer) => assertTotal(ramp, each, buyer, expected)
          return openAlone(c, { appId: app.id, userId }, row.id, isFirst ? check : undefined)
        })
        return { body: answer }
      },
    }),
  )

  const bearerOf = async (c: ServerContext) => {
    const { userId } = await requireBearer(c, services)
    await refuseFrozen(database, userId)
    return { appId: c.get('app').id, userId }
  }
  api.get('/api/v1/funding/purchases', async (c) => {
    const owner = await bearerOf(c)
    const { rows, next } = await purchases.list(owner, readQuery(c).get('before') ?? undefined)
    const app = c.get('app')
    return c.json({ purchases: rows.map((row) => purchaseView(app, row)), ...(next && { next }) })
  })
  api.get('/api/v1/funding/purchases/:id', async (c) => {
    const row = await purchases.require(await bearerOf(c), c.req.param('id'))
    const app = c.get('app')
    const ramp = rampsOf(app).find(({ id }) => id === row.provider)
    // A provider that the app no longer has can't be asked.
    return c.json(purchaseView(app, ramp ? await purchases.refresh(row, ramp) : row))
  })
  const idOf = (c: ServerContext) => c.req.param('id') ?? ''
  api.post(
    '/api/v1/funding/purchases/:id/open',
    postAsUser(services, {
      actor: notKept,
      body: nothing,
      async handle({ c, app, bearer: { userId } }) {
        const owner = { appId: app.id, userId }
        const row = await purchases.require(owner, idOf(c))
        if (!unpaid.includes(row.status)) throw notOpen()
        await purchases.resume(row)
        return { body: await openAlone(c, owner, row.id, undefined, true) }
      },
    }),
  )
  api.post(
    '/api/v1/funding/purchases/:id/abandon',
    postAsUser(services, {
      body: nothing,
      async handle({ c, app, bearer: { userId } }) {
        const row = await purchases.require({ appId: app.id, userId }, idOf(c))
        return { body: purchaseView(app, await purchases.abandon(row)) }
      },
    }),
  )
}
