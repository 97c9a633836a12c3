import { KitError } from '../../errors/kit-error.ts'
import type { Readable } from '../../lib/store.ts'
import { plainCode } from '../../lib/typed-text.ts'
import { isUnapproved } from '../../protocol/account-changes.ts'
import type { ServerReply } from '../../protocol/frame/approval.ts'
import type { CallOptions, Http } from '../../protocol/http.ts'
import { readCodeLogin, readCodeSent } from '../../protocol/passwordless.ts'
import type { LoginMode, SessionAnswer } from '../../protocol/sessions.ts'
import type { LinkedAccount, User } from '../../protocol/user.ts'
import { fieldLimits } from '../../ui/fields/limits.ts'
import { type FlowState, withFlowState } from '../flow-state.ts'
import { applyProof, type Login, loginOf, readAgain } from '../login-result.ts'
import type { AuthContext } from '../service-context.ts'
import { type SentCode, sentCode } from './sent-code.ts'

/** Asks for a code to be sent there. */
export type Send = (
  input: { to: string; captchaToken?: string | undefined },
  options?: CallOptions,
) => Promise<unknown>

export interface SendCode {
  /** An e-mail address, or a phone number in E.164. */
  to: string
  /** Existing users only. */
  disableSignup?: boolean | undefined
  captchaToken?: string | undefined
}

/** Logging in with a code that is sent. Headless: hosts may use it without our screens. */
export interface CodeAuth {
  /** How far the login is, for hosts that draw their own screens. */
  readonly state: Readable<FlowState>
  /**
   * Sends a code. Throws a {@link KitError} with the server's code, or `invalid_data` without an address.
   * @param send asks for it in place of this page, where another one takes the code
   */
  sendCode(input: SendCode, options?: CallOptions, send?: Send): Promise<void>
  /**
   * When this tab had a code sent there that has not been used, in Unix milliseconds, even if the page was loaded again
   * since; `undefined` if there is none, or if another one was sent later.
   */
  sentAt(input: SendCode): number | undefined
  /**
   * Uses the code (six digits of any script; white space and invisible characters around them are ignored) that {@link sendCode} sent: logs in with it, or links
   * or updates the address if the service was made for that. Throws
   * `invalid_state` if none was sent, `invalid_data` if it is no code, else the server's code.
   */
  loginWithCode(input: { code: string }, options?: CallOptions): Promise<Login>
  /** The code that was sent last is used up. */
  usedUp(): void
  /** Reads how the server has answered the vault, which had a code sent. Throws as {@link sendCode} does. */
  readSent(reply: ServerReply): Promise<void>
  /**
   * Takes over the session that the vault has opened with the code sent last. Throws `invalid_state` if none was sent, else the
   * server's code.
   */
  finish(reply: ServerReply, options?: CallOptions): Promise<Login>
  /** Takes the address over from another user, who is deleted by that. */
  transfer(input: { nonce: string; to: string }, options?: CallOptions): Promise<Login>
}

/** What distinguishes one kind of code from another. */
export interface CodeChannel {
  readonly method: 'email' | 'sms'
  /** The error if there is nothing to send to. */
  readonly missing: string
  /** The address as it is sent, from what was typed. */
  read(to: string): string
  send(http: Http, ...call: Parameters<Send>): ReturnType<Send>
  authenticate(
    http: Http,
    input: { to: string; code: string; mode: LoginMode },
    options?: CallOptions,
  ): Promise<SessionAnswer>
  link(http: Http, input: { to: string; code: string }, options?: CallOptions): Promise<User>
  update(http: Http, input: { old: string; to: string; code: string }, options?: CallOptions): Promise<User>
  transfer(http: Http, input: { nonce: string; to: string }, options?: CallOptions): Promise<User>
  /** Whether that linked account is the address. */
  isAccount(account: LinkedAccount, to: string): boolean
}

export function createCodeAuth(cx: AuthContext, channel: CodeChannel): CodeAuth {
  const { method } = channel
  const state = cx.state(method)
  const sent = sentCode(cx, method)

  function awaited(): SentCode {
    const code = sent.get()
    if (!code) throw new KitError('invalid_state', 'No auth flow in progress.')
    return code
  }
  function finish(answer: SessionAnswer): Login {
    const { to } = awaited()
    const login = loginOf(cx, answer, method, (account) => channel.isAccount(account, to))
    sent.clear()
    return login
  }

  return {
    state,
    sentAt({ to, disableSignup = false }) {
      const code = sent.get()
      return code?.to === channel.read(to) && code.disableSignup === disableSignup ? code.at : undefined
    },
    sendCode: (
      { to, disableSignup = false, captchaToken },
      options,
      send = (...call) => channel.send(cx.http(), ...call),
    ) =>
      withFlowState(state, { during: 'sending-code', after: 'awaiting-code-input' }, async () => {
        const address = channel.read(to)
        if (!address) throw new KitError('invalid_data', channel.missing)
        await send({ to: address, captchaToken }, options)
        sent.set({ to: address, disableSignup, at: cx.clock.now() })
      }),
    loginWithCode: ({ code: typed }, options) =>
      withFlowState(state, { during: 'submitting-code', after: 'done' }, async () => {
        const { to, disableSignup } = awaited()
        const code = plainCode(typed)
        if (!/^\d+$/.test(code)) throw new KitError('invalid_data', 'Code should be numeric')
        if (code.length !== fieldLimits.codeLength)
          throw new KitError('invalid_data', `The code has ${fieldLimits.codeLength} digits`)
        const login = await applyProof(
          cx,
          {
            method,
            own: (account) => channel.isAccount(account, to),
            logIn: () =>
              channel.authenticate(cx.http(), { to, code, mode: loginMode(disableSignup) }, options),
            link: () => channel.link(cx.http(), { to, code }, options),
            replace: (old) => channel.update(cx.http(), { old, to, code }, options),
          },
          options?.signal,
        ).catch((cause: unknown) => {
          if (isUnapproved(cause)) sent.clear()
          throw cause
        })
        sent.clear()
        return login
      }),
    usedUp: sent.clear,
    readSent: (reply) => readCodeSent(cx.http(), method, reply),
    async finish(reply, options) {
      const login = finish(await readCodeLogin(cx.http(), method, reply, options))
      state.set({ status: 'done' })
      return login
    },
    async transfer({ nonce, to }, options) {
      const input = { nonce, to: channel.read(to) }
      const user = await readAgain(cx, await channel.transfer(cx.http(), input, options), options?.signal)
      cx.onLogin(method)
      const account = user.linkedAccounts.find((each) => channel.isAccount(each, input.to))
      return { user, isNewUser: false, method, account }
    },
  }
}

/** Whether a code may make a new user. */
export const loginMode = (disableSignup: boolean): LoginMode =>
  disableSignup ? 'no-signup' : 'login-or-sign-up'
