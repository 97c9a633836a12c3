import { type Clock, TimedOut } from './clock.ts'
import { limits } from './limits.ts'

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
   * Waits for a message of this very window from `origin` that `accept` turns into an answer.
   * Throws {@link PopupError} when the person closes the window or the limit of wire 6.2 is over.
   */
  answer<T>(origin: string, accept: (data: unknown) => T | undefined, signal?: AbortSignal): Promise<T>
  close(): void
}

/**
 * Opens a centred window, to be called within the task of a click and before anything is awaited (elements 3.33).
 * Throws {@link PopupError} 'blocked' when the browser refuses.
 */
export function openPopup(page: Window, clock: Clock): Popup {
  const { popupWidth: width, popupHeight: height } = limits
  const left = Math.max(0, page.screenX + (page.outerWidth - width) / 2)
  const top = Math.max(0, page.screenY + (page.outerHeight - height) / 2)
  const popup = page.open(
    'about:blank',
    '_blank',
    `popup,width=${width},height=${height},left=${left},top=${top}`,
  )
  if (!popup) throw new PopupError('blocked')

  return {
    go: (url) => popup.location.replace(url),
    close: () => popup.close(),
    async answer(origin, accept, signal) {
      const done = new AbortController()
      const stop = signal ? AbortSignal.any([signal, done.signal]) : done.signal
      try {
        return await Promise.race([
          nextMessage(page, popup, origin, accept, stop),
          closed(popup, clock, stop),
          clock.sleep(limits.popupLimit, stop).then(() => {
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
      if (event.source !== popup || event.origin !== origin) return
      const answer = accept(event.data)
      if (answer !== undefined) resolve(answer)
    }
    page.addEventListener('message', hear, { signal })
  })
}

async function closed(popup: Window, clock: Clock, signal: AbortSignal): Promise<never> {
  while (!popup.closed) await clock.sleep(limits.popupClosedCheck, signal)
  throw new PopupError('closed')
}
