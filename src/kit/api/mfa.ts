/** Second factors of the person who is logged in. */
import type { Surface } from '../../dialog/surface.ts'
import type { Readable } from '../../lib/store.ts'
import type { MfaMethod } from '../../mfa/methods.ts'

/** The place where second factors are shown, and what ends that. */
export interface MfaOptions {
  signal?: AbortSignal
  surface?: Surface
}
/** How far the prompt of a second factor is. */
export type MfaState =
  | { readonly status: 'idle' }
  /** The kit asks the person. */
  | { readonly status: 'prompting'; readonly methods: readonly MfaMethod[] }
  /** A request waits for the host, which draws its own prompt. */
  | { readonly status: 'required'; readonly methods: readonly MfaMethod[] }
/** Proof that the factor being enrolled works. */
export type EnrollmentInput =
  | { readonly method: 'totp'; readonly code: string }
  | { readonly method: 'sms'; readonly phoneNumber: string; readonly code: string }
  /** All passkeys that are to be factors; any other no longer is one. */
  | { readonly method: 'passkey'; readonly credentialIds: readonly string[] }

/** Which passkey is asked for, as `PublicKeyCredential.parseRequestOptionsFromJSON` takes it. */
export interface PasskeyChallenge {
  /** Base64url. */
  challenge: string
  rpId?: string
  /** Milliseconds. */
  timeout?: number
  userVerification?: string
  allowCredentials?: { id: string; type: string; transports?: string[] }[]
}

/** Second factors of the user who is logged in; see {@link Kit.mfa}. */
export interface KitMfa {
  /** Those that are enrolled, the oldest first. */
  readonly methods: readonly MfaMethod[]
  readonly state: Readable<MfaState>
  /**
   * Lets the user add second factors, and take them away; with `method`, enrols that one.
   *
   * @returns all that are enrolled then
   * @throws KitError `must_be_authenticated`; `mfa_canceled` when the user leaves before
   * @example
   * const methods = await kit.mfa.enroll({ method: 'totp' })
   */
  enroll(options?: MfaOptions & { method?: MfaMethod }): Promise<readonly MfaMethod[]>
  /**
   * Removes a factor, once the user has agreed and is verified.
   *
   * @returns all that are left
   * @throws KitError as {@link enroll} does
   * @example
   * if (kit.mfa.methods.includes('sms')) await kit.mfa.remove('sms')
   */
  remove(method: MfaMethod, options?: MfaOptions): Promise<readonly MfaMethod[]>
  /**
   * Makes new recovery codes and shows them to the user. The earlier ones are void then.
   *
   * @throws KitError as {@link enroll} does
   * @example
   * await kit.mfa.recoveryCodes()
   */
  recoveryCodes(options?: MfaOptions): Promise<void>
  /**
   * Has the user verified ahead of what needs it, unless they were just now.
   *
   * @throws KitError `missing_mfa_enrollment` if they have no factor, `mfa_canceled`, `mfa_timeout`,
   * `mfa_verification_max_attempts_reached`
   * @example
   * await kit.mfa.prompt()
   * await kit.signMessage({ message: 'Hello' })
   */
  prompt(options?: MfaOptions): Promise<void>
  /**
   * For hosts that draw their own prompt (`mfa.noPromptOnMfaRequired`), after the event `mfa-required`: begins a
   * verification. With `sms` a code is sent.
   *
   * @returns with `passkey`, what to ask the browser for
   * @throws KitError `network_unavailable`, `too_many_requests`
   * @example
   * kit.on('mfa-required', async () => {
   *   await kit.mfa.init('sms')
   * })
   */
  init(method: MfaMethod): Promise<PasskeyChallenge | undefined>
  /**
   * Gives what the user gave to the request that waits.
   *
   * @param given a code; for `passkey` what {@link init} resolved with, or what the browser has answered
   * @throws KitError `missing_or_invalid_mfa` if it is wrong: the request goes on waiting, for four attempts in all
   * @example
   * await kit.mfa.submit('totp', '123456')
   */
  submit(method: MfaMethod, given: string | object): Promise<void>
  /**
   * Gives up: the request that waits fails with `mfa_canceled`, and nothing else happens.
   *
   * @example
   * kit.mfa.cancel()
   */
  cancel(): void
  /**
   * Begins to enrol a factor without a screen of the kit, in compatible apps alone. With `sms` a code is sent.
   *
   * @returns with `totp`, the secret in Base32 and the `otpauth:` address for a QR code
   * @throws KitError `must_be_authenticated`, `mfa_canceled` where the user is to be verified first
   * @example
   * const { authUrl } = await kit.mfa.initEnrollment({ method: 'totp' })
   */
  initEnrollment(
    input: { method: 'totp' } | { method: 'sms'; phoneNumber: string },
  ): Promise<{ secret?: string; authUrl?: string }>
  /**
   * Enrols the factor once the user has proven that it works.
   *
   * @returns all that are enrolled then
   * @throws KitError `missing_or_invalid_mfa` if the code is wrong
   * @example
   * await kit.mfa.submitEnrollment({ method: 'totp', code: '123456' })
   */
  submitEnrollment(input: EnrollmentInput): Promise<readonly MfaMethod[]>
  /**
   * Removes a factor without a confirmation, in compatible apps alone; the user is verified all the same.
   *
   * @param options with `removeForLogin`, passkeys that are no longer factors can't be used to log in either
   * @returns all that are left
   * @throws KitError as {@link enroll} does
   * @example
   * await kit.mfa.unenroll('passkey')
   */
  unenroll(
    method: MfaMethod,
    options?: MfaOptions & { removeForLogin?: boolean },
  ): Promise<readonly MfaMethod[]>
}
