import { warnOnce } from './host.ts'

/** A page that is never idle is not waited for any longer, in milliseconds. */
const longestWait = 3_000

/**
 * Calls `load` once, ahead of need: when the page has loaded and is idle, or, given a CSS selector, when somebody points
 * at an element that it matches or moves the focus there. Stops waiting when the signal is aborted.
 */
export function whenExpected(page: Document, selector: string, load: () => void, signal: AbortSignal): void {
  if (selector) onIntent(page, selector, load, signal)
  else onIdle(page, load, signal)
}

function onIntent(page: Document, selector: string, load: () => void, signal: AbortSignal) {
  try {
    page.querySelector(selector)
  } catch {
    return warnOnce(`preload="${selector}" is not a CSS selector`)
  }
  const over = new AbortController()
  const seen = (event: Event) => {
    // The control may be in a shadow root of its own.
    const path = event.composedPath() as Partial<Element>[]
    if (!path.some((node) => node.matches?.(selector))) return
    over.abort()
    load()
  }
  const options = { capture: true, signal: AbortSignal.any([signal, over.signal]) }
  for (const type of ['pointerover', 'focusin']) page.addEventListener(type, seen, options)
}

function onIdle(page: Document, load: () => void, signal: AbortSignal) {
  const { defaultView: view } = page
  const start = () => {
    if (!signal.aborted) load()
  }
  const wait = () => {
    // Safari has no idle callbacks.
    if (view?.requestIdleCallback) view.requestIdleCallback(start, { timeout: longestWait })
    else setTimeout(start)
  }
  if (page.readyState === 'complete') wait()
  else view?.addEventListener('load', wait, { once: true, signal })
}
