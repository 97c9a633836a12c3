import type { Begun, OAuthAuth } from '../../auth/oauth.ts'
import type { PopupAnswer } from '../../auth/popup-return.ts'
import { limits } from '../../core/limits.ts'
import type { Screen } from '../../core/screen.ts'
import { KitError, toKitError } from '../../errors/kit-error.ts'
import type { Verdict } from '../../errors/verdict.ts'
import type { ProviderAnswer, ProviderLoginProps } from '../../ui/provider-login.tsx'
import { attempt } from './attempt.ts'
import type { BackToStart, Login, LoginContext } from './context.ts'
import { type ShowFailure, settle } from './gates.ts'

/** A visit to a provider, as a person sees it. */
export interface Visit {
  readonly cx: LoginContext
  readonly screen: Screen<ProviderLoginProps, ProviderAnswer>
  /** What is the same on each of its screens. */
  readonly props: Omit<ProviderLoginProps, 'phase' | 'failure'>
  readonly verdict: (error: KitError) => Verdict
}

/** Shows that a visit is under way until `work` is done, or until the person turns back, which aborts the work. */
export async function duringVisit<T>(
  { cx: { stage }, screen, props }: Visit,
  phase: ProviderLoginProps['phase'],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | 'back'> {
  const left = new AbortController()
  try {
    const back = stage.ask(screen, { ...props, phase }).then(() => 'back' as const)
    return await Promise.race([back, work(AbortSignal.any([stage.signal, left.signal]))])
  } finally {
    left.abort()
  }
}

/** Draws a failure of a visit on its own screen. */
export const failedVisit =
  ({ cx: { stage }, screen, props }: Visit): ShowFailure =>
  async (failure) => {
    const answer = await stage.ask(screen, { ...props, phase: 'failed', failure })
    return answer === 'retry' ? 'retry' : 'back'
  }

/** Logs in while the screen says so, and leaves the success there for its time. */
export async function verified(
  { cx: { stage, clock }, screen, props }: Visit,
  work: (signal: AbortSignal) => Promise<Login>,
): Promise<Login> {
  const login = await stage.during(screen, { ...props, phase: 'verifying' }, work)
  const wait = (own: AbortSignal) => clock.sleep(limits.successVisible, own)
  await stage.during(screen, { ...props, phase: 'done' }, wait).catch(() => {})
  return login
}

interface WindowVisit extends Visit {
  readonly auth: Pick<OAuthAuth, 'inWindow'>
  /** Begins the login at its server. */
  begin(captchaToken: string | undefined, signal: AbortSignal): Promise<Begun>
  /** What it is to the host when the person closes the window. */
  closed(cause: KitError): KitError
}

/**
 * Sends the person to the provider in a window of its own, as often as they want to, and waits for them. The window is
 * the one that the latest press has opened; where there is none, another press is asked for.
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

/** A window that looks closed may only be cut off from us: then its answer takes the place of what was said of it. */
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
  const { next } = await settle(visit.cx, error, visit.verdict(error), show)
  return answer ?? (next === 'again' ? 'again' : 'back')
}

/** The window that the latest press has opened; where it opened none, or the browser refused, another press does. */
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
