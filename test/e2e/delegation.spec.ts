/** A server of the app pays from a user's wallet: with consent, within limits, until the user takes it back. */
import type { Page } from '@playwright/test'
import { parseEther } from 'viem'
import type { LoginModal } from '../../src/index.ts'
import { limit } from '../support/limit.ts'
import { openWindow, pressIn } from './support/approval.ts'
import { open, openCompatible } from './support/apps.ts'
import { expect, test, watchPage } from './support/demo.ts'
import { dialogOf, press } from './support/embedded.ts'
import { modes, newAddress, newSender, soakUnless } from './support/sending.ts'

const apps = { compatible: openCompatible, strict: open } as const

/** The app's server, which is asked for more than its button asks for. */
const pay = (page: Page, order: object): Promise<{ hash?: string; reason?: string; code?: string }> =>
  page.evaluate(async (order) => {
    const login = document.querySelector('login-modal') as LoginModal
    const [permission] = (await login.kit?.permissions.list()) ?? []
    const body = JSON.stringify({ app: login.appId, grant: permission?.id, ...order })
    return (await fetch('/mooring/pay', { method: 'POST', body })).json()
  }, order)
const wei = (ether: string) => String(parseEther(ether))

/** Accepts in the vault's own window, which asks in every app. */
async function accept(page: Page): Promise<void> {
  await page.locator('#delegate').click()
  await pressIn(await openWindow(page, page.context()), 'Accept')
}

for (const mode of modes)
  test(`delegated actions: a server pays within the limits that a user has agreed to, until they stop it, in a ${mode} app${soakUnless(mode === 'compatible')}`, async ({
    browser,
    demo,
  }) => {
    test.skip(!demo.chains[1], 'This machine has no anvil')
    const { page, chain } = await newSender(browser, demo, mode, {
      name: `delegates-${mode}`,
      ether: '1',
      app: apps[mode],
    })
    const problems = watchPage(page)
    const answer = page.locator('#mooring-answer')

    await page.locator('#delegate').click()
    const window = await openWindow(page, page.context())
    await expect(window.getByRole('heading', { name: 'Enable delegated actions' })).toBeVisible({
      timeout: limit(20_000),
    })
    await expect(window.locator('body')).toContainText('Harbour office')
    await expect(window.locator('body')).toContainText('0.03 ETH')
    await pressIn(window, 'Not now')
    await expect(page.locator('#trace')).toContainText('delegateWallet() rejected: delegation_declined')
    expect(await pay(page, { value: '1' })).toMatchObject({ code: 'invalid_order' })

    await accept(page)
    await expect(answer).toHaveText('The harbour office may pay for your mooring.', {
      timeout: limit(20_000),
    })
    await expect(page.getByRole('dialog')).toBeHidden({ timeout: limit(20_000) })

    await page.locator('#pay-mooring').click()
    await expect(answer).toHaveText(/^Paid: 0x[0-9a-f]{64}$/, { timeout: limit(30_000) })
    const hash = ((await answer.textContent()) ?? '').slice('Paid: '.length) as `0x${string}`
    expect(await chain.waitForTransactionReceipt({ hash })).toMatchObject({ status: 'success' })

    const refused = async (order: object) => (await pay(page, order)).reason
    expect(await refused({ value: wei('0.001'), to: newAddress() })).toBe('recipient')
    expect(await refused({ value: wei('0.001'), data: '0xa9059cbb' })).toMatch(/^(call|recipient)$/)
    expect(await refused({ value: wei('0.001'), chain: 'eip155:8453' })).toBe('chain')
    expect(await refused({ value: wei('0.0061') })).toBe('per_transaction')
    expect((await pay(page, { value: wei('0.005') })).hash).toMatch(/^0x/)
    expect(await refused({ value: wei('0.005') })).toBe('per_window')
    expect((await pay(page, { value: wei('0.0001') })).hash).toMatch(/^0x/)
    expect(await refused({ value: wei('0.0001') })).toBe('max_uses')

    await page.locator('#settings').click()
    const section = dialogOf(page).getByRole('region', { name: 'Delegated actions' })
    await section
      .getByRole('button')
      .first()
      .click({ timeout: limit(20_000) })
    await expect(dialogOf(page)).toContainText('Harbour office')
    await press(page, 'Revoke permission')
    await expect(dialogOf(page)).toContainText("can't act with this wallet any more", {
      timeout: limit(20_000),
    })
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden({ timeout: limit(20_000) })
    await page.locator('#pay-mooring').click()
    await expect(answer).toHaveText('Refused: ended', { timeout: limit(20_000) })
    expect(problems.filter((problem) => !/40[03]/.test(problem))).toEqual([])
  })

for (const mode of modes)
  test(`delegated actions: the total of a permission is all that its server can pay, in a ${mode} app @soak`, async ({
    browser,
    demo,
  }) => {
    test.skip(!demo.chains[1], 'This machine has no anvil')
    const { page, chain, address } = await newSender(browser, demo, mode, {
      name: `season-${mode}`,
      ether: '1',
      app: apps[mode],
    })
    const giving = page.evaluate(async () => {
      const login = document.querySelector('login-modal') as LoginModal
      return (await login.kit?.delegateWallet({ permission: 'season' }))?.id
    })
    const window = await openWindow(page, page.context())
    await expect(window.locator('body')).toContainText('Pays for the season')
    await expect(window.locator('body')).toContainText('0.012 ETH')
    await pressIn(window, 'Accept')
    expect(await giving).toBeDefined()
    await expect(page.getByRole('dialog')).toBeHidden({ timeout: limit(20_000) })

    for (let paid = 0; paid < 2; paid++) {
      const { hash } = await pay(page, { value: wei('0.005') })
      expect(hash).toMatch(/^0x/)
      await chain.waitForTransactionReceipt({ hash: hash as `0x${string}` })
    }
    // More than what is left of it, with the fee on top or without.
    for (const value of [wei('0.002'), wei('0.005')])
      expect((await pay(page, { value })).reason).toBe('total')
    const left = await chain.getBalance({ address })
    expect(left).toBeLessThan(parseEther('0.99'))
    expect(left).toBeGreaterThan(parseEther('0.988'))

    await page.locator('#settings').click()
    const section = dialogOf(page).getByRole('region', { name: 'Delegated actions' })
    await section
      .getByRole('button')
      .first()
      .click({ timeout: limit(20_000) })
    await expect(dialogOf(page)).toContainText(/0\.01\d* ETH of 0\.012 ETH/)
  })

test('delegated actions: after a consent that was taken back by the page’s button the server pays no more @soak', async ({
  browser,
  demo,
}) => {
  test.skip(!demo.chains[1], 'This machine has no anvil')
  const { page } = await newSender(browser, demo, 'compatible', {
    name: 'revokes',
    ether: '1',
    app: openCompatible,
  })
  await accept(page)
  const answer = page.locator('#mooring-answer')
  await expect(answer).toHaveText('The harbour office may pay for your mooring.', { timeout: limit(30_000) })
  await expect(page.getByRole('dialog')).toBeHidden({ timeout: limit(20_000) })
  await page.locator('#revoke').click()
  await press(page, 'Confirm')
  await expect(answer).toHaveText('Nobody may pay from your wallets.', { timeout: limit(20_000) })
  await page.locator('#pay-mooring').click()
  await expect(answer).toHaveText('Refused: ended', { timeout: limit(20_000) })
})
