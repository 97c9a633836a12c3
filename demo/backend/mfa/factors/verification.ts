import { Refusal } from '../../lib/refusal.ts'
import type { MfaPurpose, ShownFactor } from '../../sessions/second-factor.ts'
import type { Prover } from '../../sessions/services.ts'
import type { App } from '../../settings/app.ts'
import type { Limits } from '../../settings/limits.ts'
import type { Database, Transaction } from '../../store/database.ts'
import type { OneTime } from '../../store/one-time.ts'
import { countEvent, uncountEvent } from '../../store/rate-limits.ts'
import type { Notices } from '../../users/notices.ts'
import { issueMfaToken } from '../guard.ts'

const hour = 3_600_000
const day = 24 * hour

/** Judges what somebody shows, and uses it up; a wrong one is `false`, not thrown, so that what it counts is kept. */
export type Judge = (tx: Transaction) => Promise<boolean>

/** What is shown, and for what. */
interface Given {
  factor: ShownFactor
  purpose: MfaPurpose
}
export interface Verification {
  /**
   * Counts a try of whatever factor, judges it, and does the work for a right one in the same transaction.
   * @throws Refusal `invalid_credentials`, `too_many_requests`
   */
  tried<T>(app: App, userId: string, judge: Judge, work: (tx: Transaction) => Promise<T>): Promise<T>
  /** The proof that the guard asks for. @throws Refusal as {@link tried} */
  token(app: App, prover: Prover, given: Given, judge: Judge): Promise<string>
}

/**
 * What all factors of a person have in common: one count of wrong tries over all of them together, at this server, so
 * that neither another prompt nor another factor, browser or session gives anybody more guesses.
 */
export function createVerification(deps: {
  database: Database
  oneTime: OneTime
  limits: Limits
  clock: () => number
  notices: Notices
}): Verification {
  const { database, oneTime, limits, clock, notices } = deps
  const keyOf = (userId: string) => `mfa tries ${userId}`
  const windows = [
    { most: limits.mfaTries, span: limits.mfaTriesBreak },
    { most: limits.mfaTriesPerHour, span: hour },
    { most: limits.mfaTriesPerDay, span: day },
  ]

  /** Once a day: who goes on guessing does not fill the owner's inbox too. */
  async function warn(app: App, userId: string): Promise<void> {
    const key = { kind: 'mfa-locked-notice', appId: app.id, value: userId, life: day }
    if (await oneTime.put(database, key)) notices.tell({ app, userId }, { what: 'factors-locked' })
  }

  async function count(app: App, userId: string, now: number): Promise<void> {
    try {
      // On its own and first: of tries at the same time none is judged that is too many, and each counts however it ends.
      await database.transaction((tx) => countEvent(tx, keyOf(userId), now, day, windows))
    } catch (cause) {
      const isLong = cause instanceof Refusal && (cause.details.retryAfter ?? 0) > limits.mfaTriesBreak
      if (isLong) await warn(app, userId)
      throw cause
    }
  }

  async function tried<T>(
    app: App,
    userId: string,
    judge: Judge,
    work: (tx: Transaction) => Promise<T>,
  ): Promise<T> {
    const now = clock()
    await count(app, userId, now)
    const done = await database.transaction(async (tx) => {
      if (!(await judge(tx))) return undefined
      await uncountEvent(tx, keyOf(userId), now)
      return { result: await work(tx) }
    })
    if (!done) throw new Refusal('invalid_credentials', 'The code you entered is not valid')
    return done.result
  }

  return {
    tried,
    token: (app, prover, given, judge) =>
      tried(app, prover.userId, judge, (tx) => issueMfaToken(tx, prover, given, clock())),
  }
}
