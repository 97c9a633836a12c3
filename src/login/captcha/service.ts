import { KitError, toKitError } from '../../errors/kit-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { loadScript, ScriptError } from '../../lib/script.ts'
import { createStore, type Readable } from '../../lib/store.ts'
import {
  type Turnstile,
  turnstileOf,
  turnstileScript,
  type WidgetParameters,
} from '../../protocol/outside/turnstile.ts'
import { loginLimits } from '../limits.ts'
import type { AuthContext } from '../service-context.ts'
import { captchaNeeded } from './needed.ts'

/** How far a check is. */
export type CaptchaState =
  | { readonly status: 'disabled' | 'ready' }
  /** `asking`: the vendor waits for the person, and its box has to be visible. */
  | { readonly status: 'loading'; readonly asking: boolean }
  | { readonly status: 'success'; readonly token: string }
  | { readonly status: 'error'; readonly error: KitError }

/** One widget of the vendor, for as many attempts as one token takes. */
export interface CaptchaWidget {
  /** Where the vendor draws. The caller puts it on the page, where people can see and reach it. */
  readonly box: HTMLElement
  readonly state: Readable<CaptchaState>
  /**
   * Begins a check, unless one runs or has succeeded, and waits for its token. Throws a {@link KitError}:
   * `captcha_failure`, `captcha_timeout`, `invalid_configuration`; or the signal's reason.
   */
  check(signal?: AbortSignal): Promise<string>
  /**
   * The token, to be used at once; `undefined` if it has expired and a new check has begun. Throws the {@link
   * KitError} of a new check that could not begin.
   */
  take(): string | undefined
  /** Removes the widget from the page and ends a running check. */
  close(): void
}

export interface CaptchaAuth {
  /** Whether a login needs a token. A host can't switch off what the server demands. */
  readonly enabled: boolean
  /** Makes a widget. Nothing is loaded before its first check. */
  widget(): CaptchaWidget
  /**
   * A token without our screens. Without a container it runs at the page's edge, invisible unless the vendor
   * has a question. Throws `captcha_disabled` if the app has no captcha, and what {@link CaptchaWidget.check}
   * throws.
   */
  token(options?: { container?: HTMLElement; signal?: AbortSignal }): Promise<string>
}

export function createCaptchaAuth(cx: AuthContext): CaptchaAuth {
  const settings = () => cx.app().captcha
  const state = cx.state('captcha')
  const enabled = () => captchaNeeded(cx.config())
  const widget = () => createWidget(cx, settings().siteKey)

  return {
    get enabled() {
      return enabled()
    },
    widget,
    async token({ container, signal } = {}) {
      if (!enabled()) throw new KitError('captcha_disabled', 'This app has no captcha')
      const own = widget()
      const place = container ?? edgeOf(own.box)
      place.append(own.box)
      state.set({ status: 'loading' })
      try {
        for (;;) {
          await own.check(signal)
          const token = own.take()
          if (token === undefined) continue
          state.set({ status: 'done' })
          return token
        }
      } catch (cause) {
        const error = toKitError(cause, 'captcha_failure')
        state.set({ status: 'error', error })
        throw error
      } finally {
        own.close()
        own.box.remove()
      }
    },
  }
}

/** At the end of the page's body, where a question of the vendor floats above the page. */
function edgeOf(box: HTMLElement): HTMLElement {
  Object.assign(box.style, {
    position: 'fixed',
    insetBlockEnd: '16px',
    insetInlineEnd: '16px',
    zIndex: '2147483647',
  })
  return box.ownerDocument.body
}

