import { randomUUID } from 'node:crypto'
import { and, desc, eq } from 'drizzle-orm'
import type { Queries } from '../store/database.ts'
import type { UserSession } from './context.ts'
import { type ReleaseKind, shareReleases } from './tables.ts'

export interface Release {
  at: number
  what: ReleaseKind
  address: string | null
}

/** Written before the share leaves: a release that cannot be noted does not happen. */
export async function noteRelease(
  db: Queries,
  { app, userId, sessionId }: UserSession,
  release: { at: number; what: ReleaseKind; walletId?: string; address?: string; setId?: string },
): Promise<void> {
  await db.insert(shareReleases).values({ id: randomUUID(), appId: app.id, userId, sessionId, ...release })
}

/**
 * What was given out in a user's name, the newest first. Without the sets: a page that knew their names could ask for them.
 */
export function releasesOf(db: Queries, session: UserSession, most: number): Promise<Release[]> {
  const { at, what, address, appId, userId } = shareReleases
  return db
    .select({ at, what, address })
    .from(shareReleases)
    .where(and(eq(userId, session.userId), eq(appId, session.app.id)))
    .orderBy(desc(at))
    .limit(most)
}
