import { randomBytes } from 'node:crypto'
import { ownEntry } from '../audit/audit.ts'
import type { Appearance } from '../devices/describe.ts'
import type { Idempotency } from '../http/idempotency.ts'
import { Refusal } from '../lib/refusal.ts'
import type { Opened, Sessions } from '../sessions/sessions.ts'
import type { Bearer } from '../sessions/tokens.ts'
import type { App } from '../settings/app.ts'
import type { Limits } from '../settings/limits.ts'
import { isOAuthProvider } from '../settings/names.ts'
import { isUniqueViolation, type Transaction } from '../store/database.ts'
import type { OneTime } from '../store/one-time.ts'
import { isTransferable, type ProvedType, shownType } from '../users/account.ts'
import { createAccountLimit } from './account-limit.ts'
import { addAccount, findAccount, lockUser, requireUser, touchAccount } from './account-rows.ts'
import { type Changing, transferOver } from './changes/apply.ts'
import type { AccountName, ProvedChangeAccount } from './changes/change.ts'
import type { AccountChanges } from './changes/changes.ts'
import { type LoginMode, loadUser, newcomerRefused, newUser, type SignUp } from './user.ts'

/** An account that somebody has just proved to be theirs. */
export type Proof = ProvedChangeAccount & {
  /** Fields in addition to the answer's own, such as the provider's tokens. */
  extra?: Record<string, unknown>
  /** Notes which session a login has opened, and whose. */
  opened?: (tx: Transaction, bearer: Bearer) => Promise<void>
}
/**
 * Looks at what was presented and uses up what is good for one use. Runs inside the transaction that lets the person
 * in, so it makes no calls to the outside. A refusal is returned, not thrown: what was used up stays used up.
 */
export type Prove = (tx: Transaction) => Promise<Proof | { refused: Refusal }>

export interface LoggedIn extends Opened {
  isNewUser: boolean
  extra?: Record<string, unknown> | undefined
}
/**
 * Where the user has a wallet, in a strict app, a token alone changes nothing: every change below is stored until an
 * enrolled device approves it, and refused with `approval_required`.
 */
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
  link(who: Changing, prove: Prove): Promise<{ extra?: Record<string, unknown> | undefined }>
  /**
   * The same for an account that was proved in the vault's own window: always stored for approval, which the very same
   * window asks for next. Resolves with the id of the change. @throws Refusal
   */
  proposeLink(who: Changing, prove: Prove): Promise<{ change: string }>
  /** Puts a proved account in the place of one that the user has of the same kind. @throws Refusal */
  update(who: Changing, old: AccountName, prove: Prove): Promise<void>
  /**
   * Gives the user an account of somebody else, who is gone with that (one with wallets can be restored for a while,
   * and is told so), for a nonce that {@link logIn} or {@link link}
   * handed out to this very session. @throws Refusal
   */
  transfer(who: Changing, given: { nonce: string; type: ProvedType; subject: string }): Promise<void>
  /**
   * Takes an account away from the user: the last way in only if they were warned and want that.
   * @throws Refusal `linked_account_not_found`, `cannot_unlink_sole_account`, `invalid_state` for a second factor
   */
  unlink(who: Changing, account: AccountName, evenIfSole?: boolean): Promise<void>
}

/** Who logs in. */
interface Arriving extends Appearance {
  mode: LoginMode
  bearer?: Bearer | undefined
}

interface Offer {
  type: ProvedType
  subject: string
  displayName: string | null
  owner: string
  bearer: Bearer
}

