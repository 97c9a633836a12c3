import { warnOnce } from './host.ts'

/** A page that is never idle is not waited for any longer, in milliseconds. */
const longestWait = 3_000

/**
 * Calls `load` once, ahead of need: when the page has loaded and is idle, or, given a CSS selector, when somebody points
 * at an element that it matches or moves the focus there. Returns the function that stops waiting.
 */
export function whenExpected(page: Document, selector: string, load: () => void): () => void {
  return selector ? onIntent(page, selector, load) : onIdle(page, load)
}

function onIntent(page: Document, selector: string, load: () => void): () => void {
  try {
    page.querySelector(selector)
  } catch {
    warnOnce(`preload="${selector}" is not a CSS selector`)
    return () => {}
  }
  const seen = (event: Event) => {
    // The control may be in a shadow root of its own.
    const path = event.composedPath() as Partial<Element>[]
    if (!path.some((node) => node.matches?.(selector))) return
    stop()
    load()
  }
  const stop = () => {
    for (const type of signs) page.removeEventListener(type, seen, true)
  }
  for (const type of signs) page.addEventListener(type, seen, true)
  return stop
}
const signs = ['pointerover', 'focusin']

function onIdle(page: Document, load: () => void): () => void {
  const { defaultView: view } = page
  let stopped = false
  const start = () => {
    if (!stopped) load()
  }
  const wait = () => {
    // Safari has no idle callbacks.
    if (view?.requestIdleCallback) view.requestIdleCallback(start, { timeout: longestWait })
    else setTimeout(start)
  }
  if (page.readyState === 'complete') wait()
  else view?.addEventListener('load', wait, { once: true })
  return () => {
    stopped = true
    view?.removeEventListener('load', wait)
  }
}
