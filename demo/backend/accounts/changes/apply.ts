import { eq } from 'drizzle-orm'
import { noteAudit, noteOwn, type OwnActor } from '../../audit/audit.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Mailer } from '../../outside/mail.ts'
import type { SmsGateway } from '../../outside/sms.ts'
import type { Sessions } from '../../sessions/sessions.ts'
import type { Bearer } from '../../sessions/tokens.ts'
import type { App } from '../../settings/app.ts'
import type { Limits } from '../../settings/limits.ts'
import type { Queries, Transaction } from '../../store/database.ts'
import { type ProvedType, transferredDetails } from '../../users/account.ts'
import { verifiedAddresses } from '../../users/addresses.ts'
import { keepFormerAddresses, type Reached, reachedAddresses } from '../../users/former-addresses.ts'
import type { Notice, Notices } from '../../users/notices.ts'
import { accounts } from '../../users/tables.ts'
import { hasWallets } from '../../wallets/context.ts'
import { createAccountLimit } from '../account-limit.ts'
import {
  addAccount,
  endGuest,
  findAccount,
  isWayIn,
  refuseFactorAsLogin,
  reserveAccount,
  soleAccount,
  unlinkAccount,
  unlinkableAccount,
} from '../account-rows.ts'
import { removedMail, removedSms, removeUser } from '../removed-users.ts'
import type { AccountChange } from './change.ts'

/** The user who changes their accounts, and roughly where they are. */
export interface Changing {
  app: App
  bearer: Bearer
  place: string
}
/** The same, as the audit log takes it. */
export const actorOf = ({ app, bearer, place }: Changing): OwnActor => ({ app, userId: bearer.userId, place })

/** Sends what people are told of a change, once it is committed. */
export type Told = () => void
export interface ChangeRules {
  /**
   * Looks whether a change can be made as things are, before anything waits for approval.
   * @throws Refusal
   */
  check(tx: Transaction, who: Changing, change: AccountChange): Promise<void>
  /**
   * Makes a change.
   * @param confirmedAt when an enrolled device approved it; `null` where none had to
   * @throws Refusal as {@link check}: things may have changed since
   */
  apply(tx: Transaction, who: Changing, change: AccountChange, confirmedAt: number | null): Promise<Told>
}

export const linkedToAnother = () =>
  new Refusal('linked_to_another_user', 'This account has already been linked to another user.')
const noSuchAccount = () => new Refusal('linked_account_not_found', 'There is no such account.')

type ChangeOf<A extends AccountChange['action']> = Extract<AccountChange, { action: A }>

