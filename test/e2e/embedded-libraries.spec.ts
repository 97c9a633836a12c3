/** Libraries that know nothing of Latchkey find the embedded wallets, and drive them by what the standards say. */

import type { Page } from '@playwright/test'
import { type Address, createTestClient, http, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import type { EmbeddedLibraries } from '../support/embedded-libraries/page.ts'
import { limit } from '../support/limit.ts'
import { closeReceipt } from './support/approval.ts'
import { keeps, keepsName } from './support/apps.ts'
import { type Demo, emailOf, expect, logIn, test, watchPage } from './support/demo.ts'
import { serveBundle } from './support/page-bundle.ts'

declare const embeddedLibraries: EmbeddedLibraries

const nothing = { ethereum: [], solana: [] }

/** Opens the app's page with its libraries in it; nobody is logged in. */
async function open(page: Page, demo: Demo): Promise<void> {
  await serveBundle(page, 'embedded-libraries/page.ts', 'libraries.js')
  await page.goto(`${demo.site}/?app=${keeps}`)
  await page.evaluate(() => import(String('/libraries.js')).then(() => {}))
}

async function enter(page: Page, demo: Demo, email: string): Promise<void> {
  await page.locator('#log-in').click()
  await logIn(page, demo, email)
  await expect(page.locator('#address')).toHaveText(/^0x/)
  await expect(page.getByRole('dialog')).toBeHidden({ timeout: limit(10_000) })
}
const found = (page: Page) => page.evaluate(() => embeddedLibraries.found())

/** Does something whose dialog a person reads and agrees to. */
async function agreed<T>(
  page: Page,
  work: Promise<T>,
  heading: string,
  button: string,
  isSent = false,
): Promise<T> {
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('heading', { name: heading })).toBeVisible()
  await dialog.getByRole('button', { name: button }).click()
  const done = await work
  if (isSent) await closeReceipt(page)
  await expect(dialog).toBeHidden()
  return done
}

test('mipd and viem find the wallet after login, sign typed data, send and move to another chain @soak', async ({
  page,
  demo,
}) => {
  test.skip(!demo.chains[8453], 'This machine has no anvil')
  const problems = watchPage(page)
  await open(page, demo)
  expect(await found(page)).toEqual(nothing)
  await enter(page, demo, emailOf('mipd'))
  const address = ((await page.locator('#address').textContent()) ?? '') as Address
  await expect
    .poll(() => found(page))
    .toEqual({
      ethereum: [[keepsName, `localhost.latchkey.${keeps}`, 'data:image/']],
      solana: [],
    })
  expect(await page.evaluate(() => embeddedLibraries.connect())).toEqual([address])

  const signing = page.evaluate(() => embeddedLibraries.signTypedData())
  expect(await agreed(page, signing, 'Sign message', 'Sign and continue')).toBe(true)

  const to = privateKeyToAddress(generatePrivateKey())
  await createTestClient({ mode: 'anvil', transport: http(demo.chains[1]) }).setBalance({
    address,
    value: parseEther('1'),
  })
  const sending = page.evaluate((to) => embeddedLibraries.send(to, '250000000000000000'), to)
  await expect(page.getByRole('dialog')).toContainText(/0\.25\s*ETH/)
  expect(await agreed(page, sending, 'Transfer', 'Approve', true)).toEqual(['success', '250000000000000000'])

  expect(await page.evaluate(() => embeddedLibraries.moveTo(8453))).toBe(8453)
  expect(await page.evaluate(() => embeddedLibraries.heard())).toEqual(['chainChanged "0x2105"'])
  expect(await page.evaluate(() => embeddedLibraries.failure('eth_getWork'))).toBe(4200)
  expect(
    await page.evaluate(() => embeddedLibraries.failure('wallet_switchEthereumChain', [{ chainId: '0xa' }])),
  ).toBe(4902)

  const refusing = page.evaluate(
    (address) => embeddedLibraries.failure('personal_sign', ['0x48656c6c6f', address]),
    address,
  )
  expect(await agreed(page, refusing, 'Sign message', 'Cancel')).toBe(4001)

  await page.locator('#log-out').click()
  await expect(page.locator('#status')).toHaveText('You are logged out.')
  expect(await page.evaluate(() => embeddedLibraries.failure('eth_requestAccounts'))).toBe(4900)
  expect((await page.evaluate(() => embeddedLibraries.heard())).slice(1)).toEqual([
    'accountsChanged []',
    'disconnect 4900',
  ])
  expect(problems).toEqual([])
})

test('a library that comes after a logout finds nothing; one that was there has the next login @soak', async ({
  page,
  demo,
}) => {
  await open(page, demo)
  await enter(page, demo, emailOf('again'))
  await expect.poll(async () => (await found(page)).ethereum).toHaveLength(1)
  await page.reload()
  await page.evaluate(() => import(String('/libraries.js')).then(() => {}))
  await expect.poll(async () => (await found(page)).ethereum).toHaveLength(1)
  const [address] = await page.evaluate(() => embeddedLibraries.connect())
  await page.locator('#log-out').click()
  await expect(page.locator('#status')).toHaveText('You are logged out.')
  await enter(page, demo, emailOf('again'))
  await expect
    .poll(() => page.evaluate(() => embeddedLibraries.heard()))
    .toEqual([
      'accountsChanged []',
      'disconnect 4900',
      expect.stringMatching(/^connect /),
      `accountsChanged ["${address}"]`,
    ])
  await page.locator('#log-out').click()
  await expect(page.locator('#status')).toHaveText('You are logged out.')
  await page.reload()
  await page.evaluate(() => import(String('/libraries.js')).then(() => {}))
  expect(await found(page)).toEqual(nothing)
})

test('the Wallet Standard and web3.js find the Solana wallet, sign and send both kinds of transactions @soak', async ({
  page,
  demo,
}) => {
  const problems = watchPage(page)
  await open(page, demo)
  await enter(page, demo, emailOf('standard'))
  await page.getByRole('button', { name: 'Create Solana wallet' }).click()
  await expect.poll(async () => (await found(page)).solana).toEqual([[keepsName, 1]])
  const dialog = page.getByRole('dialog')
  if (await dialog.isVisible()) await expect(dialog).toBeHidden({ timeout: limit(10_000) })

  const url = demo.solanaRpcUrl
  expect(await page.evaluate((url) => embeddedLibraries.airdrop(url), url)).toMatch(
    /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
  )
  const signing = page.evaluate((url) => embeddedLibraries.signSolana(url), url)
  await expect(dialog).toContainText('Hello from Solana')
  expect(await agreed(page, signing, 'Sign message', 'Sign and continue')).toBe(true)

  for (const kind of ['signed here', 'sent by the wallet'] as const) {
    const sending = page.evaluate(([url, kind]) => embeddedLibraries.sendSolana(url, kind), [
      url,
      kind,
    ] as const)
    await expect(dialog).toContainText(/0\.25\s*SOL/)
    const isSent = kind === 'sent by the wallet'
    expect(await agreed(page, sending, 'Transfer', 'Approve', isSent)).toBe(250_000_000)
  }

  await page.locator('#log-out').click()
  await expect.poll(() => found(page)).toMatchObject({ solana: [] })
  expect(problems).toEqual([])
})
