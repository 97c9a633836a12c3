import { and, eq } from 'drizzle-orm'
import { Refusal } from '../../lib/refusal.ts'
import type { SessionEnding } from '../../sessions/services.ts'
import type { Sessions } from '../../sessions/sessions.ts'
import { isUniqueViolation, type Queries, type Transaction } from '../../store/database.ts'
import { refuseFrozen } from '../../users/frozen.ts'
import { createNotices, type NoticeContext } from '../../users/notices.ts'
import { accounts } from '../../users/tables.ts'
import { isGuarded } from '../../wallets/context.ts'
import { statements } from '../../wallets/proofs.ts'
import { requireUser, unlinkableAccount } from '../account-rows.ts'
import { loadUser } from '../user.ts'
import { type Changing, createChangeRules, type Told } from './apply.ts'
import type { AccountChange, AccountName, LoginGrant } from './change.ts'
import {
  approvalRequired,
  dropChange,
  findChange,
  isGrantApproved,
  storeChange,
  takeChange,
} from './pending.ts'

/** A pending change as the window of the vault shows it. */
export interface ReviewedChange {
  action: AccountChange['action']
  account: (AccountName & { displayName: string | null }) | undefined
  replaces: AccountName | undefined
  session: { id: string; name: string; place: string } | undefined
  /** The app at which a grant logs the user in. */
  requester: LoginGrant['requester'] | undefined
  /** The wallets of somebody else who is gone with a transfer. */
  othersWallets: string[]
  isLastLogin: boolean
  expiresAt: number
}
export interface AccountChanges extends SessionEnding {
  /**
   * Makes a change at once, or stores it until an enrolled device of the user approves it: for somebody with a wallet, in
   * a strict app. One decision for every route, so that no route can forget it.
   * @returns `told` to be called once the transaction is committed, or a refusal that leaves used up what was used up
   * @throws Refusal `mfa_method_not_allowed`, after which the same proof may come again
   */
  submit(
    tx: Transaction,
    who: Changing,
    change: AccountChange,
    options?: { always: boolean },
  ): Promise<{ told: Told } | { refused: Refusal }>
  /**
   * The same for a login at another app. The page that asks comes again once it is approved, and goes on then: for ten
   * minutes, and in the same session alone.
   */
  submitGrant(
    tx: Transaction,
    who: Changing,
    grant: LoginGrant,
  ): Promise<{ told: Told } | { refused: Refusal }>
  /** @throws Refusal `linked_account_not_found`, `token_already_used` */
  review(who: Changing, id: string): Promise<ReviewedChange>
  /** The text that a device signs to approve a change. @throws Refusal `linked_account_not_found` */
  statementOf(who: Changing, id: string): Promise<string>
  /** Applies a change once. @throws Refusal */
  approve(who: Changing, id: string): Promise<void>
  reject(who: Changing, id: string): Promise<void>
}

/** Nothing is used up with these: the same proof may come again. */
const comesAgain = (refusal: Refusal) => refusal.code === 'mfa_method_not_allowed'

