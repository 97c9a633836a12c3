import { and, eq, isNotNull, like, ne, sql } from 'drizzle-orm'
import { noteTool } from '../audit/audit.ts'
import { endGrantsOf } from '../grants/ending.ts'
import { escapeHtml, type Mail, mailPage } from '../outside/mail.ts'
import { sendableName } from '../outside/sms.ts'
import { disconnectApps } from '../sessions/connected-apps.ts'
import { sessions } from '../sessions/tables.ts'
import type { Database, Transaction } from '../store/database.ts'
import { type AccountType, isNoLogin, transferredDetails } from '../users/account.ts'
import { accounts, type RemovedWith, users } from '../users/tables.ts'
import { walletRoots } from '../wallets/tables.ts'

/** The wallets' own rows are none. */
const isWayIn = (type: AccountType) => type !== 'wallet' && !isNoLogin(type)

/** What stands before the names of a removed user's accounts: they are free for others, and say whose they were. */
const markOf = (userId: string) => `removed ${userId} `

/**
 * Ends a user. One with wallets stays where it is, shares and all, out of everybody's reach, until the sweep takes it:
 * whoever had only the user's login at hand cannot destroy what is in the wallets.
 * @param given.withAccount the account that went to somebody else, and to whom; `null` where none did
 * @returns whether the user is kept and can be restored
 */
export async function removeUser(
  tx: Transaction,
  { userId, withAccount }: { userId: string; withAccount: RemovedWith | null },
  now: number,
): Promise<boolean> {
  if ((await tx.$count(walletRoots, eq(walletRoots.userId, userId))) === 0) {
    await tx.delete(users).where(eq(users.id, userId))
    return false
  }
  await tx.update(users).set({ removedAt: now, removedWith: withAccount }).where(eq(users.id, userId))
  await tx
    .update(accounts)
    .set({ subject: sql`${markOf(userId)} || ${accounts.subject}` })
    .where(and(eq(accounts.userId, userId), ne(accounts.type, 'wallet')))
  await tx.delete(sessions).where(eq(sessions.userId, userId))
  // A restored user gives these anew.
  await endGrantsOf(tx, userId, 'removed', now)
  await disconnectApps(tx, userId)
  return true
}

export interface Restored {
  /** Accounts by which the user can log in again. */
  back: string[]
  /** Those that somebody else has by now. */
  taken: string[]
}

/**
 * Makes a removed user one again, wallets included. The account that was transferred comes back too, unless its new
 * owner would be left without a way in. It is in the audit log as the operator's.
 * @throws Error that says why not
 */
export async function restoreUser(database: Database, userId: string, now: number): Promise<Restored> {
  return database.transaction(async (tx) => {
    const [user] = await tx
      .select()
      .from(users)
      .where(and(eq(users.id, userId), isNotNull(users.removedAt)))
      .for('update')
    if (!user) throw new Error(`There is no removed user ${userId}.`)
    const restored: Restored = { back: [], taken: [] }
    const name = (type: string, subject: string) => `${type} ${subject}`
    const mark = markOf(userId)
    const marked = await tx
      .select()
      .from(accounts)
      .where(and(eq(accounts.userId, userId), like(accounts.subject, `${mark}%`)))
    for (const account of marked) {
      const subject = account.subject.slice(mark.length)
      const { appId, type } = account
      const others = and(eq(accounts.appId, appId), eq(accounts.type, type), eq(accounts.subject, subject))
      const isTaken = (await tx.$count(accounts, others)) > 0
      if (isTaken) await tx.delete(accounts).where(eq(accounts.id, account.id))
      else await tx.update(accounts).set({ subject }).where(eq(accounts.id, account.id))
      if (isWayIn(type)) restored[isTaken ? 'taken' : 'back'].push(name(type, subject))
    }
    if (user.removedWith) {
      const { type, subject, userId: owner, linkedAt, confirmedAt = null } = user.removedWith
      const ofOwner = await tx.select().from(accounts).where(eq(accounts.userId, owner)).for('update')
      const moved = ofOwner.find((account) => account.type === type && account.subject === subject)
      const waysIn = ofOwner.filter((account) => isWayIn(account.type))
      if (moved && waysIn.length > 1) {
        // An approval by a device of the other user proves nothing here.
        const before = { confirmedAt, ...(linkedAt !== undefined && { linkedAt }) }
        await tx
          .update(accounts)
          .set({ userId, ...before, details: transferredDetails(moved.details) })
          .where(eq(accounts.id, moved.id))
        restored.back.push(name(type, subject))
      } else restored.taken.push(name(type, subject))
    }
    if (restored.back.length === 0)
      throw new Error(
        `Nobody could log in as ${userId}: ${restored.taken.join(', ')} is the only way in of somebody else now. They have to add another one first.`,
      )
    await tx.update(users).set({ removedAt: null, removedWith: null }).where(eq(users.id, userId))
    const { appId } = user
    await noteTool(tx, 'restore-user', {
      at: now,
      appId,
      action: 'user-restored',
      userId,
      details: { ...restored },
    })
    return restored
  })
}

/** The mail that tells somebody that they were removed. @param until when the wallets are deleted for good */
export function removedMail(to: string, appName: string, until: Date): Mail {
  const lines = [
    `Your login at ${appName} was moved to another account there, and the account that it belonged to was removed, together with its wallets.`,
    `If you did that, there is nothing left to do. If not, or if something is left in those wallets, tell the team of ${appName} before ${until.toUTCString()}: until then they can restore the account.`,
  ]
  return {
    to,
    subject: `Your account at ${appName} was removed`,
    text: lines.join('\n\n'),
    html: mailPage(lines.map((line) => `<p style="margin:0 0 16px">${escapeHtml(line)}</p>`).join('\n')),
  }
}

/** The same as a text message. */
export const removedSms = (appName: string, until: Date): string =>
  `Your account at ${sendableName(appName)} was removed by a move of its login. Not you? Tell the team of the app before ${until.toISOString().slice(0, 10)}.`
