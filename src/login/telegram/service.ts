import { KitError } from '../../errors/kit-error.ts'
import { within } from '../../lib/clock.ts'
import { POPUP_LIMIT } from '../../lib/popup.ts'
import { loadScript, ScriptError } from '../../lib/script.ts'
import type { Readable } from '../../lib/store.ts'
import type { CallOptions } from '../../protocol/http.ts'
import type { LoginMode } from '../../protocol/sessions.ts'
import {
  authenticateWithTelegram,
  linkTelegram,
  type TelegramProof,
  telegramOptions,
  telegramScript,
  telegramScriptAttributes,
  telegramScriptUrl,
  telegramWindowName,
  transferTelegram,
  widgetProof,
} from '../../protocol/telegram.ts'
import { telegramReturnTo } from '../../protocol/telegram-return.ts'
import { type FlowState, withFlowState } from '../flow-state.ts'
import { applyProof, type Login, readAgain, requirePerson } from '../login-result.ts'
import type { RunNotes } from '../redirect/left-login.ts'
import type { AuthContext } from '../service-context.ts'
import { forgetTelegramLogin, keepTelegramLogin } from './left-login.ts'

export interface TelegramInput {
  /** Existing users only. */
  disableSignup?: boolean | undefined
  captchaToken?: string | undefined
}
export interface TelegramQuestion {
  window?: Window | null | undefined
  signal?: AbortSignal | undefined
  disableSignup?: boolean | undefined
  /** The host draws its own screens. */
  headless?: boolean
  run?: RunNotes
}
export interface TelegramAuth {
  /** How far the login is. */
  readonly state: Readable<FlowState>
  /**
   * Loads Telegram's script, so that the next press opens its window. Throws a {@link KitError}:
   * `telegram_not_configured` or `telegram_not_initialized`.
   */
  prepare(options?: { signal?: AbortSignal | undefined }): Promise<void>
  /**
   * Asks the person on Telegram's own page. Throws `telegram_canceled` when they decline, close the window or
   * never answer, or what {@link prepare} throws.
   * @param asked.window the window that a click has opened for it; by default the script opens one
   * @param asked.run what the run needs to be resumed if Telegram sends the person back to the page
   */
  ask(asked?: TelegramQuestion): Promise<TelegramProof>
  /** Logs in with what Telegram signed. Throws a {@link KitError} with the server's code. */
  loginWith(proof: TelegramProof, input?: TelegramInput, options?: CallOptions): Promise<Login>
  /** Asks, and logs in. Call it within a click; after {@link prepare} the window opens at once. */
  login(input?: TelegramInput, options?: CallOptions): Promise<Login>
  /** Takes the account over from another user, who is deleted by that. */
  transfer(input: { nonce: string; proof: TelegramProof }, options?: CallOptions): Promise<Login>
}

/** Logging in with Telegram (docs/protocol.md, "Telegram"). */
export function createTelegramAuth(cx: AuthContext): TelegramAuth {
  const { appId, page, clock, tabStorage } = cx
  const state = cx.state('telegram')

  function settings() {
    const telegram = cx.app().telegram
    if (!telegram) throw new KitError('telegram_not_configured', 'Telegram Auth configuration is not loaded')
    return telegram
  }

  async function prepare({ signal }: { signal?: AbortSignal | undefined } = {}): Promise<void> {
    const { botName } = settings()
    const ready = () => telegramScript(page.window) !== undefined
    try {
      await loadScript(page, telegramScriptUrl(cx.http()), {
        clock,
        signal,
        ready,
        attributes: telegramScriptAttributes(botName),
      })
    } catch (cause) {
      signal?.throwIfAborted()
      const details = cause instanceof Error ? cause.message : String(cause)
      throw new KitError('telegram_not_initialized', 'Telegram was not initialized', {
        cause,
        details,
        retryable: true,
      })
    }
  }

  async function ask(asked: TelegramQuestion = {}): Promise<TelegramProof> {
    const { window, signal } = asked
    try {
      const { botId, canLink } = settings()
      if (cx.purpose.kind !== 'login' && !canLink)
        throw new KitError('feature_not_enabled', "Telegram accounts can't be linked in this app")
      if (window) window.name = telegramWindowName(botId)
      await prepare({ signal })
      const { disableSignup = false, headless = false, run } = asked
      const linkTo = cx.purpose.kind === 'login' ? undefined : requirePerson(cx.session.user.get()).id
      keepTelegramLogin(tabStorage, appId, { ...run, leftAt: clock.now(), disableSignup, headless, linkTo })
      // If no window can be opened, the script leaves the page, and Telegram sends the person back to it.
      const options = telegramOptions(botId, page.framed ? undefined : telegramReturnTo(page))
      const answered = () =>
        new Promise<unknown>((resolve) => telegramScript(page.window)?.auth(options, resolve))
      const proof = widgetProof(await within(clock, POPUP_LIMIT, answered, signal))
      if (!proof) throw canceled()
      return proof
    } catch (cause) {
      signal?.throwIfAborted()
      throw cause instanceof KitError ? cause : canceled(cause)
    } finally {
      forgetTelegramLogin(tabStorage, appId)
      window?.close()
    }
  }

  const own = (proof: TelegramProof) => (account: Login['user']['linkedAccounts'][number]) =>
    account.type === 'telegram' && account.telegramUserId === proof.userId

  const loginWith: TelegramAuth['loginWith'] = async (proof, input = {}, options) => {
    const mode: LoginMode = input.disableSignup ? 'no-signup' : 'login-or-sign-up'
    const request = { proof, mode, captchaToken: input.captchaToken }
    return applyProof(
      cx,
      {
        method: 'telegram',
        own: own(proof),
        logIn: () => authenticateWithTelegram(cx.http(), request, options),
        link: () => linkTelegram(cx.http(), proof, options),
      },
      options?.signal,
    )
  }

  const step = <T>(work: () => Promise<T>) => withFlowState(state, { during: 'loading', after: 'done' }, work)

  return {
    state,
    prepare,
    ask,
    loginWith: (...input) => step(() => loginWith(...input)),
    login: (input = {}, options) =>
      step(async () => {
        const { disableSignup } = input
        const proof = await ask({ signal: options?.signal, disableSignup, headless: true })
        return loginWith(proof, input, options)
      }),
    async transfer({ nonce, proof }, options) {
      const moved = await transferTelegram(cx.http(), { nonce, proof }, options)
      const user = await readAgain(cx, moved, options?.signal)
      cx.onLogin('telegram')
      return { user, isNewUser: false, method: 'telegram', account: user.linkedAccounts.find(own(proof)) }
    },
  }
}

/** Whether the policy of the page forbids Telegram's script, so that another try can't help. */
export const isRefusedByPage = (error: unknown): boolean =>
  error instanceof KitError && error.cause instanceof ScriptError && error.cause.reason === 'refused'

const canceled = (cause?: unknown) =>
  new KitError('telegram_canceled', 'Telegram auth failed or was canceled by the client', {
    cause,
    retryable: true,
  })
