import { approve } from './support/approval.ts'
import { openPage } from './support/apps.ts'
import { emailOf, expect, logIn, test } from './support/demo.ts'
import { watchViolations } from './support/violations.ts'

/** The demo's host page is served under the strictest policy; the trusted-types part is as strict as it can be. */
test('a page under a strict policy meets no violation on the whole way', async ({ page, demo }) => {
  const violations = await watchViolations(page)
  const response = await page.goto(openPage(demo))
  const policy = response?.headers()['content-security-policy'] ?? ''
  for (const part of [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "require-trusted-types-for 'script'",
  ])
    expect(policy).toContain(part)

  await page.locator('#log-in').click()
  await logIn(page, demo, emailOf('strict'))
  await expect(page.locator('#address')).toHaveText(/^0x/)
  await page.getByRole('button', { name: 'Sign', exact: true }).click()
  await approve(page)
  await expect(page.locator('#signature')).toHaveText(/^0x/)
  await page.locator('#log-out').click()
  await expect(page.locator('#status')).toHaveText('You are logged out.')
  console.log(`Strict policy: ${violations.length} violations`)
  expect(violations).toEqual([])
})
