import { KitError } from '../errors/kit-error.ts'
import { type Clock, within } from '../lib/clock.ts'
import type { Page } from '../lib/page.ts'
import { PopupError, popupOf } from '../lib/popup.ts'
import { popupChannel, popupReceipt, readPopupMessage } from '../protocol/popup.ts'

/** What a window came back with. */
export interface PopupAnswer {
  readonly code: string
  readonly state: string
}

interface PopupOptions {
  page: Page
  clock: Clock
  /** As returned by `Page.openWindow`. */
  window: Window | null
  /** Where it goes. */
  url: string
  /** Only an answer with this state counts. */
  state: string
  /** Our own server, whose pages may appear in the window before the provider's. */
  apiOrigin: string
}

/** What a person does in a separate window. */
export interface PopupReturn {
  /**
   * Resolves with what the window came back with. Throws a {@link KitError} `popup_blocked`, `popup_closed`,
   * `popup_timeout`, or `unknown_auth_error` when the window reports a failure.
   */
  readonly answer: Promise<PopupAnswer>
  /**
   * The same for an answer that arrives although the window looked closed: a provider may cut it off from us,
   * and then nothing tells it from a closed one. Never rejects.
   */
  readonly late: Promise<PopupAnswer>
}

/** Sends a window to a provider and waits until it is back. @param signal ends all of it */
export function sendPopup(
  { page, clock, url, state, ...options }: PopupOptions,
  signal: AbortSignal,
): PopupReturn {
  let resolveLate: (answer: PopupAnswer) => void = () => {}
  const late = new Promise<PopupAnswer>((resolve) => {
    resolveLate = resolve
  })
  const stopListening = listenOnChannel(page, state, signal, (answer) => resolveLate(answer))
  const over = new AbortController()
  const stop = AbortSignal.any([signal, over.signal])
  late.then(() => {
    stopListening()
    over.abort()
  })

  const accept = (data: unknown) => {
    const message = readPopupMessage(data)
    if (message?.kind === 'returned') return message.state === state ? message : undefined
    return message?.kind === 'failed' ? message : undefined
  }
  const direct = async (): Promise<PopupAnswer> => {
    const popup = popupOf(options.window, page.window, clock)
    const cutOff = cutOffFrom(page, options.window as Window, [page.origin, options.apiOrigin], stop)
    try {
      if (options.window?.closed) throw new PopupError('closed')
      popup.go(url)
      const message = await popup.answer(page.origin, accept, stop, cutOff, () =>
        hidesWindows(page, clock, stop),
      )
      if (message.kind === 'returned') return message
      throw new KitError('unknown_auth_error', 'Something went wrong. Try again.', {
        details: `the window reported: ${message.error}`,
        retryable: true,
      })
    } finally {
      over.abort()
      popup.close()
    }
  }
  const answer = Promise.race([direct(), late]).catch((cause: unknown) => {
    if (!(cause instanceof PopupError)) throw cause
    const [code, message] = failures[cause.reason]
    throw new KitError(code, message, { cause, retryable: true })
  })
  return { answer, late }
}

const failures = {
  blocked: ['popup_blocked', 'The browser blocked the window'],
  closed: ['popup_closed', 'User rejected request'],
  timeout: ['popup_timeout', 'Authorization request timed out after 2 minutes.'],
} as const

/**
 * Whether the window looks closed without being so: this page is isolated from all others, or the window said
 * it.
 */
function cutOffFrom(
  page: Page,
  popup: Window,
  origins: readonly string[],
  signal: AbortSignal,
): () => boolean {
  let moved = page.window.crossOriginIsolated === true
  page.window.addEventListener(
    'message',
    ({ source, origin, data }) => {
      if (source === popup && origins.includes(origin) && readPopupMessage(data)?.kind === 'moved')
        moved = true
    },
    { signal },
  )
  return () => moved
}

/** How long the page's own server has for its headers, in milliseconds. */
const HEADERS_LIMIT = 5_000

/**
 * Whether the page's own opener policy cuts it off from windows at providers. Only its headers tell; without an answer, a
 * window that looks closed counts as closed.
 */
export async function hidesWindows(page: Page, clock: Clock, signal: AbortSignal): Promise<boolean> {
  const { fetch } = page.window as Partial<Pick<typeof globalThis, 'fetch'>>
  if (!fetch) return false
  const [address = ''] = page.address().split('#')
  const ask = (own: AbortSignal) =>
    fetch.call(page.window, address, { method: 'HEAD', mode: 'same-origin', signal: own })
  try {
    const { headers } = await within(clock, HEADERS_LIMIT, ask, signal)
    return /^\s*(same-origin|noopener-allow-popups)\s*(;|$)/.test(
      headers.get('cross-origin-opener-policy') ?? '',
    )
  } catch {
    signal.throwIfAborted()
    return false
  }
}

/** Listens to pages of our own origin, where a window that has lost its opener will answer. */
function listenOnChannel(
  { window }: Page,
  state: string,
  signal: AbortSignal,
  onAnswer: (answer: PopupAnswer) => void,
): () => void {
  const { BroadcastChannel } = window as Partial<Pick<typeof globalThis, 'BroadcastChannel'>>
  if (!BroadcastChannel || signal.aborted) return () => {}
  const channel = new BroadcastChannel(popupChannel)
  channel.onmessage = ({ data }) => {
    const message = readPopupMessage(data)
    if (message?.kind !== 'returned' || message.state !== state) return
    channel.postMessage(popupReceipt(state))
    onAnswer(message)
  }
  const close = () => channel.close()
  signal.addEventListener('abort', close, { once: true })
  return close
}
