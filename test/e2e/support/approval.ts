/** What the vault draws in strict apps, in a frame of its own, and the kit in compatible ones. */

import {
  type BrowserContext,
  expect,
  type Frame,
  type FrameLocator,
  type Locator,
  type Page,
} from '@playwright/test'
import { approval } from '../../../src/copy/en/approval.ts'
import { limit } from '../../support/limit.ts'
import { nextFrame } from './idle.ts'

/** Not the one that a screen which is leaving still shows. */
const frame = 'iframe[title="Wallet"]:not([inert] *):visible'
const toWindow = 'Continue in a new window'

/** The vault's own frame in the dialog. */
export const frameOf = (page: Page): FrameLocator => page.getByRole('dialog').frameLocator(frame)

const vaultPath = /\/approval(\/window)?$/
const drawn = '[data-approval]'

/**
 * Waits until the vault takes a press on everything that it shows in this page: after a second of quiet, and once all that is essential
 * has been in view, which may have to be scrolled to.
 */
export async function look(page: Page | Frame, timeout = limit(20_000)): Promise<void> {
  const frames = 'frames' in page ? page.frames() : [page]
  for (const frame of frames) {
    if (!URL.canParse(frame.url()) || !vaultPath.test(new URL(frame.url()).pathname)) continue
    await enter(frame)
    await expect
      .poll(() => frame.locator(drawn).evaluateAll(readOn).catch(whenGone), {
        message: 'what keeps the vault from taking a press',
        intervals: [50],
        timeout,
      })
      .toBe('live')
  }
}

/** Brings the pointer into the vault's frame, where it has to be for a second before it presses. A window asks for nothing of the kind. */
async function enter(frame: Frame): Promise<void> {
  if (!frame.parentFrame()) return
  await frame
    .locator(drawn)
    .hover({ force: true, timeout: limit(2_000) })
    .catch(() => {})
}

/**
 * Waits until the vault judges presses in this page by what can be seen of its own: the second of quiet is over, whether
 * or not it takes one then.
 */
export async function untilQuiet(page: Page): Promise<void> {
  const early = `${drawn}[data-hold=early]`
  const isEarly = async (frame: Frame) =>
    (await frame
      .locator(early)
      .count()
      .catch(() => 0)) > 0
  await expect
    .poll(async () => (await Promise.all(page.frames().map(isEarly))).includes(true), { intervals: [50] })
    .toBe(false)
}

/** A frame or window that is gone holds nothing. */
const whenGone = (error: unknown) => {
  if (/closed|detached|navigation|destroyed/.test(String(error))) return 'live'
  throw error
}

/** Runs in the vault's page. Gives what holds a press there, and scrolls to the next thing that has not been in view. */
function readOn(hosts: Element[]): string {
  const [host] = hosts
  const hold = host?.getAttribute('data-hold')
  if (!host || !hold) return readToEnd(host?.shadowRoot)
  if (hold === 'unread') {
    const all = [...(host.shadowRoot?.querySelectorAll('[data-layer]:not([inert]) [data-essential]') ?? [])]
    const turn = Number(host.getAttribute('data-turn') ?? 0)
    host.setAttribute('data-turn', String(turn + 1))
    const next = all[Math.floor(turn / 2) % all.length]
    next?.scrollIntoView({ block: turn % 2 ? 'end' : 'start' })
    // A box of its own, to the end of its padding.
    if (turn % 2) next?.parentElement?.scrollTo(0, next.parentElement.scrollHeight)
  }
  return hold

  /** Scrolls content whose end a screen wants to have shown before it can be approved. */
  function readToEnd(root: ShadowRoot | null | undefined): string {
    const layer = root?.querySelector('[data-layer]:not([inert])')
    if (!layer?.querySelector('[data-approves][aria-disabled=true]')) return 'live'
    const boxes = [...layer.querySelectorAll('[data-essential]')].flatMap(
      ({ parentElement }) => parentElement ?? [],
    )
    const unread = boxes.filter((box) => box.scrollTop + box.clientHeight < box.scrollHeight - 1)
    for (const box of unread) box.scrollTo(0, box.scrollHeight)
    return unread.length > 0 ? 'unread' : 'live'
  }
}

/**
 * Something in the dialog that the kit or the vault draws, whichever of them the app has do it, once it is there; or in the vault's
 * own window, where people go if the vault sends them.
 */