/** The rules of each kind of change. Permission is decided in changes.ts, the same for all. */
export function createChangeRules(deps: {
  sessions: Sessions
  limits: Limits
  mailer: Mailer
  sms: SmsGateway
  notices: Notices
  clock: () => number
}): ChangeRules {
  const { sessions, limits, mailer, sms, notices, clock } = deps
  const { mayAdd, limitReached } = createAccountLimit(limits)
  const ownerOf = ({ app, bearer }: Changing) => ({ appId: app.id, userId: bearer.userId })

  /**
   * Where somebody with wallets can be reached before their accounts change: whoever changes them could otherwise begin
   * with the address that is told of it.
   */
  const reachedBefore = async (tx: Queries, of: { appId: string; userId: string }): Promise<Reached[]> =>
    (await hasWallets(tx, of))
      ? reachedAddresses(tx, of, { wait: limits.accountChangeWait, now: clock() })
      : []

  /** Does what may take addresses away, and keeps those that are gone for notices. */
  async function keepingAddresses(
    tx: Transaction,
    of: { appId: string; userId: string },
    work: () => Promise<void>,
  ) {
    const before = (await hasWallets(tx, of)) ? await verifiedAddresses(tx, of.appId, of.userId) : []
    await work()
    await keepFormerAddresses(tx, of, before, clock())
  }

  const tell =
    ({ app, bearer, place }: Changing, what: AccountNotice, type: ProvedType, to: readonly Reached[]): Told =>
    () =>
      notices.tell({ app, userId: bearer.userId }, { what, type, place }, to)

  async function requireAddable(tx: Transaction, { app, bearer }: Changing, type: ProvedType) {
    if (!(await mayAdd(tx, app, bearer.userId, type))) throw limitReached(type)
    await refuseFactorAsLogin(tx, app, bearer.userId, type)
  }

  const link = {
    async check(tx: Transaction, who: Changing, { account }: ChangeOf<'link'>) {
      if (await findAccount(tx, who.app, account)) throw linkedToAnother()
      await requireAddable(tx, who, account.type)
    },
    async apply(tx: Transaction, who: Changing, change: ChangeOf<'link'>, confirmedAt: number | null) {
      await link.check(tx, who, change)
      const { app, bearer } = who
      const { account } = change
      const told = await reachedBefore(tx, ownerOf(who))
      await addAccount(tx, app, bearer, account, { now: clock(), confirmedAt })
      if (isWayIn(app, account.type)) await endGuest(tx, app, bearer.userId)
      await noteOwn(tx, actorOf(who), 'account-linked', clock(), { type: account.type })
      return tell(who, 'account-linked', account.type, told)
    },
  }

  async function rowsOfUpdate(tx: Transaction, { app, bearer }: Changing, change: ChangeOf<'update'>) {
    const { replaced, account } = change
    // In one order for everybody: two who swap their accounts do not wait for each other for ever.
    const ordered = [replaced, account].sort((one, other) => (one.subject < other.subject ? -1 : 1))
    const rows = []
    for (const name of ordered) rows.push(await reserveAccount(tx, app, name))
    const [before, after] = ordered[0] === replaced ? rows : rows.toReversed()
    if (before?.userId !== bearer.userId || replaced.type !== account.type) throw noSuchAccount()
    if (after && after.id !== before.id) throw linkedToAnother()
    return before
  }
  const update = {
    async check(tx: Transaction, who: Changing, change: ChangeOf<'update'>) {
      await rowsOfUpdate(tx, who, change)
    },
    async apply(tx: Transaction, who: Changing, change: ChangeOf<'update'>, confirmedAt: number | null) {
      const row = await rowsOfUpdate(tx, who, change)
      const { replaced, account } = change
      const told = await reachedBefore(tx, ownerOf(who))
      const now = clock()
      await keepingAddresses(tx, ownerOf(who), async () => {
        const seen = { verifiedAt: now, firstVerifiedAt: now, latestVerifiedAt: now }
        const fresh = {
          subject: account.subject,
          details: { ...account.details },
          linkedAt: now,
          confirmedAt,
        }
        await tx
          .update(accounts)
          .set({ ...fresh, ...seen })
          .where(eq(accounts.id, row.id))
      })
      const noted = { type: replaced.type, from: replaced.subject }
      await noteOwn(tx, actorOf(who), 'account-updated', now, noted)
      return tell(who, 'account-updated', replaced.type, told)
    },
  }

  async function rowOfTransfer(tx: Transaction, who: Changing, change: ChangeOf<'transfer'>) {
    const { account, owner } = change
    const found = await findAccount(tx, who.app, account)
    if (found?.userId !== owner) throw transferOver()
    await requireAddable(tx, who, account.type)
    return found
  }
  const transfer = {
    async check(tx: Transaction, who: Changing, change: ChangeOf<'transfer'>) {
      await rowOfTransfer(tx, who, change)
    },
    async apply(tx: Transaction, who: Changing, change: ChangeOf<'transfer'>, confirmedAt: number | null) {
      const { app, bearer, place } = who
      const { owner } = change
      const { type, subject } = change.account
      const found = await rowOfTransfer(tx, who, change)
      const told = await reachedBefore(tx, ownerOf(who))
      const ofOwner = await reachedBefore(tx, { appId: app.id, userId: owner })
      const details = transferredDetails(found.details)
      const moved = { userId: bearer.userId, linkedAt: clock(), confirmedAt, details }
      await tx.update(accounts).set(moved).where(eq(accounts.id, found.id))
      const { linkedAt, confirmedAt: confirmedBefore } = found
      const withAccount = { type, subject, userId: bearer.userId, linkedAt, confirmedAt: confirmedBefore }
      const removed = { userId: owner, withAccount }
      const isKept = await removeUser(tx, removed, clock())
      await endGuest(tx, app, bearer.userId)
      await noteOwn(tx, actorOf(who), 'account-transferred', clock(), { type, subject, from: owner })
      await noteAudit(tx, {
        at: clock(),
        appId: app.id,
        actor: { type: 'user', id: bearer.userId },
        action: 'user-removed',
        userId: owner,
        place,
        details: { isKept },
      })
      return () => {
        tell(who, 'account-linked', type, told)()
        if (!isKept) return
        const until = new Date(clock() + limits.removedUserLife)
        // Not waited for: it is done, whether a message can leave now or not. A failure is the gateway's to log.
        for (const { channel, address: to } of ofOwner)
          (channel === 'email'
            ? mailer.send(removedMail(to, app.name, until))
            : sms.send({ to, text: removedSms(app.name, until) })
          ).catch(() => {})
      }
    },
  }

  const unlink = {
    async check(tx: Transaction, { app, bearer }: Changing, { account, evenIfSole }: ChangeOf<'unlink'>) {
      const { isLastLogin } = await unlinkableAccount(tx, app, bearer.userId, account)
      if (isLastLogin && !evenIfSole) throw soleAccount()
    },
    async apply(tx: Transaction, who: Changing, { account, evenIfSole }: ChangeOf<'unlink'>) {
      const { app, bearer } = who
      const told = await reachedBefore(tx, ownerOf(who))
      await keepingAddresses(tx, ownerOf(who), async () => {
        if (!(await unlinkAccount(tx, app, bearer.userId, account, evenIfSole))) throw soleAccount()
      })
      const { type, subject } = account
      await noteOwn(tx, actorOf(who), 'account-unlinked', clock(), { type, subject })
      return tell(who, 'account-unlinked', account.type, told)
    },
  }

  const endSession = {
    async check(tx: Transaction, who: Changing, { sessionId }: ChangeOf<'end-session'>) {
      const found = await sessions.find(tx, ownerOf(who), sessionId)
      if (!found) throw new Refusal('linked_account_not_found', 'There is no such session.')
      return found
    },
    async apply(tx: Transaction, who: Changing, change: ChangeOf<'end-session'>) {
      const { name, place } = await endSession.check(tx, who, change)
      await sessions.end(tx, ownerOf(who), change.sessionId)
      await noteOwn(tx, actorOf(who), 'session-ended', clock(), { name, place })
      return () => {}
    },
  }
  const endSessions = {
    async check() {},
    async apply(tx: Transaction, who: Changing) {
      const count = await sessions.endAll(tx, ownerOf(who), who.bearer.sessionId)
      if (count > 0) await noteOwn(tx, actorOf(who), 'sessions-ended', clock(), { count })
      return () => {}
    },
  }

  const grant = {
    async check() {},
    async apply(tx: Transaction, who: Changing, { requester }: ChangeOf<'grant'>) {
      await noteOwn(tx, actorOf(who), 'login-granted', clock(), { app: requester.id })
      return () => {}
    },
  }

  return {
    async check(tx, who, change) {
      switch (change.action) {
        case 'link':
          return link.check(tx, who, change)
        case 'update':
          return update.check(tx, who, change)
        case 'transfer':
          return transfer.check(tx, who, change)
        case 'unlink':
          return unlink.check(tx, who, change)
        case 'end-session':
          await endSession.check(tx, who, change)
          return
        case 'end-sessions':
          return endSessions.check()
        case 'grant':
          return grant.check()
      }
    },
    async apply(tx, who, change, confirmedAt) {
      switch (change.action) {
        case 'link':
          return link.apply(tx, who, change, confirmedAt)
        case 'update':
          return update.apply(tx, who, change, confirmedAt)
        case 'transfer':
          return transfer.apply(tx, who, change, confirmedAt)
        case 'unlink':
          return unlink.apply(tx, who, change)
        case 'end-session':
          return endSession.apply(tx, who, change)
        case 'end-sessions':
          return endSessions.apply(tx, who)
        case 'grant':
          return grant.apply(tx, who, change)
      }
    },
  }
}

type AccountNotice = Extract<Notice, { place: string; type: ProvedType }>['what']

/** A transfer that was offered to somebody else, or not at all, or too long ago. */
export const transferOver = () =>
  new Refusal('invalid_credentials', 'This transfer is no longer valid.', { status: 401 })
