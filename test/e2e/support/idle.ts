import type { Page } from '@playwright/test'

/**
 * Waits until nothing is under way in a page and its frames, such as what a press has begun: no request, no busy
 * control, and no task for three turns in a row. What has not come by then does not come.
 */
export async function untilIdle(page: Page): Promise<void> {
  for (let turns = 0; turns < 3 && !page.isClosed(); ) {
    const frames = await Promise.all(page.frames().map((frame) => frame.evaluate(isIdle).catch(() => true)))
    const requests = await page.requests().catch(() => [])
    const isLoading = requests.some((each) => each.timing().responseEnd < 0 && !each.failure())
    turns = !isLoading && frames.every(Boolean) ? turns + 1 : 0
  }
}

/** Runs in the page. */
function isIdle(): Promise<boolean> {
  const roots = [document, ...[...document.querySelectorAll('*')].flatMap((each) => each.shadowRoot ?? [])]
  return new Promise((resolve) =>
    requestIdleCallback(() => resolve(roots.every((root) => !root.querySelector('[aria-busy=true]'))), {
      timeout: 1_000,
    }),
  )
}

/** Resolves once the page has drawn another frame. */
export const nextFrame = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise<void>((resolve) => requestAnimationFrame(() => resolve())))
