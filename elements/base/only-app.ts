import { KitError } from '../../src/errors/kit-error.ts'
import { type App, onApps, onlyApp } from '../page.ts'

/** How long a method waits for the page's only app, which a later script may still create. */
const appTimeout = 1_500

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
