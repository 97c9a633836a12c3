import * as v from 'valibot'
import type { ShownFactor } from '../../sessions/second-factor.ts'
import type { Transaction } from '../../store/database.ts'
import type { KeySession } from '../../wallets/context.ts'
import type { Appearance } from '../describe.ts'
import type { EnrolledBy } from '../tables.ts'
import type { Standing } from './standing.ts'

/** Where a request for a new device comes from. */
export interface Caller extends Appearance {
  /** A network address as a key for limits. */
  ip: string | undefined
  /** The vault's, under which it is known to browsers and wallets. */
  origin: string | undefined
}
/** The circumstances of an attempt besides the proof itself. */
export interface Circumstances {
  standing: Standing
  caller: Caller
  /** The second factor of which the guard has seen a proof. */
  secondFactor: ShownFactor | undefined
}
/** A proof that was right. */
export interface Proved {
  enrolledBy: EnrolledBy
  /** Runs in the transaction that enrols the key, with the user's row locked. What it throws undoes all of it. */
  use?: (tx: Transaction, deviceId: string) => Promise<void>
}
/** A proof that is presented, as an enrolment reads it. */
export interface Attempt {
  factor: string
  /**
   * Whether a user with a second factor shows it along with the proof: `itself` is the second factor alone, and `none` has had
   * it shown on the device that approved.
   */
  secondFactor: 'along' | 'itself' | 'none'
  /** @throws Refusal for what proves nothing */
  prove(session: KeySession, circumstances: Circumstances): Promise<Proved>
}
/** One kind of proof for a new device. Features that can prove a user add theirs to `services.proofKinds` when they start. */
export interface ProofKind {
  /** The body of the enrolment. */
  body: v.GenericSchema<unknown, Attempt>
}

/**
 * Defines a kind of proof.
 * @param given.body a strict object with the kind's name as `factor`
 * @param given.secondFactor `along` unless it says otherwise
 */
export function proofKind<Shown extends { factor: string }>(given: {
  body: v.GenericSchema<unknown, Shown>
  secondFactor?: Attempt['secondFactor']
  prove(session: KeySession, shown: Shown, circumstances: Circumstances): Promise<Proved>
}): ProofKind {
  const { body, secondFactor = 'along', prove } = given
  return {
    body: v.pipe(
      body,
      v.transform(
        (shown): Attempt => ({
          factor: shown.factor,
          secondFactor,
          prove: (session, circumstances) => prove(session, shown, circumstances),
        }),
      ),
    ),
  }
}
