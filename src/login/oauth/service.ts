import { type PopupReturn, sendPopup } from '../../app/popup-return.ts'
import { KitError, toKitError } from '../../errors/kit-error.ts'
import { isInAppBrowser } from '../../lib/in-app-browser.ts'
import { randomText, sha256Text } from '../../lib/random.ts'
import type { Readable } from '../../lib/store.ts'
import { crossAppId } from '../../protocol/cross-app.ts'
import type { CallOptions } from '../../protocol/http.ts'
import { finishOAuth, isAccountOf, linkOAuth, startOAuth, transferOAuth } from '../../protocol/oauth.ts'
import { declinedCode, failedCode, type OAuthReturn } from '../../protocol/returns.ts'
import type { OAuthTokens } from '../../protocol/sessions.ts'
import { walletsLimits } from '../../wallets/limits.ts'
import { type FlowState, withFlowState } from '../flow-state.ts'
import { loginLimits } from '../limits.ts'
import { applyProof, type Login, readAgain, requirePerson } from '../login-result.ts'
import {
  forgetLeftLogin,
  keepLeftLogin,
  type LeftLogin,
  leftLoginOf,
  type RunNotes,
} from '../redirect/left-login.ts'
import type { AuthContext } from '../service-context.ts'

export interface OAuthBegin {
  /** A social provider, or another app's accounts. */
  provider: string
  /** Existing users only. */
  disableSignup?: boolean | undefined
  captchaToken?: string | undefined
  /** This page stays open, so its secrets need not be stored. */
  stays?: boolean
  /** The host draws its own screens, also after the return. */
  headless?: boolean
  /** What the run needs to be resumed after the return. */
  run?: RunNotes
}

/** A started login: where the person goes, and what identifies their return. */
export interface Begun {
  readonly url: string
  readonly state: string
  readonly provider: string
}

/** Logging in at a provider. Headless: the dialog is one of its users. */
export interface OAuthAuth {
  /** How far the login is: `loading`, `done`, `error`. */
  readonly state: Readable<FlowState>
  /**
   * Begins a login; any earlier one is void. Resolves with the address where the person continues. Throws a
   * {@link KitError}: `in_app_browser` for Google inside another app, or the server's code.
   */
  start(begin: OAuthBegin, options?: CallOptions): Promise<Begun>
  /**
   * Leaves for the provider. Resolves when the person has come back with the browser's back button, which
   * finds the page as it was. Throws when the page is still there after a while.
   */
  leave(url: string, signal?: AbortSignal): Promise<'back'>
  /** Sends a window to the provider instead, and waits until it is back. @param signal ends all of it */
  inWindow(window: Window, begun: Begun, signal: AbortSignal): PopupReturn
  /**
   * Logs in with what came back; one attempt for each start. Throws a {@link KitError} without asking the
   * server: `oauth_user_denied`, or `oauth_unexpected` when this tab has not begun that login.
   */
  complete(returned: Omit<OAuthReturn, 'kind'>, options?: CallOptions): Promise<Login>
  /** Takes the profile over from another user, who is deleted by that. */
  transfer(input: { nonce: string; provider: string; profile: object }, options?: CallOptions): Promise<Login>
  /** Discards the started login: a response that arrives now is no longer ours. */
  forget(): void
  /**
   * The whole login without a dialog: leaves the page, and the login follows after the return; or, in a frame
   * and if the host wants it, opens a window, for which it has to be called within a click. Resolves with the
   * login if the page stays.
   */
  init(input: Pick<OAuthBegin, 'provider' | 'disableSignup' | 'captchaToken'>): Promise<Login | undefined>
}

/** Logs in through a window that was opened for it, without a dialog. Closes the window in any case. */
export async function loginInWindow(
  auth: Pick<OAuthAuth, 'inWindow' | 'complete'>,
  window: Window | null,
  begin: (signal: AbortSignal) => Promise<Begun>,
): Promise<Login> {
  if (!window) throw new KitError('popup_blocked', 'The browser blocked the window', { retryable: true })
  const over = new AbortController()
  try {
    const begun = await begin(over.signal)
    const { answer } = auth.inWindow(window, begun, over.signal)
    return await auth.complete({ ...(await answer), provider: begun.provider })
  } finally {
    over.abort()
    window.close()
  }
}

