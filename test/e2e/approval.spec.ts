/** What people sign in an app whose keys only the vault's own frame and window may use. */

import type { Page } from '@playwright/test'
import { Connection, Keypair, LAMPORTS_PER_SOL, PublicKey, SystemProgram, Transaction } from '@solana/web3.js'
import { type Address, createPublicClient, createTestClient, http, parseEther, verifyTypedData } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import type { LoginModal } from '../../src/index.ts'
import { limit } from '../support/limit.ts'
import { ownSignIn } from '../support/own-sign-in.ts'
import { typedDataOf } from '../support/typed-data.ts'
import { closeReceipt, frameOf, look, openWindow, pressIn } from './support/approval.ts'
import { open } from './support/apps.ts'
import { emailOf, expect, test } from './support/demo.ts'
import {
  createBy,
  deviceWithWallet,
  dialogOf,
  signOnSolana,
  untilClosed,
  writeSignIn,
} from './support/embedded.ts'
import { nextFrame } from './support/idle.ts'

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

test('a sign-in at the page itself is signed by a press in the vault’s own frame @soak', async ({
  browser,
  demo,
}) => {
  const { page } = await deviceWithWallet(browser, demo, emailOf('approves'), open)
  const address = ((await page.locator('#address').textContent()) ?? '') as `0x${string}`
  await writeSignIn(page)
  await page.getByRole('button', { name: 'Sign', exact: true }).click()
  const frame = frameOf(page)
  await expect(frame.getByText(new URL(demo.site).origin, { exact: true })).toBeVisible()
  await look(page)
  await frame.getByRole('button', { name: 'Sign and continue' }).click()
  await expect(page.locator('#signature')).toHaveText(/^0x[0-9a-f]{130}$/)
  await page.getByRole('button', { name: 'Verify', exact: true }).click()
  await expect(page.locator('#verdict')).toHaveText(`Valid: signed by ${address}`)
  await untilClosed(page)
})

test('a plain text is signed by a press in the window of the vault @soak', async ({ browser, demo }) => {
  const { page, context } = await deviceWithWallet(browser, demo, emailOf('texts'), open)
  const address = await addressOf(page)
  await page.getByRole('button', { name: 'Sign', exact: true }).click()
  await frameOf(page).getByRole('button', { name: 'Continue in a new window' }).waitFor()
  await expect(frameOf(page).getByRole('button', { name: 'Sign and continue' })).toHaveCount(0)
  const window = await openWindow(page, context)
  await expect(window.getByText('I am trying Latchkey.')).toBeVisible()
  await pressIn(window, 'Sign and continue')
  await page.getByRole('button', { name: 'Verify', exact: true }).click()
  await expect(page.locator('#verdict')).toHaveText(`Valid: signed by ${address}`)
  await untilClosed(page)
})

test('a press on a frame that is covered signs nothing, and says so @soak', async ({ browser, demo }) => {
  const { page } = await deviceWithWallet(browser, demo, emailOf('hurries'), open)
  await writeSignIn(page)
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
  await expect(frame.locator('[data-hold=covered]')).toHaveCount(1)
  // It takes no press, and says why to whoever presses it nevertheless.
  await frame.getByRole('button', { name: 'Sign and continue' }).click({ force: true })
  await expect(frame.getByText('Something may have covered this request.').first()).toBeVisible()
  await expect(page.locator('#signature')).toHaveText('')
  await frame.getByRole('button', { name: 'Close' }).click()
  await untilClosed(page)
})

test('no is no: the page gets 4001 from each of the ways to say it @soak', async ({ browser, demo }) => {
  const { page } = await deviceWithWallet(browser, demo, emailOf('declines'), open)
  const address = await addressOf(page)
  for (const leave of ['Cancel', 'Close', 'Escape']) {
    const asked = ask(page, { method: 'personal_sign', params: [ownSignIn(page.url(), address), address] })
    const frame = frameOf(page)
    await frame.getByRole('button', { name: 'Cancel' }).waitFor()
    await look(page)
    if (leave === 'Escape') await page.keyboard.press('Escape')
    else await frame.getByRole('button', { name: leave }).click()
    expect((await asked).code).toBe(4001)
    await untilClosed(page)
  }
})

