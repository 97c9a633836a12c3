import type { Page } from '@playwright/test'

/** Turns without any work, after which what a press has begun is over: it waits for storage, keys and the server between. */
const quietTurns = 20

/**
 * Waits until nothing is under way in a page and its frames: no request, no busy control, and no task for many turns in
 * a row, which take longer on a slower machine. What has not come by then does not come.
 */
export async function untilIdle(page: Page): Promise<void> {
  for (let turns = 0; turns < quietTurns && !page.isClosed(); ) {
    const frames = await Promise.all(page.frames().map((frame) => frame.evaluate(isIdle).catch(() => true)))
    const requests = await page.requests().catch(() => [])
    const isLoading = requests.some((each) => each.timing().responseEnd < 0 && !each.failure())
    turns = !isLoading && frames.every(Boolean) ? turns + 1 : 0
  }
}

/** Runs in the page, after its next turn. */
async function isIdle(): Promise<boolean> {
  // Where the clock is the test's, nothing is ever called back.
  const isReal = /\[native code\]/.test(String(requestIdleCallback))
  await new Promise<unknown>((resolve) => {
    if (isReal) return requestIdleCallback(resolve, { timeout: 1_000 })
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = resolve
    return port2.postMessage('')
  })
  const roots = [document, ...[...document.querySelectorAll('*')].flatMap((each) => each.shadowRoot ?? [])]
  return roots.every((root) => !root.querySelector('[aria-busy=true]'))
}

/** Resolves once the page has drawn another frame. */
export const nextFrame = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise<void>((resolve) => requestAnimationFrame(() => resolve())))
