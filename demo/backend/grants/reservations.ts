import { randomUUID } from 'node:crypto'
import { and, count, desc, eq, gt, gte, inArray, isNull, lte, ne, notLike, sql, sum } from 'drizzle-orm'
import { Refusal } from '../lib/refusal.ts'
import type { Database, Queries, Transaction } from '../store/database.ts'
import { users } from '../users/tables.ts'
import { wallets } from '../wallets/tables.ts'
import { denied } from './denials.ts'
import type { Cost, Plan } from './plan.ts'
import { grantAmounts, grants, grantUses, type UseStatus } from './tables.ts'

export type GrantRow = typeof grants.$inferSelect
export type UseRow = typeof grantUses.$inferSelect

/** Uses whose transaction may still be included: their numbers are taken. */
const pending: UseStatus[] = ['reserved', 'sent', 'unknown']

/** A use is open until its outcome is known for good. */
const open: UseStatus[] = [...pending, 'refused']

/** The use that a signer has named so before. @throws Refusal `resource_conflict` if it asked for something else */
export async function findUse(
  db: Queries,
  grantId: string,
  { key, request }: { key: string; request: string },
): Promise<UseRow | undefined> {
  const [use] = await db
    .select()
    .from(grantUses)
    .where(and(eq(grantUses.grantId, grantId), eq(grantUses.key, key)))
  if (use && use.request !== request)
    throw new Refusal('resource_conflict', 'This idempotency key was used for another request.')
  return use
}

/** @throws Refusal `permission_denied` unless the grant is in force and its user in reach */
export async function requireInForce(
  db: Queries,
  grantId: string,
  now: number,
  { locked }: { locked: boolean } = { locked: false },
): Promise<GrantRow> {
  const query = db.select().from(grants).where(eq(grants.id, grantId))
  const [grant] = await (locked ? query.for('update') : query)
  if (!grant || grant.endedAt !== null || now < grant.notBefore || now >= grant.notAfter)
    throw denied('ended')
  const [user] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, grant.userId), isNull(users.removedAt), isNull(users.frozenAt)))
  if (!user) throw denied('account')
  return grant
}

/** Names of the server's own transactions, which close a gap in a wallet's numbers. No signer can give one: theirs have no spaces. */
const GAP = 'gap '

/** Uses that count as such: neither those that came to nothing, nor the server's own. */
export const countedUse = and(ne(grantUses.status, 'dropped'), notLike(grantUses.key, `${GAP}%`))

/** @throws Refusal `permission_denied` where the grant has been used as often as it may be */
export async function requireUseLeft(db: Queries, { id, terms }: GrantRow): Promise<void> {
  if (terms.maxUses === null) return
  const [row] = await db
    .select({ uses: count() })
    .from(grantUses)
    .where(and(eq(grantUses.grantId, id), countedUse))
  if ((row?.uses ?? 0) >= terms.maxUses) throw denied('max_uses')
}

interface Reserving {
  plan: Plan
  key: string
  request: string
  now: () => number
  /** For the server's own transaction: the number of the use that waits behind the gap. */
  gapBelow?: number
}

/**
 * Counts a transaction that closes a gap below a use's number, as {@link reserve} does.
 * @returns `undefined` where there is no gap any more
 */
export async function reserveGap(
  database: Database,
  grantId: string,
  given: Pick<Reserving, 'plan' | 'now'> & { gapBelow: number },
): Promise<UseRow | undefined> {
  const key = `${GAP}${randomUUID()}`
  try {
    return (await reserve(database, grantId, { ...given, key, request: key })).use
  } catch (cause) {
    if (cause instanceof NoGap) return undefined
    throw cause
  }
}
class NoGap extends Error {}

/**
 * Counts a use against all limits of its grant before anything is signed. Requests for one wallet come one after the other, so of any
 * number at once only those that fit are counted.
 * @returns the use, new or the same request's earlier one
 * @throws Refusal `permission_denied`, `resource_conflict`
 */
