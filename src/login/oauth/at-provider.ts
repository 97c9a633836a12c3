import { handleFailure, type ShowFailure } from '../../app/failure/flow.ts'
import type { PopupAnswer } from '../../app/popup-return.ts'
import type { Screen } from '../../dialog/screen.ts'
import { KitError, toKitError } from '../../errors/kit-error.ts'
import type { Verdict } from '../../errors/verdict.ts'
import type { ProviderAnswer, ProviderLoginProps } from '../../ui/feedback/provider-login.tsx'
import { walletsLimits } from '../../wallets/limits.ts'
import { attempt } from '../attempt.ts'
import type { BackToStart, Login, LoginContext } from '../context.ts'
import type { Begun, OAuthAuth } from './service.ts'

/** A visit to a provider, as a person sees it. */
export interface Visit {
  readonly cx: LoginContext
  readonly screen: Screen<ProviderLoginProps, ProviderAnswer>
  /** What its screens have in common. */
  readonly props: Omit<ProviderLoginProps, 'phase' | 'failure'>
  readonly verdict: (error: KitError) => Verdict
}

/**
 * Shows that a visit is under way until `work` is done, or until the person goes back, which aborts the work.
 */
export async function duringVisit<T>(
  { cx: { stage }, screen, props }: Visit,
  phase: ProviderLoginProps['phase'],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | 'back'> {
  const outcome = await stage.askDuring(screen, { ...props, phase }, work)
  return 'done' in outcome ? outcome.done : 'back'
}

/** Shows a failure of a visit on its own screen. */
export const failedVisit =
  ({ cx: { stage }, screen, props }: Visit): ShowFailure =>
  async (failure) => {
    const answer = await stage.ask(screen, { ...props, phase: 'failed', failure })
    return answer === 'retry' ? 'retry' : 'back'
  }

/** Logs in while the screen says so, unless the person goes back, and leaves the success visible for its time. */
export async function verified(
  visit: Visit,
  work: (signal: AbortSignal) => Promise<Login>,
): Promise<Login | 'back'> {
  const {
    cx: { stage },
    screen,
    props,
  } = visit
  const login = await duringVisit(visit, 'verifying', work)
  if (login === 'back') return 'back'
  await stage.hold(screen, { ...props, phase: 'done' }, walletsLimits.successVisible)
  return login
}

interface WindowVisit extends Visit {
  readonly auth: Pick<OAuthAuth, 'inWindow'>
  /** Begins the login at its server. */
  begin(captchaToken: string | undefined, signal: AbortSignal): Promise<Begun>
  /** What the host gets when the person closes the window. */
  closed(cause: KitError): KitError
}

/**
 * Sends the person to the provider in a separate window, as often as they want, and waits for them. It uses
 * the window that the latest press has opened; if there is none, another press is asked for.
 */
export async function visitInWindow(visit: WindowVisit): Promise<PopupAnswer | BackToStart> {
  const { verdict } = visit
  for (;;) {
    const over = new AbortController()
    try {
      const sent = await attempt(visit.cx, (token) => sendInWindow(visit, token, over.signal), {
        verdict,
        show: failedVisit(visit),
      })
      if ('back' in sent) return sent
      if (sent.done === 'back') return { back: true }
      if (sent.done !== 'again') return sent.done
    } finally {
      over.abort()
    }
  }
}

async function sendInWindow(
  visit: WindowVisit,
  captchaToken: string | undefined,
  over: AbortSignal,
): Promise<PopupAnswer | 'back' | 'again'> {
  const { cx, auth } = visit
  const window = await takeWindow(visit)
  if (window === 'back') return 'back'
  const closeWindow = () => window.close()
  cx.stage.signal.addEventListener('abort', closeWindow, { once: true })
  try {
    const begun = await duringVisit(visit, 'window', (signal) => visit.begin(captchaToken, signal))
    if (begun === 'back') return 'back'
    const { answer, late } = auth.inWindow(window, begun, AbortSignal.any([cx.stage.signal, over]))
    try {
      return await duringVisit(visit, 'window', () => answer)
    } catch (cause) {
      cx.stage.signal.throwIfAborted()
      const error = toKitError(cause)
      if (error.code !== 'popup_closed') throw error
      return await unlessLate(visit, visit.closed(error), late)
    }
  } finally {
    cx.stage.signal.removeEventListener('abort', closeWindow)
    closeWindow()
  }
}

/** A window that looks closed may only be cut off from us: then its answer replaces the error. */
async function unlessLate(
  visit: WindowVisit,
  error: KitError,
  late: Promise<PopupAnswer>,
): Promise<PopupAnswer | 'back' | 'again'> {
  let answer: PopupAnswer | undefined
  const show: ShowFailure = (failure) =>
    Promise.race([
      failedVisit(visit)(failure),
      late.then((came) => {
        answer = came
        return 'retry' as const
      }),
    ])
  const { next } = await handleFailure(visit.cx, error, visit.verdict(error), show)
  return answer ?? (next === 'again' ? 'again' : 'back')
}

/**
 * The window that the latest press has opened; if it opened none, or the browser refused, another press does.
 */
async function takeWindow({ cx, screen, props }: Visit): Promise<Window | 'back'> {
  const { stage, report } = cx
  for (;;) {
    const window = stage.takeWindow()
    if (window && !window.closed) return window
    if (window === null) report(new KitError('popup_blocked', 'The browser blocked the window'))
    const phase = window === null ? 'blocked' : 'ready'
    if ((await stage.ask(screen, { ...props, phase })) === 'back') return 'back'
  }
}
