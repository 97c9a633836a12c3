import type { Page } from '@playwright/test'
import { approve } from './support/approval.ts'
import { open, openPage } from './support/apps.ts'
import { type Demo, emailOf, expect, logIn, test } from './support/demo.ts'

/** Logs in at a page of another site, and reloads it. Resolves with the address of the wallet, which is still there. */
async function logInElsewhere(page: Page, demo: Demo): Promise<string> {
  await page.goto(openPage({ site: demo.site.replace('localhost', '127.0.0.1') }))
  await page.locator('#log-in').click()
  await logIn(page, demo, emailOf('elsewhere'))
  await expect(page.locator('#address')).toHaveText(/^0x/)
  const address = (await page.locator('#address').textContent()) ?? ''
  await page.reload()
  await expect(page.locator('#address')).toHaveText(address)
  return address
}

/** The host page, the API and the vault on different sites, storage partitioned as ordinary browsers do it. */
test('a page of another site logs in, signs, and is still logged in after a reload', async ({
  page,
  demo,
}) => {
  const address = await logInElsewhere(page, demo)
  await page.getByRole('button', { name: 'Sign', exact: true }).click()
  await approve(page)
  await expect(page.locator('#signature')).toHaveText(/^0x[0-9a-f]{130}$/)
  await page.getByRole('button', { name: 'Verify', exact: true }).click()
  await expect(page.locator('#verdict')).toHaveText(`Valid: signed by ${address}`)
})

test('a code that was typed into the vault’s frame logs a page of another site in, and it still is after a reload @soak', async ({
  page,
  demo,
}) => {
  await logInElsewhere(page, demo)
  // The cookie that the vault's frame was given is the one with which the page renews its session.
  const renewed = await page.evaluate(
    async ([api, app]) => {
      const headers = {
        accept: 'application/json',
        'content-type': 'application/json',
        'privy-app-id': app ?? '',
        'latchkey-session': 'cookie',
      }
      const answer = await fetch(`${api}/api/v1/sessions`, {
        method: 'POST',
        credentials: 'include',
        body: '{}',
        headers,
      })
      return ((await answer.json()) as { token?: string }).token ?? ''
    },
    [demo.api, open],
  )
  expect(renewed).not.toBe('')
})
