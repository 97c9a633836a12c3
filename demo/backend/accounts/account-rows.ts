import { and, eq, sql } from 'drizzle-orm'
import { Refusal } from '../lib/refusal.ts'
import { methodsOf } from '../mfa/methods.ts'
import { passkeys } from '../passkeys/tables.ts'
import type { App } from '../settings/app.ts'
import { inserted, type Queries, type Transaction } from '../store/database.ts'
import { type Account, isNoLogin, type ProvedType } from '../users/account.ts'
import { accounts, users } from '../users/tables.ts'
import { hasWallets } from '../wallets/context.ts'
import type { AccountName, ProvedChangeAccount } from './changes/change.ts'
import { loadUser, type newUser } from './user.ts'

/** Keeps the user as they are until the transaction ends; `undefined` for one who was deleted meanwhile. */
export async function lockUser(tx: Queries, app: App, { userId }: { userId: string }) {
  const [user] = await tx
    .select({ isGuest: users.isGuest })
    .from(users)
    .where(and(eq(users.id, userId), eq(users.appId, app.id)))
    .for('no key update') // A session that is added to the user meanwhile need not wait.
  return user
}

/** The same where there is nothing to do without the user. Throws a Refusal `missing_or_invalid_token`. */
export async function requireUser(tx: Queries, app: App, user: { userId: string }): Promise<void> {
  if (!(await lockUser(tx, app, user)))
    throw new Refusal('missing_or_invalid_token', 'This user no longer exists.')
}

/** The proved account as it is stored, and locked until the transaction ends. One that is not there yet can be added meanwhile. */
export async function findAccount(tx: Transaction, app: App, { type, subject }: AccountName) {
  const [row] = await tx
    .select()
    .from(accounts)
    .where(and(eq(accounts.appId, app.id), eq(accounts.type, type), eq(accounts.subject, subject)))
    .for('update')
    // Asked with every login: with named statements the database plans it once.
    .prepare('find_account')
    .execute()
  return row
}

/** The same, locked also while it is not there yet. */
export async function reserveAccount(tx: Transaction, app: App, name: AccountName) {
  const lock = `account ${app.id} ${name.type} ${name.subject}`
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`)
  return findAccount(tx, app, name)
}

/** Notes that an account that is there was proved once more. */
export async function touchAccount(
  tx: Transaction,
  accountId: number,
  { details }: ProvedChangeAccount,
  now: number,
): Promise<void> {
  const seen = { latestVerifiedAt: now, verifiedAt: now }
  await tx
    .update(accounts)
    .set({ ...seen, details: { ...details } })
    .where(eq(accounts.id, accountId))
}

/**
 * Stores a proved account.
 * @param owner the person of the account; one who is new is stored with it
 * @param confirmedAt when an enrolled device approved it
 */
export async function addAccount(
  tx: Transaction,
  app: App,
  owner: { userId: string } | { newcomer: ReturnType<typeof newUser> },
  account: ProvedChangeAccount,
  { now, confirmedAt = null }: { now: number; confirmedAt?: number | null },
): Promise<void> {
  const { type, subject, details, passkey } = account
  const isNew = 'newcomer' in owner
  const userId = isNew ? owner.newcomer.id : owner.userId
  if (!isNew) await refuseFactorAsLogin(tx, app, userId, type)
  const [row] = await tx
    .with(...(isNew ? [inserted(tx, 'newcomer', tx.insert(users).values(owner.newcomer))] : []))
    .insert(accounts)
    .values({
      appId: app.id,
      userId,
      type,
      subject,
      details: { ...details },
      linkedAt: now,
      confirmedAt,
      verifiedAt: now,
      firstVerifiedAt: now,
      latestVerifiedAt: now,
    })
    .returning({ id: accounts.id })
    .prepare(isNew ? 'add_user_with_account' : 'add_account')
    .execute()
  if (!row) throw new Error('An account was not stored')
  if (passkey) await tx.insert(passkeys).values({ accountId: row.id, ...passkey })
}

/** A user with an account to log in with is not a guest; the guest's credential no longer works. */
export async function endGuest(tx: Transaction, app: App, userId: string): Promise<void> {
  const [guest] = await tx
    .update(users)
    .set({ isGuest: false })
    .where(and(eq(users.id, userId), eq(users.isGuest, true)))
    .returning({ createdAt: users.createdAt })
  if (!guest) return
  // The first account of a guest stands for them as if it had been there from the start, but never where there is a
  // wallet: an account is a proof for a new device only if it was there before the wallet, or a device approved it.
  if (!(await hasWallets(tx, { userId })))
    await tx
      .update(accounts)
      .set({ linkedAt: guest.createdAt })
      .where(and(eq(accounts.appId, app.id), eq(accounts.userId, userId)))
  await tx
    .update(accounts)
    .set({ details: { revoked: true } })
    .where(and(eq(accounts.appId, app.id), eq(accounts.userId, userId), eq(accounts.type, 'guest')))
}

/** The refusal of whoever would lock themselves out. */
export const soleAccount = () =>
  new Refusal('cannot_unlink_sole_account', 'The only login method of an account cannot be removed.')

/**
 * The account of a user that is to be taken away, and whether it is their last way in.
 * @throws Refusal `linked_account_not_found`; `invalid_state` for a passkey that is a second factor
 */
export async function unlinkableAccount(
  tx: Transaction,
  app: App,
  userId: string,
  account: AccountName,
): Promise<{ id: number; isLastLogin: boolean }> {
  const found = await findAccount(tx, app, account)
  if (found?.userId !== userId) throw new Refusal('linked_account_not_found', 'There is no such account.')
  const user = await loadUser(tx, app.id, userId)
  if (account.type === 'passkey' && user?.mfaPasskeys.has(account.subject))
    throw new Refusal('invalid_state', 'Cannot unlink a passkey enrolled in MFA')
  const waysIn = user?.accounts.filter(({ type }) => isWayIn(app, type)).length
  return { id: found.id, isLastLogin: isWayIn(app, account.type) && waysIn === 1 }
}

/**
 * Takes an account away from a user.
 * @param evenIfSole the last way in as well; they were warned
 * @returns whether that is done: not where it is the last way in, unless it shall be even then
 * @throws Refusal as {@link unlinkableAccount}
 */
export async function unlinkAccount(
  tx: Transaction,
  app: App,
  userId: string,
  account: AccountName,
  evenIfSole: boolean,
): Promise<boolean> {
  const { id, isLastLogin } = await unlinkableAccount(tx, app, userId, account)
  if (isLastLogin && !evenIfSole) return false
  await tx.delete(accounts).where(eq(accounts.id, id))
  return true
}

/** A passkey may be a second factor alone. */
export const isWayIn = (app: App, type: Account['type']) =>
  !isNoLogin(type) && (type !== 'passkey' || app.methods.includes('passkey'))

/**
 * Text messages are not both factors of anybody.
 * @throws Refusal `mfa_method_not_allowed`; nothing that was shown is used up, for it comes again once the factor is gone
 */
export async function refuseFactorAsLogin(
  tx: Transaction,
  app: App,
  userId: string,
  type: ProvedType,
): Promise<void> {
  if (type !== 'phone' || !app.methods.includes('sms')) return
  const methods = await methodsOf(tx, userId)
  if (methods.some((method) => method.type === 'sms'))
    throw new Refusal(
      'mfa_method_not_allowed',
      'Text messages are your second factor. Remove them there before you log in with them.',
    )
}
