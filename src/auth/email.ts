import { limits } from '../core/limits.ts'
import type { Readable, Store } from '../core/store.ts'
import { KitError } from '../errors/kit-error.ts'
import type { Session } from '../session/session.ts'
import { authenticateWithEmail, sendEmailCode } from '../wire/email.ts'
import type { CallOptions, Http } from '../wire/http.ts'
import { transferEmail } from '../wire/transfer.ts'
import type { User } from '../wire/user.ts'
import type { CodeState } from './code-state.ts'

export interface EmailLogin {
  readonly user: User
  readonly isNewUser: boolean
}

/** Logging in by a code that is mailed. Headless: hosts may use it without any of our screens. */
export interface EmailAuth {
  /** Spec §4 "Flow states": what is being waited for, for hosts that draw their own screens. */
  readonly state: Readable<CodeState>
  /**
   * Sends a code to `email`. With `disableSignup`, only a person who has an account can log in with it.
   * Throws a {@link KitError} with the server's code, or `invalid_data` without an address.
   */
  sendCode(
    input: { email: string; disableSignup?: boolean; captchaToken?: string },
    options?: CallOptions,
  ): Promise<void>
  /**
   * Logs in with the code (six digits, white space around it is ignored) that {@link sendCode} had sent.
   * Throws `invalid_state` when none was sent, `invalid_data` when it is no code, else the server's code.
   */
  loginWithCode(input: { code: string }, options?: CallOptions): Promise<EmailLogin>
  /** Takes the address over from another account, which is then gone. Spec §2 "Account transfer". */
  transfer(input: { nonce: string; email: string }, options?: CallOptions): Promise<User>
}

export function createEmailAuth(cx: {
  http: () => Http
  session: Session
  state: Store<CodeState>
  /** Somebody has just logged in by that method. */
  onLogin: (method: string) => void
}): EmailAuth {
  const { state } = cx
  let sent: { email: string; disableSignup: boolean } | undefined

  async function step<T>(
    status: 'sending-code' | 'submitting-code',
    then: CodeState,
    work: () => Promise<T>,
  ) {
    state.set({ status })
    try {
      const result = await work()
      state.set(then)
      return result
    } catch (cause) {
      state.set({ status: 'error', error: cause instanceof Error ? cause : new Error(String(cause)) })
      throw cause
    }
  }

  return {
    state,
    sendCode: ({ email, disableSignup = false, captchaToken }, options) =>
      step('sending-code', { status: 'awaiting-code-input' }, async () => {
        const address = email.trim()
        if (!address) throw new KitError('invalid_data', 'An email address is needed')
        await sendEmailCode(cx.http(), { email: address, captchaToken }, options)
        sent = { email: address, disableSignup }
      }),
    loginWithCode: ({ code }, options) =>
      step('submitting-code', { status: 'done' }, async () => {
        if (!sent) throw new KitError('invalid_state', 'No auth flow in progress.')
        const digits = code.trim()
        if (!/^\d+$/.test(digits)) throw new KitError('invalid_data', 'Code should be numeric')
        if (digits.length !== limits.codeLength)
          throw new KitError('invalid_data', `The code has ${limits.codeLength} digits`)
        const mode = sent.disableSignup ? 'no-signup' : 'login-or-sign-up'
        const answer = await authenticateWithEmail(
          cx.http(),
          { email: sent.email, code: digits, mode },
          options,
        )
        const user = cx.session.authenticate(answer)
        sent = undefined
        cx.onLogin('email')
        return { user, isNewUser: answer.isNewUser }
      }),
    async transfer(input, options) {
      const user = await transferEmail(cx.http(), input, options)
      const token = cx.session.stored()
      if (token) await cx.session.renewed(token, options?.signal)
      return cx.session.user.get() ?? user
    },
  }
}
