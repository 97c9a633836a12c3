import { KitError } from '../../src/errors/kit-error.ts'
import { type App, onApps, onlyApp } from '../page.ts'

/** How long a method waits for the page's only app, which a later script may still create. */
const appTimeout = 1_500

/** Resolves when the parser has finished, so that later elements of the page count as well. */
export async function pageParsed(): Promise<void> {
  if (document.readyState === 'loading')
    await new Promise((resolve) => document.addEventListener('DOMContentLoaded', resolve, { once: true }))
  await new Promise((resolve) => setTimeout(resolve))
}

/** The page's only app, for an element that names none. */
export async function theOnlyApp(): Promise<App> {
  const end = Date.now() + appTimeout
  for (let app = onlyApp(); ; app = onlyApp()) {
    if (app) return app
    const left = end - Date.now()
    if (left <= 0)
      throw new KitError('invalid_configuration', 'This app is not set up correctly', {
        details: 'the element has no app-id, and the page does not have exactly one app',
      })
    await nextChange(left)
  }
}

function nextChange(limit: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stop()
      clearTimeout(timer)
      resolve()
    }
    const stop = onApps(done)
    const timer = setTimeout(done, limit)
  })
}

/** Calls `then` when the signal is aborted, or now if it already is; returns a function that cancels it. */
export function onAbort(signal: AbortSignal | undefined, then: () => void): () => void {
  if (signal?.aborted) then()
  signal?.addEventListener('abort', then, { once: true })
  return () => signal?.removeEventListener('abort', then)
}

/** The result of `work`, unless the signal is aborted first; then throws the signal's reason. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = onAbort(signal, () => reject(signal.reason))
    work.then(resolve, reject).finally(stop)
  })
}