function createWidget(cx: AuthContext, siteKey: string | undefined): CaptchaWidget {
  const { page, clock } = cx
  const box = page.window.document.createElement('div')
  const state = createStore<CaptchaState>({ status: 'ready' })
  const life = new AbortController()
  let id: string | undefined
  let taken = false

  const vendor = () => turnstileOf(page.window)
  const fail = (error: KitError) => state.set({ status: 'error', error })
  const asking = (now: boolean) => {
    if (state.get().status === 'loading') state.set({ status: 'loading', asking: now })
  }

  /** An expired token is replaced without asking anybody. */
  function expired() {
    if (taken || state.get().status !== 'success') return
    try {
      restart()
    } catch (cause) {
      fail(failure('expired_and_failed_reset', cause))
    }
  }

  function restart() {
    const turnstile = vendor()
    if (!turnstile || id === undefined) throw new Error('There is no widget')
    turnstile.reset(id)
    state.set({ status: 'loading', asking: false })
    turnstile.execute(id)
  }

  const parameters = (sitekey: string): WidgetParameters => ({
    sitekey,
    action: cx.appId,
    theme: cx.config().theme,
    // At 320 pixels the usual box would be cut off.
    ...(page.window.innerWidth < loginLimits.captchaFits && { size: 'compact' as const }),
    execution: 'execute',
    // The wire calls this size "invisible". The vendor has dropped that size; this is its present form, and
    // it still lets a person answer if the vendor insists.
    appearance: 'interaction-only',
    retry: 'never',
    'refresh-expired': 'manual',
    'refresh-timeout': 'manual',
    'response-field': false,
    callback: (token) => state.set({ status: 'success', token }),
    'error-callback': (code) => {
      fail(failure(`the vendor says ${code ?? 'nothing'}`))
      return true
    },
    'expired-callback': expired,
    'timeout-callback': () => fail(timeout()),
    'unsupported-callback': () => fail(failure('the vendor does not support this browser')),
    'before-interactive-callback': () => asking(true),
    'after-interactive-callback': () => asking(false),
  })

  async function begin() {
    if (!siteKey) throw new KitError('invalid_configuration', 'Unsupported captcha site key')
    const ready = () => vendor() !== undefined
    const loaded = loadScript(page, scriptUrl(cx), { clock, signal: life.signal, ready })
    await Promise.all([loaded, clock.sleep(loginLimits.captchaExecuteDelay, life.signal)])
    while (!box.isConnected) await clock.sleep(loginLimits.captchaPollEvery, life.signal)
    if (id !== undefined) {
      try {
        return restart()
      } catch {
        remove(vendor(), id)
      }
    }
    id = vendor()?.render(box, parameters(siteKey)) ?? undefined
    if (id === undefined) throw failure('the vendor made no widget')
    vendor()?.execute(id)
  }

  function start() {
    const { status } = state.get()
    if (status === 'loading' || status === 'success') return
    state.set({ status: 'loading', asking: false })
    begin().catch((cause: unknown) => {
      if (!life.signal.aborted) fail(cause instanceof KitError ? cause : failure(String(cause), cause))
    })
  }

  return {
    box,
    state,
    async check(signal) {
      start()
      try {
        return await result(clock, state, [life.signal, signal])
      } catch (cause) {
        // The next check starts again from the beginning.
        if (cause instanceof KitError) fail(cause)
        throw cause
      }
    },
    take() {
      const now = state.get()
      if (now.status === 'error') throw now.error
      if (now.status !== 'success') return undefined
      taken = true
      return now.token
    },
    close() {
      taken = true
      life.abort()
      remove(vendor(), id)
      id = undefined
    },
  }
}

/**
 * The result is polled for at most 20 s; the time in which the vendor waits for the person does not count.
 */
async function result(
  clock: Clock,
  state: Readable<CaptchaState>,
  [life, signal]: readonly [AbortSignal, AbortSignal | undefined],
) {
  let waited = 0
  let asked = 0
  for (;;) {
    life.throwIfAborted()
    const now = state.get()
    if (now.status === 'success') return now.token
    if (now.status === 'error') throw now.error
    if (waited >= loginLimits.captchaLimit || asked >= loginLimits.captchaAnswer) throw timeout()
    await clock.sleep(loginLimits.captchaPollEvery, signal)
    if (now.status === 'loading' && now.asking) asked += loginLimits.captchaPollEvery
    else waited += loginLimits.captchaPollEvery
  }
}

function scriptUrl(cx: AuthContext): string {
  const scriptUrl = cx.config().host.captcha?.scriptUrl ?? turnstileScript
  if (!URL.canParse(scriptUrl, cx.page.address()))
    throw new KitError('invalid_configuration', 'captcha.scriptUrl is not a URL')
  const url = new URL(scriptUrl, cx.page.address())
  url.searchParams.set('render', 'explicit')
  return url.href
}

function remove(turnstile: Turnstile | undefined, id: string | undefined): void {
  try {
    if (id !== undefined) turnstile?.remove(id)
  } catch {
    // Somebody else has removed it from the page already.
  }
}

const timeout = () =>
  new KitError('captcha_timeout', 'Captcha failed', { details: 'no result in time', retryable: true })
const failure = (details: string, cause?: unknown) =>
  new KitError('captcha_failure', 'Captcha failed', { details, retryable: true, cause })

/** Whether the vendor's script could not be loaded: a content blocker, the page's policy, or the network. */
export const isBlocked = (error: KitError): boolean => error.cause instanceof ScriptError
