import type { Page } from '@playwright/test'
import { expect, test, watchPage } from './support/demo.ts'

const app = 'latchkey-demo-custom-0011'

async function logInThere(page: Page, name: string) {
  await page.locator('#own-name').fill(name)
  await page.getByRole('button', { name: 'Log in there' }).click()
}

test('who logs in at the page’s own login is logged in here, without any dialog', async ({ page, demo }) => {
  const problems = watchPage(page)
  await page.goto(`${demo.site}/?app=${app}`)
  await expect(page.locator('#trace')).toContainText('lk-ready')
  await logInThere(page, 'Ada')
  await expect(page.locator('#status')).toHaveText('You are logged in.')
  const id = (await page.locator('#user-id').textContent()) ?? ''
  expect(id).toMatch(/^did:latchkey:/)
  await expect(page.locator('#trace')).not.toContainText('lk-open')

  await page.reload()
  await expect(page.locator('#user-id')).toHaveText(id)

  await page.getByRole('button', { name: 'Log out there' }).click()
  await expect(page.locator('#status')).toHaveText('You are logged out.')
  await logInThere(page, 'Ada')
  await expect(page.locator('#user-id')).toHaveText(id)

  // Another person there is another one here, with nothing in between.
  await logInThere(page, 'Grace')
  await expect(page.locator('#user-id')).toHaveText(/^did:latchkey:/)
  await expect(page.locator('#user-id')).not.toHaveText(id)
  expect(problems).toEqual([])
})

test('a page that opens while somebody is in there logs them in by itself @soak', async ({ page, demo }) => {
  await page.goto(`${demo.site}/?app=${app}`)
  await page.evaluate(() => localStorage.setItem('demo:own-login', 'Joan'))
  await page.reload()
  await expect(page.locator('#status')).toHaveText('You are logged in.')
  await expect(page.locator('#trace')).toContainText('lk-login')
})
