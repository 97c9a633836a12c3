/**
 * Apps that users have let in with their account here. Their tokens carry no session, so each names its connection, and ends with it: no
 * clock says whether a token is from before or after the end.
 */
import { randomUUID } from 'node:crypto'
import { and, desc, eq, sql } from 'drizzle-orm'
import type { Queries, Transaction } from '../store/database.ts'
import { connectedApps } from './tables.ts'
import type { RequesterBearer } from './tokens.ts'

interface Owner {
  appId: string
  userId: string
}
export type ConnectedAppRow = typeof connectedApps.$inferSelect

const lastUsed = (now: number) => sql`greatest(${connectedApps.lastUsedAt}, ${now})`

/**
 * Connects an app to a user, or notes that it still is.
 * @param now Unix milliseconds
 * @returns the id of the connection
 */
export async function connectApp(
  tx: Transaction,
  given: Owner & { requester: string },
  now: number,
): Promise<string> {
  const [row] = await tx
    .insert(connectedApps)
    .values({ id: randomUUID(), ...given, connectedAt: now, lastUsedAt: now })
    .onConflictDoUpdate({
      target: [connectedApps.userId, connectedApps.requester],
      set: { lastUsedAt: lastUsed(now) },
    })
    .returning({ id: connectedApps.id })
  if (!row) throw new Error('A connection was not stored')
  return row.id
}

/** Notes that an app has used its connection. @returns whether it still is one */
export async function noteAppUse(
  db: Queries,
  id: string,
  { now, tokensUntil }: { now: number; tokensUntil?: number },
): Promise<boolean> {
  const set = { lastUsedAt: lastUsed(now), ...(tokensUntil !== undefined && { tokensUntil }) }
  const noted = await db.update(connectedApps).set(set).where(eq(connectedApps.id, id)).returning({
    id: connectedApps.id,
  })
  return noted.length > 0
}

/** Whether a connection is still there: not disconnected, and not ended with the user or by a freeze. */
export async function isConnected(db: Queries, id: string): Promise<boolean> {
  const [row] = await db.select({ id: connectedApps.id }).from(connectedApps).where(eq(connectedApps.id, id))
  return row !== undefined
}

/** Whether the connection that a token names is still there. */
export async function isTokenConnected(
  db: Queries,
  { connection, userId, requester }: RequesterBearer,
): Promise<boolean> {
  const [row] = await db.select().from(connectedApps).where(eq(connectedApps.id, connection))
  return row?.userId === userId && row.requester === requester
}

/** The user's connections, those used last first. */
export const connectedAppsOf = (db: Queries, { appId, userId }: Owner): Promise<ConnectedAppRow[]> =>
  db
    .select()
    .from(connectedApps)
    .where(and(eq(connectedApps.appId, appId), eq(connectedApps.userId, userId)))
    .orderBy(desc(connectedApps.lastUsedAt), connectedApps.requester)

/** Ends the connection of one app, and with it its tokens and its open requests. @returns whether there was one */
export async function disconnectApp(
  db: Queries,
  { appId, userId }: Owner,
  requester: string,
): Promise<boolean> {
  const own = and(eq(connectedApps.appId, appId), eq(connectedApps.userId, userId))
  const ended = await db
    .delete(connectedApps)
    .where(and(own, eq(connectedApps.requester, requester)))
    .returning({ id: connectedApps.id })
  return ended.length > 0
}

/** Ends all of a user. */
export async function disconnectApps(db: Queries, userId: string): Promise<void> {
  await db.delete(connectedApps).where(eq(connectedApps.userId, userId))
}
