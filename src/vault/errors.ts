import { InvalidRequest } from '../lib/invalid-request.ts'
import type { MfaPurpose } from '../protocol/frame/calls.ts'
import type { FrameErrorType, FrameFailure } from '../protocol/frame/messages.ts'

/** A failure that is reported to the page. The message is short, for people, and contains nothing secret. */
export class VaultError extends Error {
  override name = 'VaultError'
  constructor(
    readonly type: FrameErrorType,
    message: string,
    options?: ErrorOptions & {
      readonly code?: string | undefined
      readonly remedy?: Remedy | undefined
      readonly mfa?: MfaAsked | undefined
    },
  ) {
    super(message, options)
    this.code = options?.code
    this.remedy = options?.remedy
    this.mfa = options?.mfa
  }
  /** Why the server refused, or a drive, in the server's own names; for the vault alone. */
  readonly code: string | undefined
  /** What the person can do about it, if anything. */
  readonly remedy: Remedy | undefined
  /** The server wants a second factor shown first. */
  readonly mfa: MfaAsked | undefined
}
/** What a second factor has to be shown for, and the factors that the person has, the oldest first. */
export interface MfaAsked {
  readonly purpose: MfaPurpose
  readonly methods: readonly string[]
}
/** Look after the connection, wait, or log in again. */
export type Remedy = 'connect' | 'wait' | 'login'

/** What a page is told of a failure. Only our own words leave the vault: a library's message could quote what it worked on. */
export function toFailure(cause: unknown): FrameFailure {
  if (cause instanceof VaultError) return { type: cause.type, message: cause.message }
  if (cause instanceof InvalidRequest) return { type: 'invalid_request_arguments', message: cause.message }
  return { type: 'error', message: 'The vault could not complete the request' }
}

export const notOnDevice = (): VaultError =>
  new VaultError('wallet_not_on_device', 'The wallet is not on this device')

/** This browser's key is unknown to the server, and the person has to prove something before it is taken. */
export const enrolmentRequired = (): VaultError =>
  new VaultError('enrolment_required', 'The wallet service does not know this browser yet')
/** Whether the server has answered, and no other try of the same would do; a lost connection is not a refusal. */
export const isRefused = (cause: unknown): boolean =>
  cause instanceof VaultError &&
  (cause.type === 'wallet_not_on_device' || (cause.code !== undefined && cause.mfa === undefined))

/** The server refuses everything until the user has shown that it's them: a link in a notice has frozen the account. */
export const isFrozen = (cause: unknown): boolean =>
  cause instanceof VaultError && cause.type === 'account_frozen'

/** The person does not verify that they are who they are. */
export const mfaCanceled = (cause?: unknown): VaultError =>
  new VaultError('mfa_canceled', 'MFA canceled', { cause })

/** Why a share, or two of them, can't be used. */
export type ShareFailure = 'malformed' | 'version' | 'damaged' | 'mismatch' | 'commitment'
export class ShareError extends Error {
  override name = 'ShareError'
  constructor(
    readonly reason: ShareFailure,
    options?: ErrorOptions,
  ) {
    super(`The share can't be used: ${reason}`, options)
  }
}
