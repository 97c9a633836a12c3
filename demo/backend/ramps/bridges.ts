import { and, desc, eq, gt } from 'drizzle-orm'
import type { Hono } from 'hono'
import * as v from 'valibot'
import type { ServerEnv } from '../http/services.ts'
import { Refusal } from '../lib/refusal.ts'
import { toSeconds } from '../lib/time.ts'
import { requireBearer } from '../sessions/bearer.ts'
import { postAsUser } from '../sessions/post-as-user.ts'
import type { App } from '../settings/app.ts'
import { countEvent } from '../store/rate-limits.ts'
import { refuseFrozen } from '../users/frozen.ts'
import { readAddressOn } from './assets.ts'
import { type FundingContext, requireOwnAddress } from './context.ts'
import { type BridgeRecord, bridges } from './tables.ts'

const PAGE = 20
const hour = 60 * 60_000
const word = (most: number) => v.pipe(v.string(), v.minLength(1), v.maxLength(most))
const chain = v.pipe(v.string(), v.maxLength(64), v.regex(/^(eip155:[1-9]\d{0,15}|solana:[a-z-]{1,32})$/))
const name = v.pipe(v.string(), v.regex(/^[\w-]{1,128}$/))
const figure = v.strictObject({
  symbol: word(32),
  decimals: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(36)),
  amount: v.pipe(v.string(), v.regex(/^\d{1,78}$/)),
})
const record = {
  id: v.pipe(v.string(), v.uuid()),
  address: word(64),
  chain,
  token: v.optional(word(64)),
  receives: figure,
  wallet: v.strictObject({
    id: word(64),
    name: word(64),
    address: word(64),
    chain_type: v.picklist(['ethereum', 'solana']),
  }),
  from: chain,
  network: word(64),
  pays: figure,
  seconds: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(604_800))),
  hash: v.optional(name),
}
const saveBody = v.strictObject({ ...record, request_id: name })
const endBody = v.strictObject({ status: v.picklist(['success', 'refund', 'failure', 'none']) })

/** Bridges that users have started, so that their other devices find them. docs/protocol.md, "Funding". */
export function bridgeRoutes(api: Hono<ServerEnv>, { services }: Pick<FundingContext, 'services'>): void {
  const { database, limits, clock } = services
  function requireBridging({ funding }: App): void {
    if (!funding?.bridging) throw new Refusal('feature_not_enabled', 'This app has no bridge.')
  }
  const ownedBy = (appId: string, userId: string) => and(eq(bridges.appId, appId), eq(bridges.userId, userId))

  api.post(
    '/api/v1/funding/bridges',
    postAsUser(services, {
      body: saveBody,
      async handle({ app, body, bearer: { userId } }) {
        requireBridging(app)
        const { request_id: requestId, ...given } = body
        const address = readAddressOn(given.chain, given.address)
        if (address === undefined) throw new Refusal('invalid_data', 'Invalid or missing: address')
        await requireOwnAddress(database, app, userId, { chain: given.chain, address })
        const now = clock()
        const window = { most: limits.purchasesPerHour * 2, span: hour }
        await countEvent(database, `bridges ${userId}`, now, hour, [window])
        const row = { appId: app.id, userId, requestId, record: given satisfies BridgeRecord }
        await database
          .insert(bridges)
          .values({ ...row, status: 'open', createdAt: now, updatedAt: now })
          .onConflictDoUpdate({
            target: [bridges.appId, bridges.userId, bridges.requestId],
            set: { record: given, updatedAt: now },
          })
        return { body: null }
      },
    }),
  )
  api.get('/api/v1/funding/bridges', async (c) => {
    const app = c.get('app')
    requireBridging(app)
    const { userId } = await requireBearer(c, services)
    await refuseFrozen(database, userId)
    const recent = gt(bridges.createdAt, clock() - limits.unpaidPurchaseLife)
    const rows = await database
      .select()
      .from(bridges)
      .where(and(ownedBy(app.id, userId), recent))
      .orderBy(desc(bridges.createdAt), desc(bridges.requestId))
      .limit(PAGE)
    return c.json({
      bridges: rows.map(({ requestId, record: stored, status, createdAt }) => ({
        ...stored,
        request_id: requestId,
        status,
        started_at: toSeconds(createdAt),
      })),
    })
  })
  api.post(
    '/api/v1/funding/bridges/:id/end',
    postAsUser(services, {
      body: endBody,
      async handle({ c, app, body, bearer: { userId } }) {
        const which = and(ownedBy(app.id, userId), eq(bridges.requestId, c.req.param('id') ?? ''))
        // Nothing was sent.
        if (body.status === 'none')
          await database.delete(bridges).where(and(which, eq(bridges.status, 'open')))
        else await database.update(bridges).set({ status: body.status, updatedAt: clock() }).where(which)
        return { body: null }
      },
    }),
  )
}
