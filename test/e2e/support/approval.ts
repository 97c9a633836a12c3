/** What the vault draws in strict apps, in a frame of its own, and the kit in compatible ones. */
import { type BrowserContext, expect, type FrameLocator, type Locator, type Page } from '@playwright/test'

const frame = 'iframe[title="Wallet"]'
const toWindow = 'Continue in a new window'

/** The vault's own frame in the dialog. */
export const frameOf = (page: Page): FrameLocator => page.getByRole('dialog').frameLocator(frame)

/** As long as the dialog moves, and the vault takes no press on what has only just come into sight. */
export const look = (page: Page) => page.waitForTimeout(1_000)

/**
 * Something in the dialog that the kit or the vault draws, whichever of them the app has do it, once it is there; or in the vault's
 * own window, where people go if the vault sends them.
 */
export async function inDialog(
  page: Page,
  find: (place: Locator | FrameLocator) => Locator,
  timeout = 30_000,
): Promise<Locator> {
  const dialog = page.getByRole('dialog')
  const drawn = async (target: Locator) => target.isVisible().catch(() => false)
  for (const end = Date.now() + timeout; Date.now() < end; ) {
    if (await drawn(find(dialog))) return find(dialog)
    const framed = find(frameOf(page))
    if ((await drawn(dialog.locator(frame))) && (await drawn(framed))) {
      await look(page)
      return framed
    }
    const window = windowOf(page.context())
    const there = window && find(window.locator('body'))
    if (there && (await drawn(there))) {
      await look(window)
      return there
    }
    if (!window && (await drawn(frameOf(page).getByRole('button', { name: toWindow }))))
      await openWindow(page, page.context())
    await page.waitForTimeout(50)
  }
  throw new Error(`Neither the page nor the vault draws ${find(dialog)}`)
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
  await expect(button).toBeEnabled({ timeout: 30_000 })
  if ((await button.textContent())?.trim() !== toWindow) return button.click()
  await pressIn(await openWindow(page, page.context()), name)
}

/** The vault's own window: the one in which the person is, or the one that opens now. */
export async function inWindow(page: Page, context: BrowserContext): Promise<Page> {
  for (let tries = 0; tries < 200; tries++) {
    const window = windowOf(context)
    if (window) return window
    if (await frameOf(page).getByRole('button', { name: toWindow }).isVisible())
      return openWindow(page, context)
    await page.waitForTimeout(100)
  }
  throw new Error('The vault wants no window')
}

const windowOf = (context: BrowserContext) =>
  context.pages().find((each) => /\/approval\/window([?#]|$)/.test(each.url()))

/** Opens the vault's own window out of its frame, as a person does. */
export async function openWindow(page: Page, context: BrowserContext): Promise<Page> {
  const open = frameOf(page).getByRole('button', { name: toWindow })
  // A pointer at rest shows only when it moves that another frame is under it, or that this one has become smaller.
  await open.hover({ timeout: 20_000 })
  await look(page)
  const [window] = await Promise.all([context.waitForEvent('page'), open.click()])
  await window.getByRole('heading').first().waitFor()
  return window
}

/** Presses a button of the vault's own window, after looking at what is there. */
export async function pressIn(window: Page, name: string): Promise<void> {
  const button = window.getByRole('button', { name, exact: true })
  await button.waitFor({ timeout: 20_000 })
  await look(window)
  await button.click()
}
