import { randomUUID } from 'node:crypto'
import { and, desc, eq } from 'drizzle-orm'
import { noteOwn } from '../audit/audit.ts'
import type { AuditAction } from '../audit/tables.ts'
import type { Queries } from '../store/database.ts'
import type { UserSession } from './context.ts'
import { type ReleaseKind, shareReleases } from './tables.ts'

export interface Release {
  at: number
  what: ReleaseKind
  address: string | null
}

/** What an operator is asked about later; the releases themselves can be read, too. */
const audited: Partial<Record<ReleaseKind, AuditAction>> = {
  'device-enrolled': 'device-enrolled',
  'device-removed': 'device-removed',
  export: 'export',
  'recovery-change': 'recovery-changed',
}

/** Written before the share leaves: a release that cannot be noted does not happen. */
export async function noteRelease(
  db: Queries,
  session: UserSession,
  release: { at: number; what: ReleaseKind; walletId?: string; address?: string; setId?: string },
): Promise<void> {
  const { app, userId, sessionId } = session
  await db.insert(shareReleases).values({ id: randomUUID(), appId: app.id, userId, sessionId, ...release })
  const action = audited[release.what]
  if (action)
    await noteOwn(db, session, action, release.at, release.address ? { address: release.address } : {})
}

/**
 * What was given out in a user's name, the newest first. Without the sets: a page that knew their names could ask for them.
 */
export function releasesOf(
  db: Queries,
  of: { app: { id: string }; userId: string },
  most: number,
): Promise<Release[]> {
  const { at, what, address, appId, userId } = shareReleases
  return db
    .select({ at, what, address })
    .from(shareReleases)
    .where(and(eq(userId, of.userId), eq(appId, of.app.id)))
    .orderBy(desc(at))
    .limit(most)
}