export function reserve(
  database: Database,
  grantId: string,
  { plan, key, request, now, gapBelow }: Reserving,
): Promise<{ use: UseRow; isNew: boolean }> {
  return database.transaction(async (tx) => {
    const [named] = await tx.select({ walletId: grants.walletId }).from(grants).where(eq(grants.id, grantId))
    if (!named) throw denied('ended')
    const { walletId } = named
    await tx.select({ id: wallets.id }).from(wallets).where(eq(wallets.id, walletId)).for('update')
    const earlier = await findUse(tx, grantId, { key, request })
    if (earlier) return { use: earlier, isNew: false }
    // Read once the wallet is locked: whoever waited finds what has happened meanwhile.
    const at = now()
    const grant = await requireInForce(tx, grantId, at, { locked: true })
    if (gapBelow === undefined) await requireUseLeft(tx, grant)
    for (const cost of plan.costs) await requireWithin(tx, grant, plan.chain, cost, at)
    const nonce = plan.nonce === undefined ? null : await nextNonce(tx, walletId, plan.chain, plan.nonce)
    if (gapBelow !== undefined && (nonce === null || nonce >= gapBelow)) throw new NoGap('No number is free')
    const [use] = await tx
      .insert(grantUses)
      .values({
        id: randomUUID(),
        grantId,
        walletId,
        key,
        request,
        chain: plan.chain,
        target: plan.target,
        status: 'reserved',
        nonce,
        lastBlock: plan.lastBlock ?? null,
        at,
        checkedAt: at,
      })
      .returning()
    if (!use) throw new Error('The use of a grant was not stored')
    await tx.insert(grantAmounts).values(
      plan.costs.map(({ asset, amount, fee }) => ({
        useId: use.id,
        grantId,
        chain: plan.chain,
        asset,
        amount: String(amount),
        fee: String(fee),
        at,
      })),
    )
    return { use, isNew: true }
  })
}

async function requireWithin(
  tx: Transaction,
  { id, terms }: GrantRow,
  chain: string,
  { asset, amount }: Cost,
  at: number,
): Promise<void> {
  const limit = terms.limits.find((each) => each.chain === chain && each.asset === asset)
  if (!limit) {
    if (amount === 0n) return
    throw denied('asset')
  }
  if (amount > BigInt(limit.perTransaction)) throw denied('per_transaction')
  const spent = await spentOf(tx, id, { chain, asset, since: at - limit.windowSeconds * 1_000 })
  if (spent.total + amount > BigInt(limit.total)) throw denied('total')
  if (spent.inWindow + amount > BigInt(limit.perWindow)) throw denied('per_window')
}

/**
 * Sums what uses have taken of an asset, in all and since a time. A use of the future counts as one of now: the clock has gone back.
 */
export async function spentOf(
  db: Queries,
  grantId: string,
  { chain, asset, since }: { chain: string; asset: string; since: number },
): Promise<{ total: bigint; inWindow: bigint }> {
  const { amount } = grantAmounts
  const [row] = await db
    .select({
      total: sum(amount),
      inWindow: sql<string | null>`sum(${amount}) filter (where ${gt(grantAmounts.at, since)})`,
    })
    .from(grantAmounts)
    .where(
      and(eq(grantAmounts.grantId, grantId), eq(grantAmounts.chain, chain), eq(grantAmounts.asset, asset)),
    )
  return { total: BigInt(row?.total ?? 0), inWindow: BigInt(row?.inWindow ?? 0) }
}

/**
 * The lowest number of the wallet's transactions that is free: one that died unsigned leaves no gap, behind which all later ones would
 * wait. A number whose transaction the nodes have refused is free as well; both stay counted until one of them is found.
 */
async function nextNonce(
  tx: Transaction,
  walletId: string,
  chain: string,
  fromNodes: number,
): Promise<number> {
  const ofWallet = and(eq(grantUses.walletId, walletId), eq(grantUses.chain, chain))
  const [row] = await tx
    .select({
      usedUp: sql<
        number | null
      >`max(${grantUses.nonce}) filter (where ${inArray(grantUses.status, ['confirmed', 'failed'])}
        or (${eq(grantUses.status, 'dropped')} and ${grantUses.hash} is not null))`.mapWith(Number),
    })
    .from(grantUses)
    .where(ofWallet)
  // A node that lags behind gives no number a second time.
  let nonce = Math.max(fromNodes, row?.usedUp === null || row?.usedUp === undefined ? 0 : row.usedUp + 1)
  const held = await tx
    .select({ nonce: grantUses.nonce })
    .from(grantUses)
    .where(and(ofWallet, inArray(grantUses.status, pending), gte(grantUses.nonce, nonce)))
  const taken = new Set(held.map((each) => each.nonce))
  while (taken.has(nonce)) nonce++
  return nonce
}

/** Stores what became of a use that is still open: what is known for good is never unlearnt. */
export async function noteUse(
  db: Queries,
  id: string,
  changed: Partial<Pick<UseRow, 'status' | 'raw'>>,
): Promise<void> {
  await db
    .update(grantUses)
    .set(changed)
    .where(and(eq(grantUses.id, id), inArray(grantUses.status, open)))
}

/**
 * Gives back what a use has reserved, once something was found that shows that its transaction has moved nothing, and never will.
 * `failed` has paid the network; `dropped` was never included.
 */
