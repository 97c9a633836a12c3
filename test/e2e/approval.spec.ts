/** What people sign in an app whose keys only the vault's own frame and window may use. */
import type { Page } from '@playwright/test'
import { verifyTypedData } from 'viem'
import type { LoginModal } from '../../src/index.ts'
import { emailOf, expect, test } from './support/demo.ts'
import { dialogOf, makeStrict, newDevice, untilClosed } from './support/embedded.ts'

const frameOf = (page: Page) => dialogOf(page).frameLocator('iframe')
/** As long as a person looks at what they approve, at least. */
const look = (page: Page) => page.waitForTimeout(1_000)

/** Has the page's code ask for something, and keeps what comes of it. */
const ask = (page: Page, request: { method: string; params: unknown[] }) =>
  page.evaluate(async (request) => {
    const { kit } = document.querySelector('login-modal') as LoginModal
    const [own] = kit?.embeddedWallets.get() ?? []
    const provider = own?.getProvider() as unknown as { request(asked: object): Promise<string> }
    return provider.request(request).then(
      (answer) => ({ answer, code: undefined }),
      (error: { code: number }) => ({ answer: undefined, code: error.code }),
    )
  }, request)

test('a message is signed by a press in the vault’s own frame', async ({ browser, demo }) => {
  const { page } = await newDevice(browser, demo, emailOf('approves'))
  await makeStrict(page)
  const address = ((await page.locator('#address').textContent()) ?? '') as `0x${string}`
  await page.getByRole('button', { name: 'Sign', exact: true }).click()
  const frame = frameOf(page)
  await expect(frame.getByText(new URL(demo.site).origin)).toBeVisible()
  await look(page)
  await frame.getByRole('button', { name: 'Sign and continue' }).click()
  await expect(page.locator('#signature')).toHaveText(/^0x[0-9a-f]{130}$/, { timeout: 20_000 })
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page.locator('#verdict')).toHaveText(`Valid: signed by ${address}`)
  await untilClosed(page)
})

test('a press on a frame that is covered signs nothing, and says so', async ({ browser, demo }) => {
  const { page } = await newDevice(browser, demo, emailOf('hurries'))
  await makeStrict(page)
  await page.getByRole('button', { name: 'Sign', exact: true }).click()
  const frame = frameOf(page)
  await frame.getByRole('button', { name: 'Sign and continue' }).waitFor()
  // What covers the frame is the page's, and lets every press through.
  await page.evaluate(() => {
    const cover = document.createElement('div')
    cover.style.cssText = 'position:fixed;inset:0;pointer-events:none;background:rgb(255 255 255/.5)'
    cover.popover = 'manual'
    document.body.append(cover)
    cover.showPopover()
  })
  await look(page)
  await frame.getByRole('button', { name: 'Sign and continue' }).click()
  await expect(frame.getByText('Something may have covered this request.')).toBeVisible()
  await expect(page.locator('#signature')).toHaveText('')
  await frame.getByRole('button', { name: 'Close' }).click()
  await untilClosed(page)
})

test('no is no: the page gets 4001 from each of the ways to say it', async ({ browser, demo }) => {
  const { page } = await newDevice(browser, demo, emailOf('declines'))
  await makeStrict(page)
  const address = await page.locator('#address').textContent()
  for (const leave of ['Cancel', 'Close', 'Escape']) {
    const asked = ask(page, { method: 'personal_sign', params: ['0x6869', address] })
    const frame = frameOf(page)
    await frame.getByRole('button', { name: 'Cancel' }).waitFor()
    await look(page)
    if (leave === 'Escape') await page.keyboard.press('Escape')
    else await frame.getByRole('button', { name: leave }).click()
    expect((await asked).code).toBe(4001)
    await untilClosed(page)
  }
})

test('typed data that nobody can name is approved in a window of the vault', async ({ browser, demo }) => {
  const { page, context } = await newDevice(browser, demo, emailOf('windows'))
  await makeStrict(page)
  const address = ((await page.locator('#address').textContent()) ?? '') as `0x${string}`
  const typed = {
    domain: { name: 'Ether Mail', version: '1', chainId: 1 },
    primaryType: 'Mail',
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'version', type: 'string' },
        { name: 'chainId', type: 'uint256' },
      ],
      Mail: [{ name: 'contents', type: 'string' }],
    },
    message: { contents: 'Hello, Bob!' },
  } as const
  const chain = await ask(page, { method: 'eth_chainId', params: [] })
  const data = { ...typed, domain: { ...typed.domain, chainId: Number(chain.answer) } }
  const asked = ask(page, { method: 'eth_signTypedData_v4', params: [address, data] })
  const frame = frameOf(page)
  await frame.getByRole('button', { name: 'Continue in a new window' }).waitFor()
  await look(page)
  const opening = context.waitForEvent('page')
  await frame.getByRole('button', { name: 'Continue in a new window' }).click()
  const window = await opening
  await expect(window.getByText('Hello, Bob!')).toBeVisible()
  expect(new URL(window.url()).hash).toBe('')
  await look(window)
  await window.getByRole('button', { name: 'Sign and continue' }).click()
  const { answer } = await asked
  expect(await verifyTypedData({ ...data, address, signature: answer as `0x${string}` } as never)).toBe(true)
  await untilClosed(page)
  expect(window.isClosed()).toBe(true)
})

test('a window that is closed has said no', async ({ browser, demo }) => {
  const { page, context } = await newDevice(browser, demo, emailOf('shuts'))
  await makeStrict(page)
  const address = await page.locator('#address').textContent()
  // Bytes that are no text.
  const asked = ask(page, { method: 'personal_sign', params: [`0x${'80'.repeat(32)}`, address] })
  const frame = frameOf(page)
  await frame.getByRole('button', { name: 'Continue in a new window' }).waitFor()
  await look(page)
  const opening = context.waitForEvent('page')
  await frame.getByRole('button', { name: 'Continue in a new window' }).click()
  const window = await opening
  await window.getByRole('button', { name: 'Sign and continue' }).waitFor()
  await window.close()
  expect((await asked).code).toBe(4001)
  await untilClosed(page)
})
