/** A newcomer sends by the form of the demo's page: to whom, how much, the review, and the receipt. */
import type { Page } from '@playwright/test'
import { createPublicClient, createTestClient, http, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { limit } from '../support/limit.ts'
import { closeReceipt } from './support/approval.ts'
import { keeps } from './support/apps.ts'
import { type Demo, emailOf, expect, logIn, test, watchPage } from './support/demo.ts'

async function enter(page: Page, demo: Demo, name: string): Promise<`0x${string}`> {
  await page.goto(`${demo.site}/?app=${keeps}`)
  await page.locator('#log-in').click()
  await logIn(page, demo, emailOf(name))
  await expect(page.locator('#address')).toHaveText(/^0x/)
  await expect(page.getByRole('dialog')).toBeHidden({ timeout: limit(10_000) })
  return ((await page.locator('#address').textContent()) ?? '0x') as `0x${string}`
}

test('send form: a user sends ether, turns back once, and the recipient is offered the next time @soak', async ({
  page,
  demo,
}) => {
  test.skip(!demo.chains[1], 'This machine has no anvil')
  const problems = watchPage(page)
  const transport = http(demo.chains[1])
  const chain = createPublicClient({ transport })
  const address = await enter(page, demo, 'send-form')
  await createTestClient({ mode: 'anvil', transport }).setBalance({ address, value: parseEther('1') })
  const to = privateKeyToAddress(generatePrivateKey())
  const dialog = page.getByRole('dialog')

  await page.locator('#open-send').click()
  await expect(dialog.getByRole('heading', { name: 'Send', exact: true })).toBeVisible()
  await expect(dialog).toContainText('1 available')
  await dialog.getByRole('textbox').fill(to.slice(0, -1))
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog).toContainText('This address is too short or too long.')
  await dialog.getByRole('textbox').fill(to)
  await dialog.getByRole('button', { name: 'Continue' }).click()

  await expect(dialog.getByRole('heading', { name: 'How much?' })).toBeVisible()
  await dialog.getByRole('textbox').fill('1,304.53')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog).toContainText("Use '.' before the decimals")
  await dialog.getByRole('button', { name: 'Maximum' }).click()
  await expect(dialog.getByRole('textbox')).toHaveValue(/^0\.99\d+$/)
  await dialog.getByRole('textbox').fill('0.25')
  await dialog.getByRole('button', { name: 'Back', exact: true }).click()
  await expect(dialog.getByRole('textbox')).toHaveValue(to)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByRole('textbox')).toHaveValue('0.25')
  await dialog.getByRole('button', { name: 'Continue' }).click()

  await expect(dialog.getByRole('heading', { name: 'Transfer' })).toBeVisible()
  await expect(dialog).toContainText(/0\.25\s*ETH/)
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await closeReceipt(page)
  await expect(page.locator('#sent')).toHaveText(/^0x[0-9a-f]{64}$/)
  expect(await chain.getBalance({ address: to })).toBe(parseEther('0.25'))

  await page.locator('#open-send').click()
  await dialog.getByRole('region', { name: 'Sent to before' }).getByRole('button').click()
  await expect(dialog.getByRole('textbox')).toHaveValue(to)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  expect(problems).toEqual([])
})