export async function release(
  database: Database,
  id: string,
  status: Extract<UseStatus, 'failed' | 'dropped'>,
): Promise<void> {
  await database.transaction(async (tx) => {
    const moved = await tx
      .update(grantUses)
      .set({ status, raw: null })
      .where(and(eq(grantUses.id, id), inArray(grantUses.status, open)))
      .returning({ id: grantUses.id })
    if (moved.length === 0) return
    await tx
      .update(grantAmounts)
      .set({ amount: status === 'failed' ? grantAmounts.fee : '0' })
      .where(eq(grantAmounts.useId, id))
  })
}

/** The newest uses of each grant. */
export async function latestUses(db: Queries, grantIds: readonly string[], most: number): Promise<UseRow[]> {
  const { grantId, at, id } = grantUses
  const ranked = db.$with('ranked').as(
    db
      .select({
        useId: sql<string>`${id}`.as('use_id'),
        place: sql<number>`row_number() over (partition by ${grantId} order by ${at} desc, ${id} desc)`.as(
          'place',
        ),
      })
      .from(grantUses)
      .where(inArray(grantId, [...grantIds])),
  )
  const rows = await db
    .with(ranked)
    .select({ use: grantUses })
    .from(grantUses)
    .innerJoin(ranked, and(eq(ranked.useId, id), lte(ranked.place, most)))
    .orderBy(desc(at), desc(id))
  return rows.map(({ use }) => use)
}

/** What each limit of grants has let through, in all and in its window of now. */
export function spentByLimits(
  db: Queries,
  grantIds: readonly string[],
  now: number,
): Promise<{ grantId: string; chain: string; asset: string; total: string; inWindow: string | null }[]> {
  const { grantId, chain, asset, amount, at } = grantAmounts
  const limit = sql`jsonb_array_elements(${grants.terms} -> 'limits')`
  return db
    .select({
      grantId,
      chain,
      asset,
      total: sql<string>`sum(${amount})`,
      inWindow: sql<
        string | null
      >`sum(${amount}) filter (where ${at} > ${now}::bigint - (each_limit ->> 'windowSeconds')::bigint * 1000)`,
    })
    .from(grantAmounts)
    .innerJoin(grants, eq(grants.id, grantId))
    .innerJoin(
      sql`${limit} as each_limit`,
      sql`each_limit ->> 'chain' = ${chain} and each_limit ->> 'asset' = ${asset}`,
    )
    .where(inArray(grantId, [...grantIds]))
    .groupBy(grantId, chain, asset)
}

/** The amounts of uses. */
export const amountsOf = (db: Queries, useIds: readonly string[]) =>
  useIds.length === 0
    ? Promise.resolve([])
    : db
        .select()
        .from(grantAmounts)
        .where(inArray(grantAmounts.useId, [...useIds]))

/**
 * Stores the signature of a use before it is sent. Resolves with whether the use is still there: one that was dropped meanwhile must not
 * be sent.
 */
export async function noteSigned(
  db: Queries,
  id: string,
  { hash, raw }: { hash: string; raw: string },
): Promise<boolean> {
  const noted = await db
    .update(grantUses)
    .set({ hash, raw })
    .where(unsigned(id))
    .returning({ id: grantUses.id })
  return noted.length > 0
}

/** Gives back what a use has reserved whose process ended before it had signed: what isn't stored was never sent. */
export async function dropUnsigned(database: Database, id: string): Promise<void> {
  await database.transaction(async (tx) => {
    const dropped = await tx
      .update(grantUses)
      .set({ status: 'dropped' })
      .where(unsigned(id))
      .returning({ id: grantUses.id })
    if (dropped.length > 0)
      await tx.update(grantAmounts).set({ amount: '0' }).where(eq(grantAmounts.useId, id))
  })
}
const unsigned = (id: string) =>
  and(eq(grantUses.id, id), eq(grantUses.status, 'reserved'), isNull(grantUses.hash))

/**
 * Takes uses of which it isn't known yet what became, and whose turn it is to be looked after: the older they are, the less often, but
 * once a day at least. What one process has taken is left to it by the others.
 * @param options.after at the earliest so long after the last time, in milliseconds
 */
export const takeDue = (
  db: Queries,
  { now, after, most }: { now: number; after: number; most: number },
): Promise<UseRow[]> => {
  const { id, at, checkedAt, status } = grantUses
  const due = db
    .select({ id })
    .from(grantUses)
    .where(
      and(
        // As the index has it, so that the database knows it for the same.
        sql`${status} in ('reserved', 'sent', 'unknown', 'refused')`,
        sql`${checkedAt} <= ${now} - least(greatest(${after}::bigint, (${checkedAt} - ${at}) / 8), ${day}::bigint)`,
      ),
    )
    .orderBy(checkedAt)
    .limit(most)
    .for('update', { skipLocked: true })
  return db.update(grantUses).set({ checkedAt: now }).where(inArray(id, due)).returning()
}
const day = 86_400_000
