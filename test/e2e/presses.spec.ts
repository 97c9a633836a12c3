import { expect, test } from './support/demo.ts'
import { untilIdle } from './support/idle.ts'

const every = 'latchkey-demo-every-00009'

test.describe('a press that comes twice counts once', () => {
  test('on the row of other socials, and not for what stands there afterwards @soak', async ({
    page,
    demo,
  }) => {
    await page.goto(`${demo.site}/?app=${every}`)
    await page.locator('#log-in').click()
    await page.getByRole('button', { name: 'Other socials' }).dblclick()
    await expect(page.getByRole('button', { name: 'Instagram' })).toBeVisible()
    await untilIdle(page)
    await expect(page.getByRole('button', { name: 'Instagram' })).toBeVisible()
    await expect(page.locator('#trace')).not.toContainText('awaiting-oauth')
  })

  test('on the host’s own button, and leaves the dialog open @soak', async ({ page, demo }) => {
    await page.goto(demo.site)
    await page.locator('#log-in').dblclick()
    await expect(page.getByLabel('Email address')).toBeVisible()
    await untilIdle(page)
    await expect(page.getByLabel('Email address')).toBeVisible()
    await expect(page.locator('#trace')).not.toContainText('lk-close')
  })
})
