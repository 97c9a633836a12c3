import { randomBytes } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import { noteAudit, noteOwn, type OwnActor, ownEntry } from '../audit/audit.ts'
import type { Appearance } from '../devices/describe.ts'
import { Refusal } from '../lib/refusal.ts'
import { methodsOf } from '../mfa/methods.ts'
import type { Mailer } from '../outside/mail.ts'
import type { Opened, Sessions } from '../sessions/sessions.ts'
import type { Bearer } from '../sessions/tokens.ts'
import type { App } from '../settings/app.ts'
import type { Limits } from '../settings/limits.ts'
import { isOAuthProvider } from '../settings/names.ts'
import {
  type Database,
  inserted,
  isUniqueViolation,
  type Queries,
  type Transaction,
} from '../store/database.ts'
import type { OneTime } from '../store/one-time.ts'
import {
  type Account,
  type AccountDetails,
  isNoLogin,
  isTransferable,
  type ProvedType,
  shownType,
} from '../users/account.ts'
import { mailAddresses } from '../users/addresses.ts'
import { createNotices } from '../users/notices.ts'
import { accounts, users } from '../users/tables.ts'
import { hasWallets } from '../wallets/context.ts'
import { createAccountLimit } from './account-limit.ts'
import { removedMail, removeUser } from './removed-users.ts'
import { type LoginMode, loadUser, newcomerRefused, newUser, type SignUp } from './user.ts'

/** An account that somebody has just proved to be theirs. */
export type Proof = {
  [T in ProvedType]: {
    type: T
    subject: string
    details: AccountDetails[T]
    /** How the account calls itself, for the question whether to transfer it. */
    displayName?: string | null
    /** Fields in addition to the answer's own, such as the provider's tokens. */
    extra?: Record<string, unknown>
    /** Stores what belongs to the account once it is there. */
    added?: (tx: Transaction, accountId: number) => Promise<void>
    /** Notes which session a login has opened, and whose. */
    opened?: (tx: Transaction, bearer: Bearer) => Promise<void>
  }
}[ProvedType]
/**
 * Looks at what was presented and uses up what is good for one use. Runs inside the transaction that lets the person
 * in, so it makes no calls to the outside. A refusal is returned, not thrown: what was used up stays used up.
 */
export type Prove = (tx: Transaction) => Promise<Proof | { refused: Refusal }>

export interface LoggedIn extends Opened {
  isNewUser: boolean
  extra?: Record<string, unknown> | undefined
}
export interface AccountService {
  /**
   * Logs in the owner of a proven account, or a new user if the app allows it. A guest who proves a new
   * account keeps the user and is a guest no longer; the guest's credential is dead with that.
   * @param who.bearer whose token came with the request, if it was a good one
   * @param who.place about where they are, for the audit log
   * @throws Refusal
   */
  logIn(app: App, who: Arriving, prove: Prove): Promise<LoggedIn>
  /** Adds a proved account to the user. @throws Refusal */
  link(app: App, who: Changing, prove: Prove): Promise<{ extra?: Record<string, unknown> | undefined }>
  /**
   * Gives the user an account of somebody else, who is gone with that (one with wallets can be restored for a while,
   * and is told so), for a nonce that {@link logIn} or {@link link}
   * handed out to this very session. @throws Refusal
   */
  transfer(
    app: App,
    who: Changing,
    given: { nonce: string; type: ProvedType; subject: string },
  ): Promise<void>
  /**
   * Takes an account away from the user: the last way in only if they were warned and want that.
   * @throws Refusal `linked_account_not_found`, `cannot_unlink_sole_account`, `invalid_state` for a second factor
   */
  unlink(
    app: App,
    who: Changing,
    account: { type: ProvedType; subject: string },
    evenIfSole?: boolean,
  ): Promise<void>
}

/** Who logs in. */
interface Arriving extends Appearance {
  mode: LoginMode
  bearer?: Bearer | undefined
}
/** Who changes their accounts, and about where they are. */
export interface Changing {
  bearer: Bearer
  place: string
}
/** The same, as the audit log takes it. */
export const actorOf = (app: App, { bearer, place }: Changing): OwnActor => ({
  app,
  userId: bearer.userId,
  place,
})

interface Offer {
  type: ProvedType
  subject: string
  owner: string
  bearer: Bearer
}