export function createOAuthAuth(cx: AuthContext): OAuthAuth {
  const { appId, clock, page, tabStorage } = cx
  const state = cx.state('oauth')
  /** The login that was begun while this page stays. */
  let begun: LeftLogin | undefined

  const forget = () => {
    begun = undefined
    forgetLeftLogin(tabStorage, appId)
  }

  /** Whose account the result is added to: what comes back counts for that person alone, and never as a login. */
  const linkTo = () => (cx.purpose.kind === 'login' ? undefined : requirePerson(cx.session.user.get()).id)

  /** Cancels the navigation. If it happens anyway, the return finds the login marked as abandoned. */
  function abandon(): void {
    page.stay()
    const left = leftLoginOf(tabStorage, appId)
    forget()
    if (left) keepLeftLogin(tabStorage, appId, { ...left, abandoned: true })
  }

  /** The login that is being completed, which nothing else completes meanwhile. */
  let completing: string | undefined

  /**
   * Works with the login that was begun. It is stored until its outcome is, because a reload meanwhile completes it; then it
   * is over, whatever the outcome.
   */
  async function completeOnce<T>(work: (left: LeftLogin | undefined) => Promise<T>): Promise<T> {
    const left = begun ?? leftLoginOf(tabStorage, appId)
    if (left && left.state === completing) return work(undefined)
    completing = left?.state
    try {
      return await work(left && clock.now() - left.leftAt < loginLimits.oauthStateLife ? left : undefined)
    } finally {
      completing = undefined
      // Another one may have been begun meanwhile.
      if ((begun ?? leftLoginOf(tabStorage, appId))?.state === left?.state) forget()
    }
  }

  const oauth: OAuthAuth = {
    state,
    forget,

    start: ({ provider, captchaToken, ...begin }, options) =>
      withFlowState(state, { during: 'loading' }, async () => {
        forget()
        if (provider === 'google' && isInAppBrowser(page.userAgent))
          throw new KitError('in_app_browser', 'Could not log in with provider')
        const left: LeftLogin = {
          ...begin.run,
          provider,
          state: randomText(walletsLimits.oauthRandomBytes),
          verifier: randomText(walletsLimits.oauthRandomBytes),
          leftAt: clock.now(),
          disableSignup: begin.disableSignup ?? false,
          headless: begin.headless ?? false,
          linkTo: linkTo(),
        }
        if (!begin.stays && !tabStorage.persistent) throw nothingKept()
        const challenge = await sha256Text(left.verifier)
        const where = { provider, redirectTo: page.address(), state: left.state, challenge, captchaToken }
        const url = await startOAuth(cx.http(), where, options)
        if (begin.stays) begun = left
        else keepLeftLogin(tabStorage, appId, left)
        return { url, state: left.state, provider }
      }),

    leave: (url, signal) => {
      const over = new AbortController()
      const stop = signal ? AbortSignal.any([signal, over.signal]) : over.signal
      const back = new Promise<'back'>((resolve) =>
        page.window.addEventListener('pageshow', ({ persisted }) => persisted && resolve('back'), {
          signal: stop,
        }),
      )
      const stuck = clock.sleep(walletsLimits.leavingPage, stop).then(() => {
        throw new KitError('unknown_auth_error', 'Something went wrong. Try again.', {
          details: 'the page could not leave for the provider',
          retryable: true,
        })
      })
      page.leave(url)
      return Promise.race([back, stuck])
        .catch((cause: unknown) => {
          state.set({ status: 'error', error: toKitError(cause) })
          throw cause
        })
        .finally(() => {
          over.abort()
          if (signal?.aborted) abandon()
        })
    },

    inWindow: (window, { url, state: own }, signal) =>
      sendPopup({ page, clock, window, url, state: own, apiOrigin: new URL(cx.http().base).origin }, signal),

    complete: ({ code, state: claimed, provider }, options) =>
      withFlowState(state, { during: 'loading', after: 'done' }, () =>
        completeOnce(async (left) => {
          if (!left) throw failed('Authentication error.', 'no login was begun here')
          if (left.abandoned) throw failed('Authentication error.', 'the person had gone back')
          if (code === declinedCode) throw denied()
          if (claimed !== left.state || provider !== left.provider) {
            cx.track('possible_phishing_attempt')
            throw new KitError('oauth_unexpected', 'Unexpected auth flow. This may be a phishing attempt.')
          }
          if (code === failedCode)
            throw failed('Invalid code during OAuth flow.', "the provider's answer was unusable")
          if (left.linkTo !== linkTo())
            throw failed('Authentication error.', 'it was begun for somebody else, or for something else')
          const proof = {
            code,
            state: claimed,
            verifier: left.verifier,
            ...(crossAppId(provider) && { provider }),
          }
          const mode = left.disableSignup ? 'no-signup' : 'login-or-sign-up'
          let oauthTokens: OAuthTokens | undefined
          const login = await applyProof(
            cx,
            {
              method: provider,
              own: isAccountOf(provider),
              async logIn() {
                const answer = await finishOAuth(cx.http(), { ...proof, mode }, options)
                oauthTokens = answer.oauthTokens
                return answer
              },
              async link() {
                const linked = await linkOAuth(cx.http(), proof, options)
                oauthTokens = linked.oauthTokens
                return linked.user
              },
            },
            options?.signal,
          )
          return oauthTokens ? { ...login, oauthTokens } : login
        }),
      ),

    async transfer({ nonce, provider, profile }, options) {
      const gone = await transferOAuth(cx.http(), { nonce, profile }, options)
      const user = await readAgain(cx, gone, options?.signal)
      cx.onLogin(provider)
      const account = user.linkedAccounts.find(isAccountOf(provider))
      return { user, isNewUser: false, method: provider, account }
    },

    async init(input) {
      const inWindow = page.framed || cx.config().host.oauth?.returnBy === 'popup'
      try {
        if (inWindow)
          return await loginInWindow(oauth, page.openWindow(), (signal) =>
            oauth.start({ ...input, stays: true }, { signal }),
          )
        const { url } = await oauth.start({ ...input, headless: true })
        await oauth.leave(url)
        throw denied()
      } catch (cause) {
        state.set({ status: 'error', error: toKitError(cause) })
        throw cause
      }
    },
  }
  return oauth
}

const denied = () =>
  new KitError('oauth_user_denied', 'User denied confirmation during OAuth flow', { retryable: true })

const failed = (message: string, details: string) =>
  new KitError('unknown_auth_error', message, { details, retryable: true })

const nothingKept = () =>
  new KitError('session_storage_unavailable', 'This browser does not store data for this page', {
    details: 'a login that left the page could not be resumed',
  })
