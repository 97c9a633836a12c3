import { createHash, randomBytes } from 'node:crypto'
import { and, desc, eq, inArray, isNull, lt, or, type SQL } from 'drizzle-orm'
import { noteAudit } from '../audit/audit.ts'
import { Refusal } from '../lib/refusal.ts'
import { seal, unseal } from '../secrets/sealing.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { Database, Transaction } from '../store/database.ts'
import { isSameAddress } from './assets.ts'
import type { Observation, Opening, PurchaseStatus, Ramp, RampContext, StartedPurchase } from './provider.ts'
import { purchases, rampEvents } from './tables.ts'

export type PurchaseRow = typeof purchases.$inferSelect
export type NewPurchase = Omit<
  typeof purchases.$inferInsert,
  'id' | 'status' | 'createdAt' | 'updatedAt' | 'sealedOpening' | 'checkedAt'
>

const PAGE = 20
/** The name under which the way to pay is sealed. */
export const openingName = (id: string) => `purchase ${id}`
/** What nobody has paid for. */
export const unpaid: readonly PurchaseStatus[] = ['started', 'failed', 'abandoned']

export interface Purchases {
  /** The purchase with this reference, which is made if there is none. */
  create(given: NewPurchase): Promise<PurchaseRow>
  /** @throws Refusal `invalid_data` (404) for what is not the user's */
  require(owner: Owner, id: string): Promise<PurchaseRow>
  /** The newest first. @param before the `next` of the page before */
  list(owner: Owner, before: string | undefined): Promise<{ rows: PurchaseRow[]; next: string | undefined }>
  opening(row: PurchaseRow): Opening | undefined
  setOpening(row: PurchaseRow, started: StartedPurchase): Promise<PurchaseRow>
  /** Forgets a purchase of which no way to pay is known. */
  discard(row: PurchaseRow): Promise<void>
  /** Goes on with one that was abandoned. */
  resume(row: PurchaseRow): Promise<PurchaseRow>
  /** @throws Refusal `purchase_not_open` for one that is paid */
  abandon(row: PurchaseRow): Promise<PurchaseRow>
  /** Asks the provider, unless that was done just now, or nothing can change any more. @throws Unavailable */
  refresh(row: PurchaseRow, ramp: Ramp): Promise<PurchaseRow>
  /**
   * Counts what a webhook has said, once for all deliveries of the same.
   * @returns whether it changed something
   */
  receive(event: { appId: string; provider: string; body: Uint8Array }, seen: Observation): Promise<boolean>
}
interface Owner {
  appId: string
  userId: string
}