/** Typed data of one struct, on the chain that the page's wallet is on. */
async function typedFor(page: Page, primaryType: string, fields: Parameters<typeof typedDataOf>[1]) {
  const chain = await ask(page, { method: 'eth_chainId', params: [] })
  return typedDataOf(primaryType, fields, { chainId: Number(chain.answer) })
}
const addressOf = async (page: Page) =>
  ((await page.locator('#address').textContent()) ?? '') as `0x${string}`
const spender = '0xE592427A0AEce92De3Edee1F18E0157C05861564'

test('approval: typed data of any shape is approved in the window @soak', async ({ browser, demo }) => {
  const { page, context } = await deviceWithWallet(browser, demo, emailOf('mails'), open)
  const address = await addressOf(page)
  const data = await typedFor(page, 'Mail', { contents: ['string', 'Hello, Bob!'] })
  const asked = ask(page, { method: 'eth_signTypedData_v4', params: [address, data] })
  const window = await openWindow(page, context)
  await expect(window.getByText('Hello, Bob!')).toBeVisible()
  await pressIn(window, 'Sign and continue')
  const { answer } = await asked
  expect(await verifyTypedData({ ...data, address, signature: answer as `0x${string}` } as never)).toBe(true)
  await untilClosed(page)
})

test('typed data that lets somebody act for the person is approved in a window of the vault @soak', async ({
  browser,
  demo,
}) => {
  const { page, context } = await deviceWithWallet(browser, demo, emailOf('windows'), open)
  const address = await addressOf(page)
  const data = await typedFor(page, 'Delegation', { delegate: ['address', spender] })
  const asked = ask(page, { method: 'eth_signTypedData_v4', params: [address, data] })
  const window = await openWindow(page, context)
  await expect(window.getByText('Delegation')).toBeVisible()
  await expect(window).toHaveTitle(/^Review this signature – /)
  expect(new URL(window.url()).hash).toBe('')
  await frameOf(page).getByRole('button', { name: 'Show the window' }).click()
  await look(window)
  await window.getByRole('button', { name: 'Sign and continue' }).click()
  const { answer } = await asked
  expect(await verifyTypedData({ ...data, address, signature: answer as `0x${string}` } as never)).toBe(true)
  await untilClosed(page)
  expect(window.isClosed()).toBe(true)
})

test('a press on a frame that was just moved under the pointer signs nothing @soak', async ({
  browser,
  demo,
}) => {
  const { page } = await deviceWithWallet(browser, demo, emailOf('moves'), open)
  await writeSignIn(page)
  await page.getByRole('button', { name: 'Sign', exact: true }).click()
  const agree = frameOf(page).getByRole('button', { name: 'Sign and continue' })
  await agree.waitFor()
  await look(page)
  const box = await agree.boundingBox()
  if (!box) throw new Error('the button is not drawn')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2 - 120]
  await page.mouse.move(x, y)
  await look(page)
  // The button comes to where the pointer waits.
  await dialogOf(page).evaluate((dialog) => {
    ;(dialog as HTMLElement).style.translate = '0 -120px'
  })
  await nextFrame(page)
  await page.mouse.down()
  await page.mouse.up()
  // The frame has refused the press, and says so.
  await expect(
    frameOf(page)
      .getByText(/press again/)
      .first(),
  ).toBeVisible()
  await expect(page.locator('#signature')).toHaveText('')
  await page.keyboard.press('Escape')
})

test('a browser that can’t tell what people see signs in the window @soak', async ({ browser, demo }) => {
  const { page, context } = await deviceWithWallet(browser, demo, emailOf('elsewhere'), open)
  await context.addInitScript(() => {
    delete (IntersectionObserverEntry.prototype as { isVisible?: unknown }).isVisible
  })
  await page.reload()
  await expect(page.locator('#address')).toHaveText(/^0x/)
  await writeSignIn(page)
  await page.getByRole('button', { name: 'Sign', exact: true }).click()
  const frame = frameOf(page)
  await expect(frame.getByText('Your browser shows wallet requests in a window of their own.')).toBeVisible()
  await look(page)
  const opening = context.waitForEvent('page')
  await frame.getByRole('button', { name: 'Continue in a new window' }).click()
  const window = await opening
  const agree = window.getByRole('button', { name: 'Sign and continue' })
  await agree.waitFor()
  // By the keyboard alone. A key just after the focus has come is refused, and pressed again; the last one may close the window.
  await agree.focus()
  await expect(async () => {
    if (!window.isClosed()) await look(window)
    await window.keyboard.press('Enter').catch(() => {})
    await expect(page.locator('#signature')).toHaveText(/^0x[0-9a-f]{130}$/, { timeout: limit(3_000) })
  }).toPass({ timeout: limit(40_000) })
  await untilClosed(page)
})

