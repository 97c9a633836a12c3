import { and, desc, eq, lt } from 'drizzle-orm'
import type { Queries } from '../store/database.ts'
import { type AuditAction, audit } from './tables.ts'

/** Who did something. */
export type Actor =
  | { type: 'user'; id: string }
  | { type: 'admin'; name: string }
  /** Somebody at the server itself, with one of the tools in `operator/`. */
  | { type: 'operator'; tool: string }
  | { type: 'system' }
/** Something that happened to people's accounts. */
export interface AuditEntry {
  at: number
  appId: string
  actor: Actor
  action: AuditAction
  /** Whom it is about. */
  userId?: string | undefined
  /** About where the caller was, for people to read. */
  place: string
  /** Never anything secret. */
  details?: Record<string, unknown>
}
export type AuditRow = typeof audit.$inferSelect

/** Somebody who does something to an account of their own. */
export interface OwnActor {
  app: { id: string }
  userId: string
  place: string
}

function nameOf(actor: Actor): string {
  switch (actor.type) {
    case 'user':
      return actor.id
    case 'admin':
      return actor.name
    case 'operator':
      return actor.tool
    case 'system':
      return ''
  }
}

/** The query of {@link noteAudit}, for a statement that does more. */
export const auditInsert = (db: Queries, { actor, ...rest }: AuditEntry) =>
  db.insert(audit).values({ ...rest, actorType: actor.type, actor: nameOf(actor) })

/**
 * Keeps what happened, for the operator who has to answer somebody's questions. In the transaction of the change itself: neither
 * is there without the other.
 */
export async function noteAudit(db: Queries, entry: AuditEntry): Promise<void> {
  await auditInsert(db, entry)
}

/** What somebody does to an account of their own. */
export const ownEntry = (
  { app, userId, place }: OwnActor,
  action: AuditAction,
  at: number,
  details: Record<string, unknown> = {},
): AuditEntry => ({
  at,
  appId: app.id,
  actor: { type: 'user', id: userId },
  action,
  userId,
  place,
  details,
})

/** Keeps that. */
export const noteOwn = (db: Queries, ...own: Parameters<typeof ownEntry>): Promise<void> =>
  noteAudit(db, ownEntry(...own))

/** The same for one of the operator's tools, which is run beside the servers and knows no network address. */
export const noteTool = (
  db: Queries,
  tool: string,
  entry: Pick<AuditEntry, 'at' | 'appId' | 'action' | 'userId' | 'details'>,
): Promise<void> => noteAudit(db, { ...entry, actor: { type: 'operator', tool }, place: '' })

/** What happened in an app, the newest first. @param given.before an entry's id; what comes after it is left out */
export function auditOf(
  db: Queries,
  appId: string,
  given: { userId?: string | undefined; before?: number | undefined; most: number },
): Promise<AuditRow[]> {
  const { userId, before, most } = given
  const conditions = [eq(audit.appId, appId)]
  if (userId !== undefined) conditions.push(eq(audit.userId, userId))
  if (before !== undefined) conditions.push(lt(audit.id, before))
  return db
    .select()
    .from(audit)
    .where(and(...conditions))
    .orderBy(desc(audit.id))
    .limit(most)
}
