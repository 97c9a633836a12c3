import { eq } from 'drizzle-orm'
import { noteOwn } from '../../audit/audit.ts'
import { endGrantsOf } from '../../grants/ending.ts'
import { disconnectApps } from '../../sessions/connected-apps.ts'
import type { Sessions } from '../../sessions/sessions.ts'
import type { Apps } from '../../settings/app.ts'
import type { OneTime } from '../../store/one-time.ts'
import { markFrozen } from '../../users/frozen.ts'
import { createNotices, type FreezeTarget, freezeKey, type NoticeContext } from '../../users/notices.ts'
import { requireUser } from '../account-rows.ts'
import { accountChanges } from '../changes/tables.ts'

export interface Freezing {
  /** The name of the app whose account a link freezes; `undefined` for one that is used up or too old. */
  appOf(link: string): Promise<string | undefined>
  /**
   * Freezes the account of a link, which is used up with that.
   * @param place about where the person is, for the audit log
   * @returns the name of the app; `undefined` for a link that is no longer good
   */
  freeze(link: string, place: string): Promise<string | undefined>
}

/**
 * Freezes accounts by the links of notices: all sessions end, and until the user shows a proof nothing is released,
 * approved, exported or granted (docs/security.md).
 */
export function createFreezing(
  deps: NoticeContext & { sessions: Sessions; apps: Apps; oneTime: OneTime },
): Freezing {
  const { database, oneTime, sessions, apps, clock } = deps
  const notices = createNotices(deps)

  return {
    async appOf(link) {
      const target = (await oneTime.peek(database, freezeKey(link))) as FreezeTarget | undefined
      return target && apps.find(target.appId)?.name
    },

    async freeze(link, place) {
      const frozen = await database.transaction(async (tx) => {
        const target = (await oneTime.take(tx, freezeKey(link))) as FreezeTarget | undefined
        const app = target && apps.find(target.appId)
        if (!app) return undefined
        const { appId, userId } = target
        await requireUser(tx, app, target)
        const isNew = await markFrozen(tx, userId, clock())
        // Also for somebody who is frozen: they may have logged in since, or somebody else has.
        await sessions.endAll(tx, { appId, userId })
        await endGrantsOf(tx, userId, 'freeze', clock())
        await disconnectApps(tx, userId)
        await tx.delete(accountChanges).where(eq(accountChanges.userId, userId))
        if (isNew) await noteOwn(tx, { app, userId, place }, 'user-frozen', clock())
        return { app, userId, isNew }
      })
      if (!frozen) return undefined
      if (frozen.isNew) notices.tell(frozen, { what: 'frozen' })
      return frozen.app.name
    },
  }
}