/** Logs people in by the accounts that they prove, and changes which accounts a user has. */
export function createAccountService(deps: {
  idempotency: Pick<Idempotency, 'commit'>
  sessions: Sessions
  changes: AccountChanges
  oneTime: OneTime
  limits: Limits
  clock: () => number
}): AccountService {
  const { idempotency, sessions, changes, oneTime, limits, clock } = deps
  const { mayAdd, limitReached } = createAccountLimit(limits)

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
    const offer: Offer = { type, subject, displayName, owner, bearer }
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
      await touchAccount(tx, found.id, proof, now)
      return { userId: found.userId, isNew: false }
    }
    if (guest && proof.type !== 'guest' && who.mode !== 'no-signup') {
      const { place } = who
      const linked = await changes.submit(tx, { app, bearer: guest, place }, linkOf(proof))
      return 'refused' in linked ? linked : { userId: guest.userId, isNew: false }
    }
    const refused = await newcomerRefused(tx, app, who.mode)
    if (refused) return { refused }
    const newcomer = newUser(app, now, { isGuest: proof.type === 'guest' })
    await addAccount(tx, app, { newcomer }, proof, { now })
    return { userId: newcomer.id, isNew: true }
  }

  /** Two who prove one new account at once: the second one comes again, and finds it. */
  async function inTransaction<T extends object>(
    work: (tx: Transaction) => Promise<T | Refused>,
    toKeep?: (result: T) => T,
  ): Promise<T | Refused> {
    const attempt = () => idempotency.commit(work, (result) => unlessRefused(result, toKeep))
    try {
      return await attempt()
    } catch (cause) {
      if (!isUniqueViolation(cause)) throw cause
      return attempt()
    }
  }

  /** A change that a repetition doesn't make again; nor does that tell anybody of it. */
  const change = (work: (tx: Transaction) => Promise<{ told?: (() => void) | undefined } | Refused>) =>
    idempotency.commit(work, (result) => unlessRefused(result, () => ({})))

  return {
    async logIn(app, who, prove) {
      const outcome = await inTransaction<LoggedIn>(async (tx) => {
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

    async link(who, prove) {
      const { told, extra } = await linkProved(who, prove, { always: false })
      told?.()
      return { extra }
    },

    async proposeLink(who, prove) {
      try {
        await linkProved(who, prove, { always: true })
      } catch (cause) {
        const change =
          cause instanceof Refusal && cause.code === 'approval_required' && cause.details.data?.change
        if (typeof change === 'string') return { change }
        throw cause
      }
      throw new Refusal('resource_conflict', 'This account is yours already.')
    },

    async update(who, old, prove) {
      const { app, bearer } = who
      const outcome = await change(async (tx) => {
        const proof = await prove(tx)
        if ('refused' in proof) return proof
        await requireUser(tx, app, bearer)
        // An account in its own place: nothing changes but when it was proved last.
        const same =
          old.type === proof.type && old.subject === proof.subject && (await findAccount(tx, app, old))
        if (same && same.userId === bearer.userId) {
          await touchAccount(tx, same.id, proof, clock())
          return { told: () => {} }
        }
        return changes.submit(tx, who, { action: 'update', replaced: old, account: accountOf(proof) })
      })
      if ('refused' in outcome) throw outcome.refused
      outcome.told?.()
    },

    async transfer(who, { nonce, type, subject }) {
      const { app, bearer } = who
      const outcome = await change(async (tx) => {
        const offer = (await oneTime.take(tx, { kind: 'transfer', appId: app.id, value: nonce })) as
          | Offer
          | undefined
        if (!offer || offer.type !== type || offer.subject !== subject) return { refused: transferOver() }
        if (offer.bearer.userId !== bearer.userId || offer.bearer.sessionId !== bearer.sessionId)
          return { refused: transferOver() }
        await requireUser(tx, app, bearer)
        const { owner, displayName } = offer
        return changes.submit(tx, who, {
          action: 'transfer',
          account: { type, subject, displayName },
          owner,
        })
      })
      if ('refused' in outcome) throw outcome.refused
      outcome.told?.()
    },

    async unlink(who, { type, subject }, evenIfSole = false) {
      const outcome = await change(async (tx) => {
        await requireUser(tx, who.app, who.bearer)
        return changes.submit(tx, who, { action: 'unlink', account: { type, subject }, evenIfSole })
      })
      if ('refused' in outcome) throw outcome.refused
      outcome.told?.()
    },
  }

  async function linkProved(who: Changing, prove: Prove, options: { always: boolean }) {
    const { app, bearer } = who
    const outcome = await inTransaction<Linked>(async (tx) => {
      const proof = await prove(tx)
      if ('refused' in proof) return proof
      await requireUser(tx, app, bearer)
      const found = await findAccount(tx, app, proof)
      if (found && found.userId !== bearer.userId)
        return { refused: await taken(tx, app, bearer, found.userId, proof) }
      const { extra } = proof
      if (found) {
        await touchAccount(tx, found.id, proof, clock())
        return { extra, told: undefined }
      }
      const submitted = await changes.submit(tx, who, linkOf(proof), options)
      return 'refused' in submitted ? submitted : { extra, told: submitted.told }
    }, toKeepOfLink)
    if ('refused' in outcome) throw outcome.refused
    return outcome
  }
}

interface Refused {
  readonly refused: Refusal
}
/** A refusal is judged anew, since what it is for may have changed. */
function unlessRefused<T extends object>(
  result: T | Refused,
  toKeep: (result: T) => T = (kept) => kept,
): T | undefined {
  return 'refused' in result ? undefined : toKeep(result)
}

interface Linked {
  readonly extra: Proof['extra']
  readonly told: (() => void) | undefined
}
const toKeepOfLink = ({ extra }: Linked): Linked => ({ extra, told: undefined })

/** The part of a proof that is stored until it is approved. */
function accountOf({ extra: _, opened: __, ...account }: Proof): ProvedChangeAccount {
  return account
}
const linkOf = (proof: Proof) => ({ action: 'link', account: accountOf(proof) }) as const

/** The fields that have a value. */
const known = (details: object) =>
  Object.fromEntries(Object.entries(details).filter(([, value]) => value !== null))