export function createPurchases({
  database,
  secrets,
  clock,
  cx,
}: {
  database: Database
  secrets: Secrets
  clock: () => number
  cx: RampContext
}): Purchases {
  const own = ({ appId, userId }: Owner) => and(eq(purchases.appId, appId), eq(purchases.userId, userId))

  /** @returns the row as it is then, and whether something changed */
  async function apply(tx: Transaction, which: SQL | undefined, seen: Observation) {
    const [row] = await tx.select().from(purchases).where(which).for('update')
    if (!row || !isOfPurchase(row, seen) || !advances(row, seen)) return { row, changed: false }
    const now = clock()
    const [changed] = await tx
      .update(purchases)
      .set({
        status: seen.status,
        failure: seen.failure ?? null,
        transactionId: seen.transactionId,
        observedAt: seen.at,
        received: seen.received ?? row.received,
        total: seen.total ?? row.total,
        fee: seen.fee ?? row.fee,
        currency: seen.currency ?? row.currency,
        transactionHash: seen.transactionHash ?? row.transactionHash,
        updatedAt: now,
      })
      .where(eq(purchases.id, row.id))
      .returning()
    if (seen.status === 'completed')
      await noteAudit(tx, {
        at: now,
        appId: row.appId,
        actor: { type: 'system' },
        action: 'purchase-completed',
        userId: row.userId,
        place: '',
        details: { purchase: row.id, provider: row.provider, sandbox: row.isSandbox },
      })
    return { row: changed ?? row, changed: true }
  }

  return {
    async create(given) {
      const now = clock()
      const [made] = await database
        .insert(purchases)
        .values({
          ...given,
          id: `lk${randomBytes(16).toString('hex')}`,
          status: 'started',
          createdAt: now,
          updatedAt: now,
        })
        .onConflictDoNothing()
        .returning()
      if (made) return made
      const [known] = await database
        .select()
        .from(purchases)
        .where(and(own(given), eq(purchases.reference, given.reference ?? '')))
      if (!known) throw new Error('A purchase is neither new nor there')
      const same = (['provider', 'method', 'address', 'chain', 'asset', 'amount'] as const).every(
        (field) => known[field] === given[field],
      )
      if (same) return known
      throw new Refusal('resource_conflict', 'This reference is of another purchase.')
    },
    async require(owner, id) {
      const [row] = await database
        .select()
        .from(purchases)
        .where(and(own(owner), eq(purchases.id, id)))
      if (row) return row
      throw new Refusal('invalid_data', 'There is no such purchase.', { status: 404 })
    },
    async list(owner, before) {
      const [time = '', id = ''] = before?.split(' ') ?? []
      const at = Number(time)
      if (before !== undefined && (!/^\d{1,15}$/.test(time) || !/^lk[\da-f]{32}$/.test(id)))
        throw new Refusal('invalid_data', 'Invalid or missing: before')
      const older = or(lt(purchases.createdAt, at), and(eq(purchases.createdAt, at), lt(purchases.id, id)))
      const rows = await database
        .select()
        .from(purchases)
        .where(before === undefined ? own(owner) : and(own(owner), older))
        .orderBy(desc(purchases.createdAt), desc(purchases.id))
        .limit(PAGE + 1)
      const last = rows[PAGE - 1]
      const next = rows.length > PAGE && last ? `${last.createdAt} ${last.id}` : undefined
      return { rows: rows.slice(0, PAGE), next }
    },
    opening({ id, sealedOpening }) {
      return sealedOpening === null
        ? undefined
        : (JSON.parse(unseal(secrets, openingName(id), sealedOpening)) as Opening)
    },
    async setOpening(row, { opening, providerReference }) {
      const sealedOpening = seal(secrets, openingName(row.id), JSON.stringify(opening))
      const [changed] = await database
        .update(purchases)
        .set({ sealedOpening, ...(providerReference !== undefined && { providerReference }) })
        .where(eq(purchases.id, row.id))
        .returning()
      return changed ?? row
    },
    async discard({ id }) {
      const hopeless = and(isNull(purchases.sealedOpening), eq(purchases.status, 'started'))
      await database.delete(purchases).where(and(eq(purchases.id, id), hopeless))
    },
    async resume(row) {
      if (row.status !== 'abandoned') return row
      const [changed] = await database
        .update(purchases)
        .set({ status: 'started', updatedAt: clock() })
        .where(and(eq(purchases.id, row.id), eq(purchases.status, 'abandoned')))
        .returning()
      return changed ?? row
    },
    async abandon(row) {
      const [changed] = await database
        .update(purchases)
        .set({ status: 'abandoned', updatedAt: clock() })
        .where(and(eq(purchases.id, row.id), inArray(purchases.status, [...unpaid])))
        .returning()
      if (changed) return changed
      throw notOpen()
    },
    async refresh(row, ramp) {
      if (row.status === 'completed') return row
      const now = clock()
      const due = and(eq(purchases.id, row.id), lt(purchases.checkedAt, now - cx.limits.purchaseCheck + 1))
      const turn = await database
        .update(purchases)
        .set({ checkedAt: now })
        .where(due)
        .returning({ id: purchases.id })
      if (turn.length === 0) return row
      const seen = await ramp.status({ reference: row.id, providerReference: row.providerReference }, cx)
      if (seen.length === 0) return row
      return database.transaction(async (tx) => {
        let latest = row
        // The oldest first, so that the latest of several payments counts in the end.
        for (const each of seen.toSorted((one, other) => one.at - other.at))
          latest = (await apply(tx, eq(purchases.id, row.id), each)).row ?? latest
        return latest
      })
    },
    receive({ appId, provider, body }, seen) {
      const hash = createHash('sha256').update(body).digest('base64url')
      return database.transaction(async (tx) => {
        const first = await tx
          .insert(rampEvents)
          .values({ appId, provider, hash, at: clock() })
          .onConflictDoNothing()
          .returning({ hash: rampEvents.hash })
        if (first.length === 0) return false
        const which = and(
          eq(purchases.id, seen.reference),
          eq(purchases.appId, appId),
          eq(purchases.provider, provider),
        )
        return (await apply(tx, which, seen)).changed
      })
    },
  }
}

export const notOpen = () => new Refusal('purchase_not_open', 'This purchase is paid already.')

/** Whether what was paid for is what was ordered, and for the same wallet. */
function isOfPurchase({ address, product }: PurchaseRow, seen: Observation): boolean {
  return isSameAddress(address, seen.address) && (product === null || product === seen.product)
}

const ranks: Readonly<Record<PurchaseStatus, number>> = {
  abandoned: 0,
  started: 0,
  'waiting-payment': 1,
  'waiting-authorization': 2,
  pending: 3,
  failed: 4,
  completed: 5,
}

/** Whether an observation is news. Providers send them twice, late and out of order. */
function advances(row: PurchaseRow, seen: Observation): boolean {
  if (row.status === 'completed') return false
  if (seen.status === 'completed' || row.transactionId === null || row.observedAt === null) return true
  // Another card, after one that was declined; what is left of the declined one is late.
  if (row.transactionId !== seen.transactionId) return seen.at > row.observedAt
  if (row.status === 'failed') return false
  if (seen.at !== row.observedAt) return seen.at > row.observedAt
  return ranks[seen.status] > ranks[row.status]
}
