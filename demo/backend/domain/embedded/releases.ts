import { randomUUID } from 'node:crypto'
import { and, desc, eq } from 'drizzle-orm'
import type { Queries } from '../../store/open.ts'
import { shareReleases } from '../../store/schema.ts'
import type { Holder } from './context.ts'

/** What was given out; `recovery-hint` is where the person's own drive has the secret, or the salt of a password. */
export type ReleaseKind =
  | 'auth-share'
  | 'recovery-package'
  | 'recovery-key'
  | 'recovery-hint'
  | 'recovery-evaluation'
  | 'export'
  | 'recovery-file'

export interface Release {
  at: number
  what: ReleaseKind
  address: string
  setId: string | null
}

/** Written before the share leaves: a release that cannot be noted does not happen. */
export async function noteRelease(
  db: Queries,
  { app, userId, sessionId }: Holder,
  release: { at: number; walletId: string; address: string; what: ReleaseKind; setId?: string },
): Promise<void> {
  const { setId = null, ...rest } = release
  await db
    .insert(shareReleases)
    .values({ id: randomUUID(), appId: app.id, userId, sessionId, setId, ...rest })
}

/** What was given out in a user's name, the newest first. */
export function releasesOf(db: Queries, holder: Holder, most: number): Promise<Release[]> {
  const { at, what, address, setId, appId, userId } = shareReleases
  return db
    .select({ at, what, address, setId })
    .from(shareReleases)
    .where(and(eq(userId, holder.userId), eq(appId, holder.app.id)))
    .orderBy(desc(at))
    .limit(most)
}
