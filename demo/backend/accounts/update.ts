import { eq } from 'drizzle-orm'
import { noteOwn } from '../audit/audit.ts'
import { Refusal } from '../lib/refusal.ts'
import type { Mailer } from '../outside/mail.ts'
import type { App } from '../settings/app.ts'
import type { Database } from '../store/database.ts'
import type { OneTime } from '../store/one-time.ts'
import type { ProvedType } from '../users/account.ts'
import { createNotices } from '../users/notices.ts'
import { accounts } from '../users/tables.ts'
import { actorOf, type Changing, type Prove, reachedBefore, reserveAccount } from './accounts.ts'

/**
 * Puts a proved account in the place of one that the user has of the same kind.
 * @throws Refusal `linked_account_not_found`, `linked_to_another_user`, and those of the proof
 */
export async function updateAccount(
  services: { database: Database; mailer: Mailer; oneTime: OneTime; clock: () => number },
  app: App,
  who: Changing,
  old: { type: ProvedType; subject: string },
  prove: Prove,
): Promise<void> {
  const { database, clock } = services
  const outcome = await database.transaction(async (tx) => {
    const proof = await prove(tx)
    if ('refused' in proof) return proof.refused
    const told = await reachedBefore(tx, app, who.bearer)
    // In one order for everybody: two who swap their accounts do not wait for each other for ever.
    const ordered = [old, proof].sort((one, other) => (one.subject < other.subject ? -1 : 1))
    const rows = []
    for (const key of ordered) rows.push(await reserveAccount(tx, app, key))
    const [before, after] = ordered[0] === old ? rows : rows.toReversed()
    if (before?.userId !== who.bearer.userId || old.type !== proof.type)
      return new Refusal('linked_account_not_found', 'There is no such account.')
    if (after && after.id !== before.id)
      return new Refusal('linked_to_another_user', 'This account has already been linked to another user.')
    const now = clock()
    await tx
      .update(accounts)
      .set({
        subject: proof.subject,
        details: { ...proof.details },
        verifiedAt: now,
        latestVerifiedAt: now,
        ...(!after && { linkedAt: now, firstVerifiedAt: now }),
      })
      .where(eq(accounts.id, before.id))
    const change = { type: old.type, from: old.subject }
    await noteOwn(tx, actorOf(app, who), 'account-updated', now, change)
    return { told }
  })
  if (!('told' in outcome)) throw outcome
  const { type } = old
  const notice = { what: 'account-updated', type, place: who.place } as const
  createNotices(services).tell({ app, userId: who.bearer.userId }, notice, outcome.told)
}
