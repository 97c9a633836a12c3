import { type Clock, TimedOut } from './clock.ts'

/** How often it is looked whether a window has been closed, in milliseconds. */
const CLOSED_CHECK = 300
/** How long a user has to be back on the page until a window that a policy may hide counts as closed, in milliseconds. */
const RETURNED = 5_000
/** A window that hasn't answered for this long is given up, in milliseconds. */
export const POPUP_LIMIT = 120_000

/** Why a popup ended without an answer. */
export type PopupFailure = 'blocked' | 'closed' | 'timeout'
export class PopupError extends Error {
  override name = 'PopupError'
  constructor(readonly reason: PopupFailure) {
    super(`The popup was ${reason === 'timeout' ? 'silent for too long' : reason}`)
  }
}

export interface Popup {
  /** Sends the window to its address. */
  go(url: string): void
  /**
   * Waits for a message of this very window from `origin` that `accept` turns into an answer. Throws {@link
   * PopupError} when the person closes the window or the time is up. A window that is `cutOff` from us looks
   * closed, but does not count as closed; neither does one that a policy may hide, until the user is back on the page.
   */
  answer<T>(
    origin: string,
    accept: (data: unknown) => T | undefined,
    signal?: AbortSignal,
    cutOff?: () => boolean,
    mayHide?: () => Promise<boolean>,
  ): Promise<T>
  close(): void
}

/**
 * Controls a window that `Page.openWindow` opened within a click. Throws {@link PopupError} 'blocked' if the
 * browser refused to open it.
 */
export function popupOf(popup: Window | null | undefined, page: Window, clock: Clock): Popup {
  if (!popup) throw new PopupError('blocked')

  return {
    go: (url) => popup.location.replace(url),
    close: () => popup.close(),
    async answer(origin, accept, signal, cutOff = () => false, mayHide = async () => false) {
      const done = new AbortController()
      const stop = signal ? AbortSignal.any([signal, done.signal]) : done.signal
      try {
        return await Promise.race([
          nextMessage(page, popup, origin, accept, stop),
          closed({ popup, page, clock, cutOff, mayHide }, stop),
          clock.sleep(POPUP_LIMIT, stop).then(() => {
            throw new PopupError('timeout')
          }),
        ])
      } finally {
        done.abort(new TimedOut('The popup has answered'))
        popup.close()
      }
    },
  }
}

function nextMessage<T>(
  page: Window,
  popup: Window,
  origin: string,
  accept: (data: unknown) => T | undefined,
  signal: AbortSignal,
): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    const hear = (event: MessageEvent) => {
      // A window that has closed by now is no longer a source.
      const isOwn = event.source === popup || (event.source === null && popup.closed)
      if (!isOwn || event.origin !== origin) return
      const answer = accept(event.data)
      if (answer !== undefined) resolve(answer)
    }
    page.addEventListener('message', hear, { signal })
  })
}

interface Watched {
  readonly popup: Window
  readonly page: Window
  readonly clock: Clock
  readonly cutOff: () => boolean
  readonly mayHide: () => Promise<boolean>
}

/** Resolves once the user has closed a window, as far as that can be seen. Rejects with the reason of the signal. */
export async function untilClosed(
  popup: Window,
  page: Window,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  try {
    await closed({ popup, page, clock, cutOff: () => false, mayHide: async () => false }, signal)
  } catch (cause) {
    if (!(cause instanceof PopupError)) throw cause
  }
}

async function closed({ popup, page, clock, cutOff, mayHide }: Watched, signal: AbortSignal): Promise<never> {
  const pause = () => clock.sleep(CLOSED_CHECK, signal)
  while (!popup.closed || cutOff()) await pause()
  // Its closing can be seen before its last message is delivered.
  await pause()
  if (!hasFocus(page) || (await mayHide())) {
    // Under an opener policy, a window looks closed as soon as it has left. A user who is there is not here.
    while (hasFocus(page)) await pause()
    for (let back = 0; back < RETURNED; back += CLOSED_CHECK) {
      await pause()
      if (!hasFocus(page)) back = 0
    }
  }
  throw new PopupError('closed')
}

const hasFocus = ({ document }: Window): boolean => document?.hasFocus?.() ?? true