/** Logs people in by the accounts that they prove, and changes which accounts a user has. */
export function createAccountService(deps: {
  database: Database
  sessions: Sessions
  oneTime: OneTime
  limits: Limits
  mailer: Mailer
  clock: () => number
}): AccountService {
  const { database, sessions, oneTime, limits, mailer, clock } = deps
  const { mayAdd, limitReached } = createAccountLimit(limits)
  const notices = createNotices(deps)

  async function touch(tx: Transaction, accountId: number, { details }: Proof, now: number) {
    const seen = { latestVerifiedAt: now, verifiedAt: now }
    await tx
      .update(accounts)
      .set({ ...seen, details: { ...details } })
      .where(eq(accounts.id, accountId))
  }

  /** @param owner the person of the account; one who is new is stored with it */
  async function add(
    tx: Transaction,
    app: App,
    owner: { userId: string } | { newcomer: ReturnType<typeof newUser> },
    proof: Proof,
    now: number,
  ): Promise<void> {
    const { type, subject, details } = proof
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
        verifiedAt: now,
        firstVerifiedAt: now,
        latestVerifiedAt: now,
      })
      .returning({ id: accounts.id })
    if (!row) throw new Error('An account was not stored')
    await proof.added?.(tx, row.id)
  }

  /** A user with an account to log in with is not a guest; the guest's credential no longer works. */
  async function endGuest(tx: Transaction, app: App, userId: string): Promise<void> {
    const [guest] = await tx
      .update(users)
      .set({ isGuest: false })
      .where(and(eq(users.id, userId), eq(users.isGuest, true)))
      .returning({ createdAt: users.createdAt })
    if (!guest) return
    // The first account of a guest stands for them as if it had been there from the start.
    await tx
      .update(accounts)
      .set({ linkedAt: guest.createdAt })
      .where(and(eq(accounts.appId, app.id), eq(accounts.userId, userId)))
    await tx
      .update(accounts)
      .set({ details: { revoked: true } })
      .where(and(eq(accounts.appId, app.id), eq(accounts.userId, userId), eq(accounts.type, 'guest')))
  }

  /** Keeps the user as they are until the transaction ends; `undefined` for one who was deleted meanwhile. */
  async function lockUser(tx: Queries, app: App, { userId }: Bearer) {
    const [user] = await tx
      .select({ isGuest: users.isGuest })
      .from(users)
      .where(and(eq(users.id, userId), eq(users.appId, app.id)))
      .for('no key update') // A session that is added to the user meanwhile need not wait.
    return user
  }

  /** The same where there is nothing to do without the user. Throws a Refusal `missing_or_invalid_token`. */
  async function requireUser(tx: Queries, app: App, bearer: Bearer): Promise<void> {
    if (!(await lockUser(tx, app, bearer)))
      throw new Refusal('missing_or_invalid_token', 'This user no longer exists.')
  }

  /** The account is somebody else's: an offer to take it over where its kind allows that. */
  async function taken(
    tx: Transaction,
    app: App,
    bearer: Bearer,
    owner: string,
    proof: Proof,
  ): Promise<Refusal> {
    const { type, subject, details, displayName = null } = proof
    if (!isTransferable(type))
      return new Refusal('linked_to_another_user', 'This account has already been linked to another user.')
    if (!(await mayAdd(tx, app, bearer.userId, type))) return limitReached(type)
    const nonce = randomBytes(32).toString('base64url')
    const offer: Offer = { type, subject, owner, bearer }
    await oneTime.put(tx, {
      kind: 'transfer',
      appId: app.id,
      value: nonce,
      data: offer,
      life: limits.transferLife,
    })
    const other = await loadUser(tx, app.id, owner)
    const wallets = (other?.accounts ?? []).flatMap((account) =>
      account.type === 'embedded-wallet' ? [account.address] : [],
    )
    const [walletAddress = null] = wallets
    return new Refusal('account_transfer_required', 'This account belongs to another user.', {
      data: {
        nonce,
        subject,
        account: { type: shownType(type), displayName },
        otherUser: {
          embeddedWalletAddress: walletAddress,
          // The field above has room for one, and whoever deletes the account loses them all.
          ...(wallets.length > 1 && { embeddedWalletAddresses: wallets }),
          ...(type === 'farcaster' && walletAddress && { farcasterEmbeddedAddress: walletAddress }),
          ...(isOAuthProvider(type) && { oAuthUserInfo: { subject, ...known(details) } }),
        },
      },
    })
  }

  /** Finds who owns a proved account, or lets somebody new in. */
  async function findOrAdd(tx: Transaction, app: App, who: Arriving, proof: Proof): Promise<SignUp> {
    const now = clock()
    const guest = who.bearer && (await lockUser(tx, app, who.bearer))?.isGuest ? who.bearer : undefined
    const found = await findAccount(tx, app, proof)
    if (found?.details.revoked)
      return {
        refused: new Refusal('invalid_credentials', 'This guest already has an account.', { status: 401 }),
      }
    if (found && guest && found.userId !== guest.userId && proof.type !== 'guest')
      return { refused: await taken(tx, app, guest, found.userId, proof) }
    if (found) {
      await touch(tx, found.id, proof, now)
      return { userId: found.userId, isNew: false }
    }
    if (guest && proof.type !== 'guest' && who.mode !== 'no-signup') {
      await add(tx, app, guest, proof, now)
      await endGuest(tx, app, guest.userId)
      return { userId: guest.userId, isNew: false }
    }
    const refused = await newcomerRefused(tx, app, who.mode)
    if (refused) return { refused }
    const newcomer = newUser(app, now, { isGuest: proof.type === 'guest' })
    await add(tx, app, { newcomer }, proof, now)
    return { userId: newcomer.id, isNew: true }
  }

  /** Two who prove one new account at once: the second one comes again, and finds it. */
  async function inTransaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    try {
      return await database.transaction(work)
    } catch (cause) {
      if (!isUniqueViolation(cause)) throw cause
      return database.transaction(work)
    }
  }

  return {
    async logIn(app, who, prove) {
      const outcome = await inTransaction(async (tx) => {
        const proof = await prove(tx)
        if ('refused' in proof) return proof
        const found = await findOrAdd(tx, app, who, proof)
        if ('refused' in found) return found
        const { userId, isNew: isNewUser } = found
        const actor = { app, userId, place: who.place }
        const note = ownEntry(actor, 'login', clock(), { type: proof.type, isNewUser })
        const opened = await sessions.open(tx, app.id, userId, who, { note })
        await proof.opened?.(tx, opened)
        return { ...opened, isNewUser, extra: proof.extra }
      })
      if ('refused' in outcome) throw outcome.refused
      return outcome
    },

    async link(app, who, prove) {
      const { bearer } = who
      const outcome = await inTransaction(async (tx) => {
        const proof = await prove(tx)
        if ('refused' in proof) return proof
        await requireUser(tx, app, bearer)
        const found = await findAccount(tx, app, proof)
        if (found && found.userId !== bearer.userId)
          return { refused: await taken(tx, app, bearer, found.userId, proof) }
        const told = found ? [] : await reachedBefore(tx, app, bearer)
        if (found) await touch(tx, found.id, proof, clock())
        else if (await mayAdd(tx, app, bearer.userId, proof.type)) {
          await add(tx, app, bearer, proof, clock())
          if (isWayIn(app, proof.type)) await endGuest(tx, app, bearer.userId)
        } else return { refused: limitReached(proof.type) }
        await noteOwn(tx, actorOf(app, who), 'account-linked', clock(), { type: proof.type })
        return { extra: proof.extra, type: proof.type, told }
      })
      if ('refused' in outcome) throw outcome.refused
      const { type, told, extra } = outcome
      notices.tell({ app, userId: bearer.userId }, { what: 'account-linked', type, place: who.place }, told)
      return { extra }
    },

    async transfer(app, who, { nonce, type, subject }) {
      const { bearer, place } = who
      const outcome = await database.transaction(async (tx) => {
        const offer = (await oneTime.take(tx, { kind: 'transfer', appId: app.id, value: nonce })) as
          | Offer
          | undefined
        const wrong = {
          refused: new Refusal('invalid_credentials', 'This transfer is no longer valid.', {
            status: 401,
          }),
        }
        if (!offer || offer.type !== type || offer.subject !== subject) return wrong
        if (offer.bearer.userId !== bearer.userId || offer.bearer.sessionId !== bearer.sessionId) return wrong
        await requireUser(tx, app, bearer)
        const found = await findAccount(tx, app, offer)
        if (found?.userId !== offer.owner) return wrong
        if (!(await mayAdd(tx, app, bearer.userId, type))) return { refused: limitReached(type) }
        await refuseFactorAsLogin(tx, app, bearer.userId, type)
        const told = await reachedBefore(tx, app, bearer)
        const addresses = await mailAddresses(tx, app.id, offer.owner)
        const moved = { userId: bearer.userId, linkedAt: clock() }
        await tx.update(accounts).set(moved).where(eq(accounts.id, found.id))
        const removed = { userId: offer.owner, withAccount: { type, subject, userId: bearer.userId } }
        const isKept = await removeUser(tx, removed, clock())
        await endGuest(tx, app, bearer.userId)
        const from = offer.owner
        await noteOwn(tx, actorOf(app, who), 'account-transferred', clock(), { type, subject, from })
        await noteAudit(tx, {
          at: clock(),
          appId: app.id,
          actor: { type: 'user', id: bearer.userId },
          action: 'user-removed',
          userId: offer.owner,
          place,
          details: { isKept },
        })
        return { tell: isKept ? addresses : [], told }
      })
      if ('refused' in outcome) throw outcome.refused
      notices.tell({ app, userId: bearer.userId }, { what: 'account-linked', type, place }, outcome.told)
      const until = new Date(clock() + limits.removedUserLife)
      // Not waited for: it is done, whether a mail can leave now or not. A failure is the mailer's to log.
      for (const to of outcome.tell) mailer.send(removedMail(to, app.name, until)).catch(() => {})
    },

    async unlink(app, who, account, evenIfSole = false) {
      const { bearer, place } = who
      const told = await database.transaction(async (tx) => {
        await requireUser(tx, app, bearer)
        const before = await reachedBefore(tx, app, bearer)
        if (!(await unlinkAccount(tx, app, bearer.userId, account, evenIfSole))) throw soleAccount()
        await noteOwn(tx, actorOf(app, who), 'account-unlinked', clock(), account)
        return before
      })
      notices.tell(
        { app, userId: bearer.userId },
        { what: 'account-unlinked', type: account.type, place },
        told,
      )
    },
  }
}

