/**
 * What the proof of a second factor is for: the ordinary use of wallets, or one of the classes of operations that want
 * a proof of their own, just now. A proof for such a class is good for the ordinary use as well.
 */
export const mfaPurposes = ['use', 'export', 'recovery', 'factors', 'device', 'account'] as const
export type MfaPurpose = (typeof mfaPurposes)[number]
/**
 * What a guard asks a proof for. `adding`: the person gets another factor, or recovery codes; a proof for `factors` does, and so
 * does the code with which they have just set a factor up.
 */
export type GuardedPurpose = MfaPurpose | 'adding'
/** What a proof was given for. */
export type ProvedPurpose = MfaPurpose | 'enrolment'

/** What can prove a person once they are logged in. */
export type MfaMethod = 'sms' | 'totp' | 'passkey'
/** The same, and what stands in for it. */
export type ShownFactor = MfaMethod | 'recovery-code'