export async function inDialog(
  page: Page,
  find: (place: Locator | FrameLocator) => Locator,
  timeout = limit(30_000),
): Promise<Locator> {
  const dialog = page.getByRole('dialog')
  const isDrawn = async (target: Locator) => target.isVisible().catch(() => false)
  const seek = async () => {
    if (await isDrawn(find(dialog))) return find(dialog)
    const framed = find(frameOf(page))
    if ((await isDrawn(dialog.locator(frame))) && (await isDrawn(framed))) {
      await look(page)
      return framed
    }
    const window = windowOf(page.context())
    const there = window && find(window.locator('body'))
    if (there && (await isDrawn(there))) {
      await look(window)
      return there
    }
    if (!window && (await isDrawn(frameOf(page).getByRole('button', { name: toWindow }))))
      await openWindow(page, page.context())
    return undefined
  }
  return await until(seek, timeout, `the page or the vault draws ${find(dialog)}`)
}

/** What `seek` finds, once there is something. */
async function until<T>(seek: () => Promise<T | undefined>, timeout: number, what: string): Promise<T> {
  let found: T | undefined
  await expect
    .poll(
      async () => {
        found = await seek()
        return found !== undefined
      },
      { message: what, intervals: [50], timeout },
    )
    .toBe(true)
  return found as T
}

/** The six boxes. */
export const codeBoxes = (page: Page, timeout?: number): Promise<Locator> =>
  inDialog(page, (place) => place.getByLabel(/^Confirmation code/), timeout)

/**
 * Approves a request wherever the vault shows it: in its frame, or in the window that the frame leads to. A transaction is shown in the
 * frame while its fee is estimated, and may go to the window after that.
 */
export async function approve(page: Page, name = 'Sign and continue'): Promise<void> {
  const either = new RegExp(`^(${name}|${toWindow})$`)
  const button = await inDialog(page, (place) => place.getByRole('button', { name: either }))
  await expect(button).toBeEnabled({ timeout: limit(30_000) })
  if ((await button.textContent())?.trim() !== toWindow) return pressSeen(button)
  await pressIn(await openWindow(page, page.context()), name)
}

const complete = /^(Transactions? complete!|Transaction completed successfully\.)$/

/** Waits for the receipt of what was sent, and closes it as a user does. @param title the receipt's, if it is the host's own */
export async function closeReceipt(page: Page, title: string | RegExp = complete): Promise<void> {
  const receipt = page.getByRole('dialog')
  await expect(receipt.getByRole('heading', { name: title })).toBeVisible({ timeout: limit(60_000) })
  await receipt
    .getByRole('button', { name: /^(All Done|Close)$/ })
    .last()
    .click()
}

/** The vault's own window: the one in which the person is, or the one that opens now. */
export async function inWindow(page: Page, context: BrowserContext): Promise<Page> {
  const seek = async () => {
    const window = windowOf(context)
    if (window) return window
    const open = frameOf(page).getByRole('button', { name: toWindow })
    return (await open.isVisible()) ? openWindow(page, context) : undefined
  }
  return await until(seek, limit(20_000), 'the vault’s own window')
}

const windowOf = (context: BrowserContext) =>
  context.pages().find((each) => /\/approval\/window([?#]|$)/.test(each.url()))

/** Opens the vault's own window out of its frame, as a person does. */
export async function openWindow(page: Page, context: BrowserContext): Promise<Page> {
  const open = frameOf(page).getByRole('button', { name: toWindow })
  const early = frameOf(page).getByText(approval['approval.early']).filter({ visible: true }).first()
  const opened = context.waitForEvent('page')
  for (;;) {
    await pressSeen(open)
    // A busy machine says late that a press was too early.
    const isEarly = early.waitFor().then(
      () => undefined,
      () => undefined,
    )
    const window = await Promise.race([opened, isEarly])
    if (!window) continue
    await window.getByRole('heading').first().waitFor()
    return window
  }
}

/** Presses a button of the vault's own window, after looking at what is there. */
export async function pressIn(window: Page, name: string | RegExp): Promise<void> {
  const button = window.getByRole('button', { name, exact: typeof name === 'string' })
  await button.waitFor({ timeout: limit(20_000) })
  await pressSeen(button)
}

/** Presses a button after looking at what is there, and again where the vault says that this was too early: a busy machine draws late. */
export async function pressSeen(button: Locator): Promise<void> {
  const page = button.page()
  for (let presses = 0; presses < 3; presses++) {
    // Before it is there, there is nothing to look at, and Chromium can leave a pointer waiting that comes along with the frame.
    await button.waitFor()
    await look(page)
    await button.click()
    if (!(await isTooEarly(page))) return
  }
}

async function isTooEarly(page: Page): Promise<boolean> {
  const said = (frame: Frame) =>
    frame
      .getByText(approval['approval.early'])
      .and(frame.locator(':visible'))
      .count()
      .catch(() => 0)
  if (page.isClosed()) return false
  await nextFrame(page).catch(() => {})
  return (await Promise.all(page.frames().map(said))).some((count) => count > 0)
}
