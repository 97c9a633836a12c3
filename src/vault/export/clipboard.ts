import type { Clock } from '../../lib/clock.ts'
import { vaultLimits } from '../limits.ts'

export interface SecretClipboard {
  /** Copies what `text` resolves with. Resolves with whether the browser did; rejects when `text` does. */
  copy(text: Promise<string>): Promise<boolean>
  /** Empties it now if what was copied may still be there, and resolves with whether the browser did; `undefined` if it may not. */
  empty(): Promise<boolean> | undefined
}

/**
 * The clipboard for secrets: what was copied is wiped from it after a minute. A browser lets a page in the background
 * write nothing, so that it may happen only once the person is back. `emptied` is called with whether it worked.
 */
export function createClipboard(
  window: Window,
  clock: Clock,
  emptied: (done: boolean) => void,
): SecretClipboard {
  let stale = new AbortController()
  let holds = false

  async function emptyAfter(wait: number, signal: AbortSignal): Promise<boolean> {
    await clock.sleep(wait, signal)
    if (!window.document.hasFocus()) await nextFocus(window, signal)
    const done = await window.navigator.clipboard.writeText('').then(
      () => true,
      () => false,
    )
    // It has something else of this page by now.
    if (signal.aborted) return false
    holds = false
    emptied(done)
    return done
  }
  function begin(wait: number): Promise<boolean> {
    stale.abort()
    stale = new AbortController()
    return emptyAfter(wait, stale.signal).catch(() => false)
  }

  return {
    async copy(text) {
      const done = await write(window.navigator.clipboard, text)
      if (!done) return false
      holds = true
      void begin(vaultLimits.clipboardKept)
      return true
    },
    empty: () => (holds ? begin(0) : undefined),
  }
}

/**
 * Writes what is still being made. Given the promise, a browser counts the write to the press that it began with; some
 * would otherwise refuse it as too late.
 */
async function write(clipboard: Clipboard | undefined, text: Promise<string>): Promise<boolean> {
  let refused = false
  try {
    if (typeof ClipboardItem === 'function' && clipboard?.write) {
      const blob = text.then((whole) => new Blob([whole], { type: 'text/plain' }))
      blob.catch(() => {})
      await clipboard.write([new ClipboardItem({ 'text/plain': blob })])
    } else await clipboard?.writeText(await text)
  } catch {
    refused = true
  }
  await text
  return !refused && clipboard !== undefined
}

const nextFocus = (window: Window, signal: AbortSignal) =>
  new Promise<void>((resolve) => window.addEventListener('focus', () => resolve(), { once: true, signal }))
