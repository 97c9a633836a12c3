/** The ways to verify again that a person is who they are, in the order in which they are offered. */
export const mfaMethods = ['totp', 'sms', 'passkey'] as const
export type MfaMethod = (typeof mfaMethods)[number]

export const isMfaMethod = (value: unknown): value is MfaMethod =>
  mfaMethods.some((method) => method === value)

/** What a person gives to be verified: a code, or what their passkey has answered. */
export type MfaGiven =
  | { readonly method: 'totp' | 'sms' | 'recovery'; readonly code: string }
  | { readonly method: 'passkey'; readonly response: object }

/** One of a person's passkeys. */
export interface MfaPasskey {
  readonly id: string
  /** As people tell it from others. */
  readonly name: string
}

/** What a person has, as the server says. */
export interface MfaPerson {
  /** The factors that are enrolled, the oldest first. */
  readonly methods: readonly MfaMethod[]
  readonly passkeys: readonly MfaPasskey[]
  /** Their phone is how they log in, and so can't be a second factor. */
  readonly smsIsLogin: boolean
  readonly recoveryCodesLeft: number
}

/** Why something of a factor has failed, as far as a person is told. */
export type MfaFailure =
  /** What was given is wrong. */
  | 'wrong'
  | 'max-attempts'
  | 'timeout'
  /** The passkey request was declined or ran out of time. */
  | 'declined'
  /** This browser can't do it. */
  | 'unsupported'
  /** No text message could be sent. */
  | 'unsent'
  | 'too-many'
  | 'network'
  | 'other'
