import { createHash, randomBytes } from 'node:crypto'
import { and, desc, eq, gt, inArray, isNotNull, isNull } from 'drizzle-orm'
import { Refusal } from '../../lib/refusal.ts'
import type { Bearer } from '../../sessions/tokens.ts'
import type { App } from '../../settings/app.ts'
import type { Limits } from '../../settings/limits.ts'
import type { Queries, Transaction } from '../../store/database.ts'
import type { AccountChange, LoginGrant } from './change.ts'
import { accountChanges } from './tables.ts'

export type PendingChange = Pick<typeof accountChanges.$inferSelect, 'change' | 'expiresAt' | 'usedAt'>
/** The user and the session of a change. */
interface Owner {
  app: Pick<App, 'id'>
  bearer: Bearer
}

const hashOf = (id: string) => createHash('sha256').update(id).digest('base64url')

/** Answers to every request for a change that an enrolled device has to approve first. */
export const approvalRequired = (id: string, { action }: AccountChange) =>
  new Refusal('approval_required', 'Approve this in the window of your wallet.', {
    data: { change: id, action },
  })
export const noSuchChange = () =>
  new Refusal('linked_account_not_found', 'There is no such change, or its time is over.')

/** Stores a change until it is approved. @returns its id, which is stored nowhere */
export async function storeChange(
  tx: Transaction,
  { app, bearer }: Owner,
  change: AccountChange,
  { limits, now }: { limits: Limits; now: number },
): Promise<string> {
  const { userId, sessionId } = bearer
  const waiting = await tx
    .select({ hash: accountChanges.hash })
    .from(accountChanges)
    .where(and(eq(accountChanges.sessionId, sessionId), isNull(accountChanges.usedAt)))
    .orderBy(desc(accountChanges.createdAt))
  const oldest = waiting.slice(limits.pendingChangesPerSession - 1).map(({ hash }) => hash)
  if (oldest.length > 0) await tx.delete(accountChanges).where(inArray(accountChanges.hash, oldest))
  const id = randomBytes(32).toString('base64url')
  await tx.insert(accountChanges).values({
    hash: hashOf(id),
    appId: app.id,
    userId,
    sessionId,
    change,
    createdAt: now,
    expiresAt: now + limits.pendingChangeLife,
  })
  return id
}

const ownedBy = ({ app, bearer }: Owner, id: string, now: number) =>
  and(
    eq(accountChanges.hash, hashOf(id)),
    eq(accountChanges.appId, app.id),
    eq(accountChanges.userId, bearer.userId),
    eq(accountChanges.sessionId, bearer.sessionId),
    gt(accountChanges.expiresAt, now),
  )

/** A change that this very session has asked for, applied or not. @throws Refusal `linked_account_not_found` */
export async function findChange(db: Queries, owner: Owner, id: string, now: number): Promise<PendingChange> {
  const [row] = await db
    .select()
    .from(accountChanges)
    .where(ownedBy(owner, id, now))
  if (!row) throw noSuchChange()
  return row
}

/**
 * Uses a change up: of any number who try at once, one gets it.
 * @throws Refusal `linked_account_not_found`, `token_already_used`
 */
export async function takeChange(
  tx: Transaction,
  owner: Owner,
  id: string,
  now: number,
): Promise<AccountChange> {
  const [used] = await tx
    .update(accountChanges)
    .set({ usedAt: now })
    .where(and(ownedBy(owner, id, now), isNull(accountChanges.usedAt)))
    .returning({ change: accountChanges.change })
  if (used) return used.change
  await findChange(tx, owner, id, now)
  throw new Refusal('token_already_used', 'This change has already been made.')
}

/** Whether a login at another app was approved in this very session, not long ago. */
export async function isGrantApproved(
  db: Queries,
  { app, bearer }: Owner,
  { requester, login }: LoginGrant,
  now: number,
): Promise<boolean> {
  const approved = await db
    .select({ change: accountChanges.change })
    .from(accountChanges)
    .where(
      and(
        eq(accountChanges.appId, app.id),
        eq(accountChanges.userId, bearer.userId),
        eq(accountChanges.sessionId, bearer.sessionId),
        gt(accountChanges.expiresAt, now),
        isNotNull(accountChanges.usedAt),
      ),
    )
  return approved.some(
    ({ change }) =>
      change.action === 'grant' && change.requester.id === requester.id && change.login === login,
  )
}

/** Forgets a change that was not applied. */
export async function dropChange(db: Queries, owner: Owner, id: string, now: number): Promise<void> {
  await db.delete(accountChanges).where(and(ownedBy(owner, id, now), isNull(accountChanges.usedAt)))
}
