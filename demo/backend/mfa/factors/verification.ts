import { isVerifiedDevice, noteVerified } from '../../devices/devices.ts'
import type { Idempotency } from '../../http/idempotency.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { ProvedPurpose, ShownFactor } from '../../sessions/second-factor.ts'
import type { Prover } from '../../sessions/services.ts'
import type { Sessions } from '../../sessions/sessions.ts'
import { sourceOf } from '../../sessions/sources.ts'
import type { App } from '../../settings/app.ts'
import type { Limits } from '../../settings/limits.ts'
import type { Database, Transaction } from '../../store/database.ts'
import type { OneTime } from '../../store/one-time.ts'
import { countEvent, uncountEvent } from '../../store/rate-limits.ts'
import type { Notices } from '../../users/notices.ts'
import { issueMfaToken } from '../guard.ts'
import { triesOf } from '../methods.ts'

const hour = 3_600_000
const day = 24 * hour

/** Judges what somebody shows, and uses it up; a wrong one is `false`, not thrown, so that what it counts is kept. */
export type Judge = (tx: Transaction) => Promise<boolean>

/** What is shown, and for what. */
interface Given {
  factor: ShownFactor
  purpose: ProvedPurpose
}
/** Who tries, and on which of their devices, if it is one. */
export type Trying = Prover & { deviceId?: string | undefined }

export interface Verification {
  /**
   * Counts a try of whatever factor, judges it, and does the work for a right one in the same transaction.
   * @throws Refusal `invalid_credentials`, `too_many_requests`
   */
  tried<T>(app: App, who: Trying, judge: Judge, work: (tx: Transaction) => Promise<T>): Promise<T>
  /** The proof that the guard asks for. @throws Refusal as {@link tried} */
  token(app: App, who: Trying, given: Given, judge: Judge): Promise<string>
}

/**
 * What all factors of a person have in common: one count of wrong tries over all of them together, at this server, so
 * that neither another prompt nor another factor, browser or session gives anybody more guesses. Each source is counted before the
 * person, and has fewer: whoever has stolen a session runs out of tries while the person still has some elsewhere, and on
 * devices that have shown a factor always has.
 */
export function createVerification(deps: {
  database: Database
  idempotency: Idempotency
  oneTime: OneTime
  sessions: Sessions
  limits: Limits
  clock: () => number
  notices: Notices
}): Verification {
  const { database, idempotency, oneTime, sessions, limits, clock, notices } = deps
  const windowsOf = (perHour: number, perDay: number) => [
    { most: limits.mfaTries, span: limits.mfaTriesBreak },
    { most: perHour, span: hour },
    { most: perDay, span: day },
  ]
  const ofSource = windowsOf(limits.mfaTriesPerSourceHour, limits.mfaTriesPerSourceDay)
  const ofPerson = windowsOf(limits.mfaTriesPerHour, limits.mfaTriesPerDay)

  /**
   * What a try is counted under: always in this order, so that nobody waits for each other. A device on which the person was
   * verified before is held back by its own tries alone: what others get wrong elsewhere keeps nobody out there.
   */
  async function countersOf(who: Trying) {
    const person = triesOf(who.userId)
    const isKnown = who.deviceId !== undefined && (await isVerifiedDevice(database, who.deviceId))
    return [
      { key: `${person} ${(await sourceOf(sessions, who)).name}`, windows: ofSource },
      { key: person, windows: isKnown ? [] : ofPerson },
    ]
  }

  /** Once a day: who goes on guessing does not fill the owner's inbox too. */
  async function warn(app: App, userId: string): Promise<void> {
    const key = { kind: 'mfa-locked-notice', appId: app.id, value: userId, life: day }
    if (await oneTime.put(database, key)) notices.tell({ app, userId }, { what: 'factors-locked' })
  }

  type Counters = Awaited<ReturnType<typeof countersOf>>

  async function count(app: App, { userId }: Trying, counters: Counters, now: number): Promise<void> {
    try {
      // On its own and first: of tries at the same time none is judged that is too many, and each counts however it ends.
      await database.transaction(async (tx) => {
        for (const { key, windows } of counters) await countEvent(tx, key, now, day, windows)
      })
    } catch (cause) {
      const isLong = cause instanceof Refusal && (cause.details.retryAfter ?? 0) > limits.mfaTriesBreak
      if (isLong) await warn(app, userId)
      throw cause
    }
  }

  async function tried<T>(
    app: App,
    who: Trying,
    judge: Judge,
    work: (tx: Transaction) => Promise<T>,
  ): Promise<T> {
    const now = clock()
    const counters = await countersOf(who)
    if (!idempotency.hasOutcome()) await count(app, who, counters, now)
    const done = await idempotency.commit(async (tx) => {
      if (!(await judge(tx))) return undefined
      for (const { key } of counters) await uncountEvent(tx, key, now)
      if (who.deviceId !== undefined) await noteVerified(tx, who.deviceId, now)
      return { result: await work(tx) }
    })
    if (!done) throw new Refusal('invalid_credentials', 'The code you entered is not valid')
    return done.result
  }

  return {
    tried,
    token: (app, who, given, judge) => tried(app, who, judge, (tx) => issueMfaToken(tx, who, given, clock())),
  }
}
