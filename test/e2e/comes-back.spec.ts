/** Pages that somebody leaves and comes back to, and that the browser has kept for them as they were. */

import { chromium } from '@playwright/test'
import { launchOptions } from '../../tools/launch.mjs'
import { limit } from '../support/limit.ts'
import { frameOf, look } from './support/approval.ts'
import { open } from './support/apps.ts'
import { emailOf, expect, test } from './support/demo.ts'
import { deviceWithWallet, writeSignIn } from './support/embedded.ts'

test('what is being approved is still there for whoever comes back to its page @soak', async ({ demo }) => {
  // Playwright switches off what keeps pages.
  const options = await launchOptions({ whole: true })
  const usual = Array.isArray(options.ignoreDefaultArgs) ? options.ignoreDefaultArgs : []
  const browser = await chromium.launch({
    ...options,
    ignoreDefaultArgs: [...usual, '--disable-back-forward-cache'],
  })
  try {
    const { page } = await deviceWithWallet(browser, demo, emailOf('comes-back'), open)
    await writeSignIn(page)
    await page.getByRole('button', { name: 'Sign', exact: true }).click()
    const sign = frameOf(page).getByRole('button', { name: 'Sign and continue' })
    await expect(sign).toBeVisible()
    await look(page)
    const place = await sign.boundingBox()
    await page.evaluate(() => {
      addEventListener('pageshow', ({ persisted }) => {
        document.documentElement.dataset.kept = String(persisted)
      })
    })
    await page.goto(demo.inbox)
    await page.goBack({ waitUntil: 'commit' })
    await expect(page.locator('html')).toHaveAttribute('data-kept', 'true')
    await look(page)
    // Playwright knows nothing any more of the frames of a page that was kept, so that only another press tells whether one counts.
    await page.mouse.move((place?.x ?? 0) + 20, (place?.y ?? 0) + 12)
    await expect(async () => {
      await page.mouse.click((place?.x ?? 0) + 24, (place?.y ?? 0) + 14)
      await expect(page.locator('#signature')).toHaveText(/^0x[0-9a-f]{130}$/, { timeout: limit(3_000) })
    }).toPass({ timeout: limit(30_000) })
  } finally {
    await browser.close()
  }
})
