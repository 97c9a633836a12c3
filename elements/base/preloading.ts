import { warnOnce } from './host.ts'

/** A page that is never idle is not waited for any longer, in milliseconds. */
const longestWait = 3_000

/** An element whose dialog can be loaded ahead of need. */
interface Preloadable extends HTMLElement {
  load(): Promise<void>
}

/** What ends the wait of an element. */
const waiting = new WeakMap<Preloadable, AbortController>()

/**
 * Loads an element's dialog once, ahead of need: when the page has loaded and is idle, or, given a CSS selector, when somebody
 * points at an element that it matches or moves the focus there. Another call takes the place of the one before; `undefined`
 * only ends it. The page can't be told of a failure: the dialog itself tries again, and says it.
 */
export function expectDialog(element: Preloadable, selector: string | undefined): void {
  waiting.get(element)?.abort()
  if (selector === undefined) return
  const own = new AbortController()
  waiting.set(element, own)
  const load = () => void element.load().catch(() => {})
  if (selector) onIntent(element.ownerDocument, selector, load, own.signal)
  else onIdle(element.ownerDocument, load, own.signal)
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
