/** Apps whose people approve in the vault's own frame and window. */
import type { BrowserContext, Page } from '@playwright/test'
import { expect } from './demo.ts'
import { dialogOf } from './embedded.ts'

/** The page's app is strict, as the server would say. */
export async function makeStrict(page: Page): Promise<void> {
  await page.route(/\/api\/v1\/apps\/[^/]+$/, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), vault_mode: 'strict' } })
  })
  await page.reload()
  await expect(page.locator('#address')).toHaveText(/^0x/, { timeout: 20_000 })
}

export const frameOf = (page: Page) => dialogOf(page).frameLocator('iframe')
/** As long as a person looks at what they approve, at least. */
export const look = (page: Page) => page.waitForTimeout(1_000)

/** Opens the vault's own window out of its frame, as a person does. */
export async function openWindow(page: Page, context: BrowserContext): Promise<Page> {
  const open = frameOf(page).getByRole('button', { name: 'Continue in a new window' })
  await open.waitFor({ timeout: 20_000 })
  await look(page)
  const opening = context.waitForEvent('page')
  await open.click()
  return opening
}
