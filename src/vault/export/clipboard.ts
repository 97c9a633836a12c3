import type { Clock } from '../../lib/clock.ts'
import { vaultLimits } from '../limits.ts'

export interface SecretClipboard {
  /** Copies what `text` resolves with. Resolves with whether the browser did; rejects when `text` does. */
  copy(text: Promise<string>): Promise<boolean>
  /** Empties it now if what was copied may still be there. Gives whether it may. */
  empty(): boolean
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

  async function emptyAfter(wait: number, signal: AbortSignal): Promise<void> {
    await clock.sleep(wait, signal)
    if (!window.document.hasFocus()) await nextFocus(window, signal)
    const done = await window.navigator.clipboard.writeText('').then(
      () => true,
      () => false,
    )
    if (signal.aborted) return
    holds = false
    emptied(done)
  }
  function begin(wait: number): void {
    stale.abort()
    stale = new AbortController()
    emptyAfter(wait, stale.signal).catch(() => {})
  }

  return {
    async copy(text) {
      const done = await write(window.navigator.clipboard, text)
      if (!done) return false
      holds = true
      begin(vaultLimits.clipboardKept)
      return true
    },
    empty() {
      if (holds) begin(0)
      return holds
    },
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
