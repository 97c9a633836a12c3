import { randomUUID } from 'node:crypto'
import { and, count, desc, eq, gt, inArray, isNull, max, ne, sql, sum } from 'drizzle-orm'
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
export const isOpen = (status: UseStatus): boolean => pending.includes(status) || status === 'refused'

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

/** @throws Refusal `permission_denied` where the grant has been used as often as it may be */
export async function requireUseLeft(db: Queries, { id, terms }: GrantRow): Promise<void> {
  if (terms.maxUses === null) return
  const [row] = await db
    .select({ uses: count() })
    .from(grantUses)
    .where(and(eq(grantUses.grantId, id), ne(grantUses.status, 'dropped')))
  if ((row?.uses ?? 0) >= terms.maxUses) throw denied('max_uses')
}

/**
 * Counts a use against all limits of its grant before anything is signed. Requests for one wallet come one after the other, so of any
 * number at once only those that fit are counted.
 * @returns the use, new or the same request's earlier one
 * @throws Refusal `permission_denied`, `resource_conflict`
 */
export function reserve(
  database: Database,
  grantId: string,
  { plan, key, request, now }: { plan: Plan; key: string; request: string; now: () => number },
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
    await requireUseLeft(tx, grant)
    for (const cost of plan.costs) await requireWithin(tx, grant, plan.chain, cost, at)
    const nonce = plan.nonce === undefined ? null : await nextNonce(tx, walletId, plan.chain, plan.nonce)
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

/** The next number of the wallet's transactions: after those that are signed and may not have reached the nodes yet. */
async function nextNonce(
  tx: Transaction,
  walletId: string,
  chain: string,
  fromNodes: number,
): Promise<number> {
  const [row] = await tx
    .select({ last: max(grantUses.nonce) })
    .from(grantUses)
    .where(
      and(eq(grantUses.walletId, walletId), eq(grantUses.chain, chain), inArray(grantUses.status, pending)),
    )
  return row?.last === null || row?.last === undefined ? fromNodes : Math.max(fromNodes, row.last + 1)
}

/** Stores what became of a use. */
export async function noteUse(
  db: Queries,
  id: string,
  changed: Partial<Pick<UseRow, 'status' | 'raw' | 'checkedAt'>>,
): Promise<void> {
  await db.update(grantUses).set(changed).where(eq(grantUses.id, id))
}

/**
 * Gives back what a use has reserved, once its transaction is known to have moved nothing. `failed` has paid the network; `dropped` was
 * never included, and never will be.
 */
export async function release(
  database: Database,
  id: string,
  status: Extract<UseStatus, 'failed' | 'dropped'>,
): Promise<void> {
  await database.transaction(async (tx) => {
    const open = inArray(grantUses.status, [...pending, 'refused'])
    const moved = await tx
      .update(grantUses)
      .set({ status, raw: null })
      .where(and(eq(grantUses.id, id), open))
      .returning({ id: grantUses.id })
    if (moved.length === 0) return
    await tx
      .update(grantAmounts)
      .set({ amount: status === 'failed' ? grantAmounts.fee : '0' })
      .where(eq(grantAmounts.useId, id))
  })
}

/** The newest uses of a grant. */
export const latestUses = (db: Queries, grantId: string, most: number): Promise<UseRow[]> =>
  db
    .select()
    .from(grantUses)
    .where(eq(grantUses.grantId, grantId))
    .orderBy(desc(grantUses.at), desc(grantUses.id))
    .limit(most)

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

/** Uses of a wallet's grants of which it isn't known yet what became, and that were not looked at for a while. */
export const unsettledUses = (
  db: Queries,
  walletId: string,
  { before, most }: { before: number; most: number },
): Promise<UseRow[]> =>
  db
    .select()
    .from(grantUses)
    .where(
      and(
        eq(grantUses.walletId, walletId),
        inArray(grantUses.status, [...pending, 'refused']),
        sql`${grantUses.checkedAt} <= ${before}`,
      ),
    )
    .orderBy(grantUses.checkedAt)
    .limit(most)