test('a window that the browser blocks can be tried again @soak', async ({ browser, demo }) => {
  const { page, context } = await deviceWithWallet(browser, demo, emailOf('blocked'), open)
  await context.addInitScript(() => {
    const open = globalThis.open.bind(globalThis)
    let tries = 0
    globalThis.open = (...asked: Parameters<typeof open>) => (tries++ === 0 ? null : open(...asked))
  })
  await page.reload()
  await expect(page.locator('#address')).toHaveText(/^0x/)
  const asked = ask(page, {
    method: 'personal_sign',
    params: [`0x${'80'.repeat(32)}`, await addressOf(page)],
  })
  const frame = frameOf(page)
  const go = frame.getByRole('button', { name: 'Continue in a new window' })
  await go.waitFor()
  await look(page)
  await go.click()
  await expect(frame.getByRole('alert')).toContainText('Your browser blocked the window.')
  await look(page)
  const opening = context.waitForEvent('page')
  await go.click()
  const window = await opening
  await window.getByRole('button', { name: 'Sign and continue' }).waitFor()
  await look(window)
  await window.getByRole('button', { name: 'Sign and continue' }).click()
  expect((await asked).answer).toMatch(/^0x/)
})

test('a window goes with its page, and its address alone is good for nothing @soak', async ({
  browser,
  demo,
}) => {
  const { page, context } = await deviceWithWallet(browser, demo, emailOf('orphan'), open)
  void ask(page, { method: 'personal_sign', params: [`0x${'80'.repeat(32)}`, await addressOf(page)] }).catch(
    () => {},
  )
  const go = frameOf(page).getByRole('button', { name: 'Continue in a new window' })
  await go.waitFor()
  await look(page)
  const opening = context.waitForEvent('page')
  await go.click()
  const window = await opening
  await window.getByRole('button', { name: 'Sign and continue' }).waitFor()
  const address = window.url()
  await page.goto('about:blank')
  await expect(window.getByRole('heading', { name: 'This request has ended' })).toBeVisible()
  const alone = await context.newPage()
  await alone.goto(address)
  await expect(alone.getByRole('heading', { name: 'Nothing to approve here' })).toBeVisible()
})

test('the host learns how a person asked for the dialog to be closed @soak', async ({ browser, demo }) => {
  const { page } = await deviceWithWallet(browser, demo, emailOf('leaves'), open)
  await page.evaluate(() => {
    const reasons: string[] = []
    Object.assign(window, { reasons })
    const note = (event: Event) => reasons.push((event as CustomEvent<{ reason: string }>).detail.reason)
    document.addEventListener('lk-close-request', note, { capture: true })
  })
  const address = await addressOf(page)
  for (const leave of ['Close', 'Escape']) {
    const asked = ask(page, {
      method: 'personal_sign',
      params: [ownSignIn(page.url(), address), address],
    })
    const frame = frameOf(page)
    await frame.getByRole('button', { name: 'Cancel' }).waitFor()
    await look(page)
    if (leave === 'Escape') await page.keyboard.press('Escape')
    else await frame.getByRole('button', { name: leave }).click()
    await asked
    await untilClosed(page)
  }
  expect(await page.evaluate(() => (window as unknown as { reasons: string[] }).reasons)).toEqual([
    'button',
    'escape',
  ])
})

