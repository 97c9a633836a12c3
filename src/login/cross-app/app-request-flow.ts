/** Asks the wallet of another app to sign or send, in that app's own window. docs/cross-app.md */
import { handleFailure } from '../../app/failure/flow.ts'
import { addWords } from '../../copy/copy.ts'
import { crossAppRequests } from '../../copy/en/cross-app.ts'
import { errors } from '../../copy/en/errors.ts'
import { oauth } from '../../copy/en/oauth.ts'
import { Closed } from '../../dialog/stage.ts'
import { KitError, toKitError } from '../../errors/kit-error.ts'
import { PopupError, popupOf } from '../../lib/popup.ts'
import { type Connection, type CrossAppAccount, crossAppMethod } from '../../protocol/cross-app.ts'
import {
  type AppAnswer,
  type AppCall,
  appErrors,
  appRequestUrl,
  readAppAnswer,
} from '../../protocol/cross-app-requests.ts'
import type { Login, LoginContext } from '../context.ts'
import { loginLimits } from '../limits.ts'
import { type AppRequestProps, appRequest as screen } from './app-request.tsx'
import { appRequestVerdict } from './app-request-errors.ts'
import { logIn } from './flow.ts'
import type { CrossAppAuth } from './service.ts'

addWords(crossAppRequests, errors, oauth)

export interface AppRequest {
  /** The user's account of the other app. */
  readonly account: CrossAppAccount
  readonly call: AppCall
  /** The window that the press has opened; `null` if the browser refused, `undefined` if none was opened. */
  readonly window: Window | null | undefined
  /** Called where the user had to log in at the other app once more. */
  readonly onLinked: (login: Login) => void
}

/**
 * Has the user review a request in the other app, and resolves with its result: a signature, or the hash of a transaction. Where its token
 * is missing or over, they log in there first.
 * @throws Closed if the user closes the dialog; KitError `unable_to_sign` if they reject the request there, `cross_app_invalid_app`,
 * `cross_app_read_only`, `cross_app_invalid_wallet`, `cross_app_request_error`, `cross_app_may_be_sent` where nobody knows what became of a
 * transaction, or what else went wrong
 */
export async function askApp(cx: LoginContext, asked: AppRequest): Promise<string> {
  cx.track('cross_app_request_started')
  try {
    const result = await untilAnswered(cx, asked)
    cx.track('cross_app_request_success', { method: asked.call.method })
    return result
  } catch (cause) {
    cx.track('cross_app_request_error', { code: toKitError(cause).code })
    throw cause
  }
}

async function untilAnswered(given: LoginContext, asked: AppRequest): Promise<string> {
  const cx = withWindow(given, asked.window)
  const auth = await cx.auth.crossApp()
  const props: Shown = { name: cx.t('login.otherApp'), icon: undefined }
  for (;;) {
    try {
      const connection = await cx.stage.during(screen, { ...props, phase: 'window' }, (signal) =>
        auth.connection(asked.account.appId, { signal }),
      )
      Object.assign(props, { name: connection.name, icon: connection.iconUrl })
      if (connection.readOnly) throw new KitError('cross_app_read_only', appErrors.readOnly)
      const token = await untilAllowed(cx, auth, asked)
      const url = appRequestUrl({
        base: connection.apiUrl ?? auth.apiUrl(),
        token,
        call: asked.call,
        at: auth.serverNow(),
        origin: cx.page.origin,
      })
      if (url.length > loginLimits.appRequestLength)
        throw new KitError('invalid_request_arguments', 'The request is too long for another app')
      const answer = await inWindow(cx, props, asked.call, url)
      follow(auth, connection, answer)
      return readResult(asked.call, answer)
    } catch (cause) {
      cx.stage.signal.throwIfAborted()
      if (cause instanceof Closed) throw cause
      const error = toKitError(cause)
      if (ending.has(error.code)) throw error
      await handleFailure(cx, error, appRequestVerdict(error), async (failure) => {
        const answer = await cx.stage.ask(screen, { ...props, phase: 'failed', failure })
        return answer === 'retry' ? 'retry' : 'close'
      })
    }
  }
}
type Shown = Pick<AppRequestProps, 'name' | 'icon'>

/** Nothing is left to tell the user: they have rejected it themselves, or the host's request is at fault. */
const ending: ReadonlySet<string> = new Set(['unable_to_sign', 'invalid_request_arguments'])

