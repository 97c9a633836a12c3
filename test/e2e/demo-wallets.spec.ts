import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { verifyMessage } from 'viem'
import { expect, test, watchPage } from './support/demo.ts'
import { askedOf, giveWallets, tellWallet } from './support/wallets.ts'

const app = 'latchkey-demo-wallets-012'
const message = 'Hello from a page'

/** Asks the wallet of that name as any page would that has heard it announce itself. */
const ask = (page: Page, name: string, method: string, params: unknown[] = []) =>
  page.evaluate(
    ([name, method, params]) =>
      new Promise((resolve, reject) => {
        const hear = (event: Event) => {
          const { info, provider } = (event as CustomEvent).detail
          if (info.name !== name) return
          window.removeEventListener('eip6963:announceProvider', hear)
          provider.request({ method, params }).then(resolve, (cause: { code: number }) => reject(cause.code))
        }
        window.addEventListener('eip6963:announceProvider', hear)
        window.dispatchEvent(new Event('eip6963:requestProvider'))
      }),
    [name, method, params] as const,
  )

test('somebody without any extension has wallets here, and is asked @soak', async ({ page, demo }) => {
  const violations: string[] = []
  await page.exposeFunction('violated', (text: string) => violations.push(text))
  await page.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', (event) => {
      const report = (window as unknown as { violated(text: string): void }).violated
      report(`${event.effectiveDirective}: ${event.blockedURI}`)
    }),
  )
  const problems = watchPage(page)
  await page.goto(`${demo.site}/?app=${app}`)
  // What a page has open must not be in the way of a wallet.
  await page.evaluate(() => {
    const dialog = document.createElement('dialog')
    dialog.textContent = 'A dialog of the page'
    document.body.append(dialog)
    dialog.showModal()
  })
  const name = 'Demo Ethereum Wallet'
  const prompt = page.getByRole('dialog', { name })

  const refused = ask(page, name, 'eth_requestAccounts').catch((cause: Error) => cause.message)
  await expect(prompt).toContainText('Connect to this page?')
  await prompt.getByRole('button', { name: 'Reject' }).click()
  expect(await refused).toContain('4001')
  const escaped = ask(page, name, 'eth_requestAccounts').catch((cause: Error) => cause.message)
  await expect(prompt).toBeVisible()
  await page.keyboard.press('Escape')
  expect(await escaped).toContain('4001')

  const opening = ask(page, name, 'eth_requestAccounts')
  await prompt.getByRole('button', { name: 'Approve' }).click()
  const [address] = (await opening) as [`0x${string}`]
  const hex = `0x${Buffer.from(message).toString('hex')}`
  const signing = ask(page, name, 'personal_sign', [hex, address])
  await expect(prompt).toContainText(message)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const { violations } = await new AxeBuilder({ page }).include('div:has(> dialog), dialog').analyze()
    expect(violations.map(({ id }) => id)).toEqual([])
    if (process.env.LATCHKEY_SHOTS)
      await page.screenshot({ path: `${process.env.LATCHKEY_SHOTS}/prompt-${colorScheme}.png` })
  }
  await prompt.getByRole('button', { name: 'Approve' }).click()
  const signature = (await signing) as `0x${string}`
  expect(await verifyMessage({ address, message, signature })).toBe(true)
  await expect(prompt).toBeHidden()
  await expect(page.getByText('A dialog of the page')).toBeVisible()

  test.skip(!demo.chains[1], 'This machine has no anvil')
  expect(await ask(page, name, 'eth_blockNumber')).toMatch(/^0x/)
  expect(violations).toEqual([])
  expect(problems).toEqual([])
})

test('a test brings its own wallets, which do as they are told @soak', async ({ page, demo }) => {
  await giveWallets(page, {
    ethereum: [{ name: 'MetaMask', rdns: 'io.metamask' }],
    solana: [{ name: 'Phantom' }],
    chains: demo.chains,
  })
  await page.goto(`${demo.site}/?app=${app}`)
  expect(await page.evaluate(() => Object.keys(window.demoWallets ?? {}))).toEqual(['MetaMask', 'Phantom'])
  await tellWallet(page, 'MetaMask', 'next', 'reject')
  const refused = ask(page, 'MetaMask', 'eth_requestAccounts').catch((cause: Error) => cause.message)
  expect(await refused).toContain('4001')
  const accounts = await ask(page, 'MetaMask', 'eth_requestAccounts')
  expect(accounts).toHaveLength(1)
  expect(await askedOf(page, 'MetaMask')).toEqual(
    expect.arrayContaining(['eth_requestAccounts', 'eth_requestAccounts']),
  )
  await page.reload()
  expect(await ask(page, 'MetaMask', 'eth_accounts')).toEqual(accounts)
})