/**
 * Where somebody with wallets can be reached before their accounts change: whoever changes them with a stolen token could
 * otherwise begin with the address that is told of it.
 */
export const reachedBefore = async (tx: Queries, app: App, { userId }: Bearer): Promise<string[]> =>
  (await hasWallets(tx, { userId })) ? mailAddresses(tx, app.id, userId) : []

/** The refusal of whoever would lock themselves out. */
export const soleAccount = () =>
  new Refusal('cannot_unlink_sole_account', 'The only login method of an account cannot be removed.')

/**
 * Takes an account away from a user.
 * @param evenIfSole the last way in as well; they were warned
 * @returns whether that is done: not where it is the last way in, unless it shall be even then
 * @throws Refusal `linked_account_not_found`; `invalid_state` for a passkey that is a second factor
 */
export async function unlinkAccount(
  tx: Transaction,
  app: App,
  userId: string,
  account: AccountName,
  evenIfSole: boolean,
): Promise<boolean> {
  const found = await findAccount(tx, app, account)
  if (found?.userId !== userId) throw new Refusal('linked_account_not_found', 'There is no such account.')
  const user = await loadUser(tx, app.id, userId)
  if (account.type === 'passkey' && user?.mfaPasskeys.has(account.subject))
    throw new Refusal('invalid_state', 'Cannot unlink a passkey enrolled in MFA')
  const waysIn = user?.accounts.filter(({ type }) => isWayIn(app, type)).length
  if (!evenIfSole && isWayIn(app, account.type) && waysIn === 1) return false
  await tx.delete(accounts).where(eq(accounts.id, found.id))
  return true
}

/** A passkey may be a second factor alone. */
const isWayIn = (app: App, type: Account['type']) =>
  !isNoLogin(type) && (type !== 'passkey' || app.methods.includes('passkey'))

/**
 * Text messages are not both factors of anybody.
 * @throws Refusal `mfa_method_not_allowed`; nothing that was shown is used up, for it comes again once the factor is gone
 */
async function refuseFactorAsLogin(
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

/** The fields that have a value. */
const known = (details: object) =>
  Object.fromEntries(Object.entries(details).filter(([, value]) => value !== null))

interface AccountName {
  type: ProvedType
  subject: string
}

/** The proved account as it is stored, and locked until the transaction ends. One that is not there yet can be added meanwhile. */
export async function findAccount(tx: Transaction, app: App, { type, subject }: AccountName) {
  const [row] = await tx
    .select()
    .from(accounts)
    .where(and(eq(accounts.appId, app.id), eq(accounts.type, type), eq(accounts.subject, subject)))
    .for('update')
    // Asked with every login: the server plans it once.
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