const leaves: Record<string, (window: Page, site: string) => Promise<unknown>> = {
  closed: (window) => window.close(),
  reloaded: (window) => window.reload(),
  'led elsewhere': (window, site) => window.goto(site),
}
for (const [how, leave] of Object.entries(leaves))
  test(`approval window: the page offers it again, after it was ${how} @soak`, async ({ browser, demo }) => {
    const { page, context } = await deviceWithWallet(browser, demo, emailOf('shuts'), open)
    const address = await page.locator('#address').textContent()
    // Bytes that are no text.
    const asked = ask(page, { method: 'personal_sign', params: [`0x${'80'.repeat(32)}`, address] })
    const window = await openWindow(page, context)
    await window.getByRole('button', { name: 'Sign and continue' }).waitFor()
    await leave(window, demo.site)
    await frameOf(page).getByRole('button', { name: 'Open again' }).waitFor()
    if (how === 'reloaded')
      await expect(window.getByRole('heading', { name: 'This window was reloaded' })).toBeVisible()
    await frameOf(page).getByRole('button', { name: 'Cancel' }).click()
    expect((await asked).code).toBe(4001)
    await untilClosed(page)
    if (how !== 'reloaded') return
    // The page may close the window while it is looked at.
    const sign = window.getByRole('button', { name: 'Sign and continue' })
    const signs = () =>
      sign.count().catch((error: unknown) => (window.isClosed() ? 0 : Promise.reject(error)))
    await expect.poll(signs).toBe(0)
  })

test('approval: a transaction is sent by a press in the window, which shows what it sends @soak', async ({
  browser,
  demo,
}) => {
  test.skip(!demo.chains[1], 'This machine has no anvil')
  const { page, context } = await deviceWithWallet(browser, demo, emailOf('sends'), open)
  const from = await addressOf(page)
  const to = privateKeyToAddress(generatePrivateKey()) as Address
  const transport = http(demo.chains[1])
  await createTestClient({ mode: 'anvil', transport }).setBalance({ address: from, value: parseEther('1') })
  await ask(page, { method: 'wallet_switchEthereumChain', params: [{ chainId: '0x1' }] })
  const value = parseEther('0.25')
  const asked = ask(page, {
    method: 'eth_sendTransaction',
    params: [{ from, to, value: `0x${value.toString(16)}` }],
  })
  const window = await openWindow(page, context)
  await expect(window.getByText(/0\.25\s*ETH/).first()).toBeVisible()
  await pressIn(window, 'Approve')
  const { answer } = await asked
  const chain = createPublicClient({ transport })
  await chain.waitForTransactionReceipt({ hash: answer as `0x${string}` })
  expect(await chain.getBalance({ address: to })).toBe(value)
  await closeReceipt(page)
  await untilClosed(page)
  await context.close()
})

test('approval: a Solana message is signed and a transaction sent in the window @soak', async ({
  browser,
  demo,
}) => {
  const { page, context } = await deviceWithWallet(browser, demo, emailOf('solana'), open)
  const address = await createBy(page, '#create-solana')
  await signOnSolana(page, address)

  const connection = new Connection(demo.solanaRpcUrl, 'confirmed')
  const from = new PublicKey(address)
  const to = Keypair.generate().publicKey
  await connection.confirmTransaction({
    signature: await connection.requestAirdrop(from, LAMPORTS_PER_SOL),
    ...(await connection.getLatestBlockhash()),
  })
  const transaction = new Transaction({ feePayer: from, ...(await connection.getLatestBlockhash()) }).add(
    SystemProgram.transfer({ fromPubkey: from, toPubkey: to, lamports: LAMPORTS_PER_SOL / 4 }),
  )
  const bytes = Array.from(transaction.serialize({ requireAllSignatures: false }))
  const sent = page.evaluate(
    async ([address, bytes]) => {
      const { kit } = document.querySelector('login-modal') as LoginModal
      const own = kit?.embeddedWallets.get().find((each) => each.address === address)
      if (!own) throw new Error(`The page has no wallet ${address}`)
      const { wallet, account } = own.getProvider() as unknown as {
        account: object
        wallet: { features: Record<string, { signAndSendTransaction(asked: object): Promise<unknown> }> }
      }
      const asked = { account, transaction: new Uint8Array(bytes), chain: 'solana:mainnet' }
      await wallet.features['solana:signAndSendTransaction']?.signAndSendTransaction({
        ...asked,
        options: { commitment: 'confirmed' },
      })
    },
    [address, bytes] as const,
  )
  const window = await openWindow(page, context)
  await expect(window.getByText(/0\.25\s*SOL/).first()).toBeVisible()
  await pressIn(window, 'Approve')
  await sent
  expect(await connection.getBalance(to)).toBe(LAMPORTS_PER_SOL / 4)
  await closeReceipt(page)
  await untilClosed(page)
  await context.close()
})