/** The first window is the one that the press has opened, for the request or for the login before it. */
function withWindow(cx: LoginContext, window: Window | null | undefined): LoginContext {
  const { stage } = cx
  let first = window
  const closeFirst = () => first?.close()
  stage.signal.addEventListener('abort', closeFirst, { once: true })
  const takeWindow = () => {
    const taken = first
    first = undefined
    return taken === undefined ? stage.takeWindow() : taken
  }
  return { ...cx, stage: { ...stage, takeWindow } }
}

/** The other app's token for this account, after another login there if need be. */
async function untilAllowed(
  cx: LoginContext,
  auth: CrossAppAuth,
  { account: { appId, subject }, onLinked }: AppRequest,
): Promise<string> {
  const known = auth.token(appId, subject)
  if (known !== undefined) return known
  const outcome = await logIn(cx, { method: crossAppMethod(appId) })
  if ('back' in outcome) throw new Closed('The user has gone back')
  onLinked(outcome)
  const token = auth.token(appId, subject)
  if (token !== undefined) return token
  // The user has logged in there with another account, which has other wallets.
  if (auth.token(appId) !== undefined) throw new KitError('cross_app_invalid_wallet', appErrors.wallet)
  throw new KitError('cross_app_request_error', appErrors.token, { retryable: true })
}

/** Sends the window to the other app, and waits for its answer. */
async function inWindow(cx: LoginContext, props: Shown, call: AppCall, url: string): Promise<AppAnswer> {
  const { stage, page, clock } = cx
  const window = await untilOpen(cx, props)
  try {
    return await stage.during(screen, { ...props, phase: 'window' }, (signal) => {
      const popup = popupOf(window, page.window, clock)
      popup.go(url)
      return popup.answer(new URL(url).origin, readAppAnswer, signal)
    })
  } catch (cause) {
    if (!(cause instanceof PopupError)) throw cause
    throw windowFailure(cause, call)
  } finally {
    window.close()
  }
}

/** The user may have approved a transaction in a window that says nothing any more, or not yet: another one could be sent beside it. */
function windowFailure(cause: PopupError, { method }: AppCall): KitError {
  const mayBeSent = method === 'eth_sendTransaction' && cause.reason !== 'blocked'
  if (mayBeSent && cause.reason === 'timeout')
    return new KitError('cross_app_may_be_sent', 'Request timeout: the transaction may have been sent', {
      cause,
      data: { mayBeSent },
    })
  const [code, message] = popupFailures[cause.reason]
  return new KitError(code, message, { cause, retryable: true, ...(mayBeSent && { data: { mayBeSent } }) })
}

const popupFailures = {
  blocked: ['popup_blocked', appErrors.request],
  closed: ['popup_closed', appErrors.rejected],
  timeout: ['popup_timeout', appErrors.timeout],
} as const

async function untilOpen({ stage, report }: LoginContext, props: Shown): Promise<Window> {
  for (;;) {
    const window = stage.takeWindow()
    if (window && !window.closed) return window
    if (window === null) report(new KitError('popup_blocked', appErrors.request))
    await stage.ask(screen, { ...props, phase: window === null ? 'blocked' : 'ready' })
  }
}

/** The other app may give another token for the next request, or have this one dropped. */
function follow(auth: CrossAppAuth, { appId }: Connection, { token }: AppAnswer): void {
  if (token) auth.setToken(appId, token.action === 'set' ? token.value : undefined)
}

/** Results by their method: a signature, or the hash of a transaction. */
function readResult({ method }: AppCall, answer: AppAnswer): string {
  if ('error' in answer) throw toError(answer.error)
  const { result } = answer
  const isHash = method === 'eth_sendTransaction'
  if (!(isHash ? /^0x[\da-f]{64}$/i : /^0x(?:[\da-f]{2}){64,}$/i).test(result))
    throw new KitError('malformed_response', 'The other app sent an unexpected answer', {
      details: `${method}: expected ${isHash ? 'a hash' : 'a signature'}`,
    })
  return result
}

/** A text that is none of the protocol's goes into logs, and is displayed to nobody. */
function toError(text: string): KitError {
  switch (text) {
    case appErrors.rejected:
      return new KitError('unable_to_sign', text)
    case appErrors.readOnly:
      return new KitError('cross_app_read_only', text)
    case appErrors.wallet:
      return new KitError('cross_app_invalid_wallet', text)
    case appErrors.timeout:
      return new KitError('popup_timeout', text, { retryable: true })
    case appErrors.token:
    case appErrors.request:
      return new KitError('cross_app_request_error', text, { retryable: true })
    default:
      return new KitError('cross_app_request_error', 'Something went wrong', {
        details: text.slice(0, 200),
        retryable: true,
      })
  }
}