/** Decides which changes of accounts and sessions wait for approval, and applies them. docs/security.md, "A token reads" */
export function createAccountChanges(deps: NoticeContext & { sessions: Sessions }): AccountChanges {
  const { database, limits, clock, sessions } = deps
  const rules = createChangeRules({ ...deps, notices: createNotices(deps) })

  async function needsApproval(
    db: Queries,
    { app, bearer }: Changing,
    change: AccountChange,
  ): Promise<boolean> {
    if (await isGuarded(db, app, bearer.userId)) return true
    // The owner of the account loses wallets with it, whether or not the heir has any.
    return change.action === 'transfer' && isGuarded(db, app, change.owner)
  }

  async function submit(
    tx: Transaction,
    who: Changing,
    change: AccountChange,
    { always } = { always: false },
  ): Promise<{ told: Told } | { refused: Refusal }> {
    try {
      await refuseFrozen(tx, who.bearer.userId)
      await rules.check(tx, who, change)
    } catch (cause) {
      if (cause instanceof Refusal && !comesAgain(cause)) return { refused: cause }
      throw cause
    }
    if (!always && !(await needsApproval(tx, who, change)))
      return { told: await rules.apply(tx, who, change, null) }
    const id = await storeChange(tx, who, change, { limits, now: clock() })
    return { refused: approvalRequired(id, change) }
  }

  async function end(who: Changing, change: AccountChange): Promise<void> {
    const outcome = await database.transaction(async (tx) => {
      await requireUser(tx, who.app, who.bearer)
      return submit(tx, who, change)
    })
    if ('refused' in outcome) throw outcome.refused
    outcome.told()
  }

  async function displayNameOf(who: Changing, change: AccountChange): Promise<string | null> {
    if (change.action === 'transfer') return change.account.displayName
    if (change.action === 'link' || change.action === 'update') {
      const { displayName, details } = change.account
      return displayName ?? nameIn({ ...details })
    }
    if (change.action !== 'unlink') return null
    const { type, subject } = change.account
    const [row] = await database
      .select({ details: accounts.details })
      .from(accounts)
      .where(and(eq(accounts.appId, who.app.id), eq(accounts.type, type), eq(accounts.subject, subject)))
    return row ? nameIn(row.details) : null
  }

  async function othersWallets(who: Changing, change: AccountChange): Promise<string[]> {
    if (change.action !== 'transfer') return []
    const owner = await loadUser(database, who.app.id, change.owner)
    return (owner?.accounts ?? []).flatMap((each) => (each.type === 'embedded-wallet' ? [each.address] : []))
  }

  const isLastLogin = ({ app, bearer }: Changing, change: AccountChange): Promise<boolean> | boolean =>
    change.action === 'unlink' &&
    database.transaction(async (tx) => {
      const found = await unlinkableAccount(tx, app, bearer.userId, change.account)
      return found.isLastLogin
    })

  async function reviewed(who: Changing, change: AccountChange) {
    const account = accountOf(change)
    const session =
      change.action === 'end-session'
        ? await sessions.find(database, { appId: who.app.id, userId: who.bearer.userId }, change.sessionId)
        : undefined
    return {
      action: change.action,
      account: account && { ...account, displayName: await displayNameOf(who, change) },
      replaces: change.action === 'update' ? change.replaced : undefined,
      requester: change.action === 'grant' ? change.requester : undefined,
      session: session && { id: session.id, name: session.name ?? '', place: session.place ?? '' },
      othersWallets: await othersWallets(who, change),
      isLastLogin: await isLastLogin(who, change),
    }
  }

  return {
    submit,
    async submitGrant(tx, who, grant) {
      const isApproved = await isGrantApproved(tx, who, grant, clock())
      return isApproved ? { told: () => {} } : submit(tx, who, grant)
    },
    endSession: (who, sessionId) => end(who, { action: 'end-session', sessionId }),
    endOtherSessions: (who) => end(who, { action: 'end-sessions' }),

    async review(who, id) {
      const { change, expiresAt, usedAt } = await findChange(database, who, id, clock())
      if (usedAt !== null) throw new Refusal('token_already_used', 'This change has already been made.')
      return { ...(await reviewed(who, change)), expiresAt }
    },

    async statementOf(who, id) {
      const { app, bearer } = who
      const { change } = await findChange(database, who, id, clock())
      const { type, subject } = subjectOf(change)
      return statements.accountChange(
        { appId: app.id, userId: bearer.userId },
        {
          changeId: id,
          action: change.action,
          type,
          subject,
          ...(change.action === 'update' && { replaces: change.replaced.subject }),
        },
      )
    },

    async approve(who, id) {
      const work = (tx: Transaction) => applyOnce(tx, who, id)
      // Two who get one account at once: the second attempt finds it taken.
      const told = await database.transaction(work).catch((cause: unknown) => {
        if (!isUniqueViolation(cause)) throw cause
        return database.transaction(work)
      })
      told()
    },

    reject: (who, id) => dropChange(database, who, id, clock()),
  }

  async function applyOnce(tx: Transaction, who: Changing, id: string): Promise<Told> {
    // The row of the user is locked: a freeze comes before or after this as a whole.
    await requireUser(tx, who.app, who.bearer)
    await refuseFrozen(tx, who.bearer.userId)
    const now = clock()
    return rules.apply(tx, who, await takeChange(tx, who, id, now), now)
  }
}

const accountOf = (change: AccountChange): AccountName | undefined =>
  'account' in change ? { type: change.account.type, subject: change.account.subject } : undefined

/** As the statement names what is changed: a session by its id, a grant by its app; both are empty where all other sessions end. */
function subjectOf(change: AccountChange): { type: string; subject: string } {
  if (change.action === 'end-session') return { type: '', subject: change.sessionId }
  if (change.action === 'grant') return { type: '', subject: change.requester.id }
  return accountOf(change) ?? { type: '', subject: '' }
}

/** An account's own name for itself, such as a user name or the authenticator that keeps a passkey. */
function nameIn(details: Readonly<Record<string, unknown>>): string | null {
  for (const field of ['username', 'email', 'displayName', 'name', 'authenticatorName', 'firstName']) {
    const value = details[field]
    if (typeof value === 'string' && value !== '') return value
  }
  return null
}
