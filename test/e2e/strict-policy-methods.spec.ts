/** The strictest policy that a page can have, over every way in that an app can offer. */
import { expect, test } from './support/demo.ts'
import { untilIdle } from './support/idle.ts'
import { watchViolations } from './support/violations.ts'

const every = 'latchkey-demo-every-00009'

test('no way in violates a strict policy, from its row to its first screen @soak', async ({ page, demo }) => {
  const violations = await watchViolations(page)
  const dialog = page.getByRole('dialog')
  const groups = [undefined, 'Other socials', 'Continue with a wallet']
  const met: string[] = []
  const open = async (group: string | undefined) => {
    const response = await page.goto(`${demo.site}/?app=${every}`)
    const policy = response?.headers()['content-security-policy'] ?? ''
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(policy).not.toMatch(/unsafe-inline|unsafe-eval/)
    await page.locator('#log-in').click()
    await expect(dialog.getByLabel('Email address')).toBeVisible()
    const row = group && dialog.getByRole('button', { name: group })
    if (row && (await row.count()) > 0) await row.click()
    await untilIdle(page)
  }
  const rowsOf = async () =>
    (await dialog.getByRole('button').allInnerTexts())
      .map((text) => text.split('\n')[0]?.trim() ?? '')
      .filter((name) => name !== '' && !/^(Submit|Back|Close)$/.test(name))
  for (const group of groups) {
    await open(group)
    for (const name of await rowsOf()) {
      if (met.includes(name)) continue
      met.push(name)
      await open(group)
      await dialog.getByRole('button', { name, exact: false }).first().click()
      await untilIdle(page)
    }
  }
  console.log(`Strict policy: ${met.length} ways (${met.join(', ')}), ${violations.length} violations`)
  expect(met.length).toBeGreaterThan(12)
  expect(violations).toEqual([])
})
