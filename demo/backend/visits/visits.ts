import { randomBytes } from 'node:crypto'
import { Refusal, type RefusalCode } from '../lib/refusal.ts'
import type { Limits } from '../settings/limits.ts'
import type { Database, Queries, Transaction } from '../store/database.ts'
import type { OneTime } from '../store/one-time.ts'
import type { AccountDetails, ProvedType } from '../users/account.ts'

/** Why a user goes to a provider from the vault's window. */
export type VisitPurpose = 'enrol' | 'link' | 'drive'

/** The user, the session and the key of the browser. Nobody else can use what comes back. */
export interface Visitor {
  appId: string
  userId: string
  sessionId: string
  thumbprint: string
}

export interface Visit extends Visitor {
  purpose: VisitPurpose
  /** An OAuth provider, `telegram`, `farcaster`, or a drive. */
  provider: string
  /** The origin of the vault that the browser goes back to. */
  vaultOrigin: string
  /** The subject that has to come back, where an account was named. */
  expected?: string | undefined
  /** Unix milliseconds. */
  since: number
  /** Kept by the provider's own login, such as the token of a channel. */
  data?: unknown
}

/** An account that the provider says is the visitor's. */
export interface VisitedAccount {
  type: ProvedType
  subject: string
  details: AccountDetails[ProvedType]
  displayName?: string | null | undefined
}
/** The answer of a provider. */
export type VisitOutcome =
  | { account: VisitedAccount }
  | { driveToken: string }
  | { refused: { code: RefusalCode; text: string } }

/** The visits of users to providers, from the vault's window and back to it. */
export interface Visits {
  /** Begins a visit. Resolves with its state, which only the vault's window knows. */
  begin(visitor: Visitor, about: Omit<Visit, keyof Visitor | 'since'>): Promise<string>
  /** A visit that is still good, for a provider's callback, which knows no session. */
  find(state: string): Promise<Visit | undefined>
  /** The same for the visitor. @throws Refusal `invalid_credentials` for anybody else's */
  ownVisit(visitor: Visitor, state: string): Promise<Visit>
  /** Stores a provider's answer. Resolves with the code that the vault's window brings. */
  answer(state: string, visit: Visit, outcome: VisitOutcome): Promise<string>
  /** Uses up visit and code. A refusal is returned, not thrown: what was used up stays used up. */
  finish(
    tx: Transaction,
    visitor: Visitor,
    purpose: VisitPurpose,
    given: { state: string; code: string },
  ): Promise<Exclude<VisitOutcome, { refused: unknown }> | { refused: Refusal }>
}

const newSecret = () => randomBytes(36).toString('base64url')

/** The refusal of a visit or code that is unknown, used, too old or somebody else's. */
export const badVisit = () =>
  new Refusal('invalid_credentials', 'This sign-in is no longer valid.', { status: 401 })

const isOf = (visit: Visitor, { appId, userId, sessionId, thumbprint }: Visitor) =>
  visit.appId === appId &&
  visit.userId === userId &&
  visit.sessionId === sessionId &&
  visit.thumbprint === thumbprint

export function createVisits(deps: {
  database: Database
  oneTime: OneTime
  limits: Limits
  clock: () => number
}): Visits {
  const { database, oneTime, limits, clock } = deps
  // A provider's callback names no app, so visits are stored without one.
  const visitKey = (value: string) => ({ kind: 'visit', appId: '', value })
  const codeKey = (appId: string, value: string) => ({ kind: 'visit-code', appId, value })
  const peek = async (db: Queries, state: string) =>
    (await oneTime.peek(db, visitKey(state))) as Visit | undefined

  return {
    async begin(visitor, about) {
      const state = newSecret()
      const { appId, userId, sessionId, thumbprint } = visitor
      const data: Visit = { ...about, appId, userId, sessionId, thumbprint, since: clock() }
      await oneTime.put(database, { ...visitKey(state), data, life: limits.oauthStateLife })
      return state
    },
    find: (state) => peek(database, state),
    async ownVisit(visitor, state) {
      const visit = await peek(database, state)
      if (!visit || !isOf(visit, visitor)) throw badVisit()
      return visit
    },
    async answer(state, { appId }, outcome) {
      const code = newSecret()
      const data = { state, outcome }
      await oneTime.put(database, { ...codeKey(appId, code), data, life: limits.oauthCodeLife })
      return code
    },
    async finish(tx, visitor, purpose, { state, code }) {
      const answer = (await oneTime.take(tx, codeKey(visitor.appId, code))) as
        | { state: string; outcome: VisitOutcome }
        | undefined
      const visit = await peek(tx, state)
      if (!answer || !visit || answer.state !== state || !isOf(visit, visitor) || visit.purpose !== purpose)
        return { refused: badVisit() }
      await oneTime.take(tx, visitKey(state))
      const { outcome } = answer
      if ('refused' in outcome) return { refused: new Refusal(outcome.refused.code, outcome.refused.text) }
      if (
        visit.expected !== undefined &&
        !('account' in outcome && outcome.account.subject === visit.expected)
      )
        return {
          refused: new Refusal('wrong_account', 'This is another account than the one that was named.'),
        }
      return outcome
    },
  }
}
