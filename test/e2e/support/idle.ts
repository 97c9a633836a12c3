import type { Frame, Locator, Page, Request } from '@playwright/test'
import { limit } from '../../support/limit.ts'

/** Turns without any work, after which what a press has begun is over: it waits for storage, keys and the server between. */
const quietTurns = 20
/** Milliseconds. A request that a browser has refused never ends, and neither does a busy control that is covered. */
const longestWait = limit(5_000)
/** Milliseconds. A frame that its browser has refused to load never answers. */
const frameAnswers = limit(1_000)

/**
 * Waits until nothing is under way in a page and its frames: no request, no busy control, and no task for many turns in
 * a row, which take longer on a slower machine; not for ever.
 */
export async function untilIdle(page: Page, enough = quietTurns): Promise<void> {
  const end = Date.now() + longestWait
  const silent = new Set<Frame>()
  for (let turns = 0; turns < enough && !page.isClosed() && Date.now() < end; ) {
    const asked = page.frames().filter((frame) => !silent.has(frame))
    const frames = await Promise.all(asked.map((frame) => isFrameIdle(frame, () => silent.add(frame))))
    const requests = await page.requests().catch(() => [])
    const isLoading = requests.map(hasEnded).includes(false)
    turns = !isLoading && frames.every(Boolean) ? turns + 1 : 0
  }
}

/** Lets a page and its frames have so many turns one after the other, whatever is under way in them. */
export async function passTurns(page: Page, count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++)
    await Promise.all(page.frames().map((frame) => isFrameIdle(frame, () => {})))
}

const followed = new WeakSet<Request>()
const ended = new WeakSet<Request>()
/** Whether a request is over. Its own timing says so only in a test that listens to the events of requests. */
function hasEnded(request: Request): boolean {
  if (!followed.has(request)) {
    followed.add(request)
    const end = () => ended.add(request)
    request
      .response()
      .then((response) => response?.finished())
      .then(end, end)
  }
  return ended.has(request)
}

function isFrameIdle(frame: Frame, onSilence: () => void): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => {
      onSilence()
      resolve(true)
    }, frameAnswers)
  })
  return Promise.race([frame.evaluate(isIdle).catch(() => true), silence]).finally(() => clearTimeout(timer))
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

/**
 * Resolves once the page of an element has gone on drawing for so many milliseconds, by the clock of its animations: that
 * is nobody's but the browser's, which judges by it what is in sight.
 */
export const untilDrawnFor = (target: Locator, milliseconds: number): Promise<void> =>
  target.evaluate(async (element, duration) => {
    await element.animate(null, duration).finished
  }, milliseconds)
