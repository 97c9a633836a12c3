/** What is done in the vault's own window alone: keys that leave, keys that come in, and devices that go. */

import { base58 } from '@scure/base'
import { Keypair } from '@solana/web3.js'
import { generatePrivateKey, mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import type { LoginModal } from '../../src/index.ts'
import { limit } from '../support/limit.ts'
import { approve, frameOf, inWindow, look, openWindow, pressIn } from './support/approval.ts'
import { strictKeeps } from './support/apps.ts'
import { emailOf, expect, shortProofs, startDemo, test, untilProofsEnd } from './support/demo.ts'
import {
  addressesOf,
  anotherDevice,
  choosePasswordIn,
  createBy,
  deviceWithWallet,
  dialogOf,
  entryOf,
  newDevice,
  press,
  readExport,
  signOnEthereum,
  untilClosed,
  writeSignIn,
} from './support/embedded.ts'

/** The window's title after a logout: the vault hears of it first, or the page does and takes the frame away. */
const ended = /^(You've been logged out|This request has ended)$/

test('a key and its phrase are shown in the vault’s own window, and no frame of the page has them @soak', async ({
  browser,
  demo,
}) => {
  const { page, context } = await deviceWithWallet(browser, demo, emailOf('takes'), strictKeeps)
  const [address = ''] = await addressesOf(page)
  await entryOf(page, address).getByRole('button', { name: 'Export' }).click()
  await expect(frameOf(page).getByText('no other page can see it')).toBeVisible()
  const window = await openWindow(page, context)
  await expect(window.getByText("m/44'/60'/0'/0/0")).toBeVisible()
  expect(new URL(window.url()).hash).toBe('')
  const { key, phrase = '' } = await readExport(page, window)
  expect(privateKeyToAccount(key as `0x${string}`).address).toBe(address)
  expect(mnemonicToAccount(phrase).address).toBe(address)
  for (const frame of page.frames()) {
    const text = await frame.content()
    expect(text).not.toContain(key)
    expect(text).not.toContain(phrase.split(' ').slice(0, 3).join('</li><li>'))
  }
  await window.getByRole('button', { name: 'Done' }).click()
  await untilClosed(page)
  await expect.poll(() => window.isClosed()).toBe(true)
})

test('a key that is shown hides when the person turns away @soak', async ({ browser, demo }) => {
  const { page, context } = await deviceWithWallet(browser, demo, emailOf('turns'), strictKeeps)
  const solana = await createBy(page, '#create-solana')
  await entryOf(page, solana).getByRole('button', { name: 'Export' }).click()
  const window = await openWindow(page, context)
  await window.getByRole('button', { name: 'Show private key' }).waitFor({ timeout: limit(20_000) })
  await look(window)
  await window.getByRole('button', { name: 'Show private key' }).click()
  const well = window.getByRole('group', { name: 'Private key' })
  const key = (await well.locator('code').textContent()) ?? ''
  expect(Keypair.fromSecretKey(base58.decode(key)).publicKey.toBase58()).toBe(solana)
  await window.evaluate(() => dispatchEvent(new Event('blur')))
  await expect(well).toBeHidden()
  await expect(window.getByText('Hidden again.').first()).toBeVisible()
  await look(window)
  await window.getByRole('button', { name: 'Show private key' }).click()
  await expect(well).toBeVisible()
})

test('a logout in another tab ends an export: nothing is shown, and the clipboard no longer has the key @soak', async ({
  browser,
  demo,
}) => {
  const { page, context } = await deviceWithWallet(browser, demo, emailOf('leaves'), strictKeeps)
  const [address = ''] = await addressesOf(page)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await entryOf(page, address).getByRole('button', { name: 'Export' }).click()
  const window = await openWindow(page, context)
  await window.getByRole('button', { name: 'Copy private key' }).waitFor({ timeout: limit(20_000) })
  await look(window)
  await window.getByRole('button', { name: 'Copy private key' }).click()
  await expect(window.getByText('Copied. We clear your clipboard').first()).toBeVisible()
  const other = await context.newPage()
  await other.goto(page.url())
  await expect(other.locator('#address')).toHaveText(/^0x/)
  const copied = async () => {
    await other.bringToFront()
    return other.evaluate(() => navigator.clipboard.readText())
  }
  expect(privateKeyToAccount((await copied()) as `0x${string}`).address).toBe(address)
  await other.locator('#log-out').click()
  await expect(dialogOf(page).getByText('session', { exact: false }).first()).toBeVisible()
  // The window goes by itself, and not before the clipboard is emptied, for which some need the focus: it may be gone by then.
  await window.bringToFront().catch(() => {})
  await expect.poll(() => window.isClosed()).toBe(true)
  expect(await copied()).toBe('')
})

test('a logout in another tab ends an approval that is open, in its frame and in its window @soak', async ({
  browser,
  demo,
}) => {
  const { page, context } = await deviceWithWallet(browser, demo, emailOf('goes'), strictKeeps)
  const address = await page.locator('#address').textContent()
  const asked = page.evaluate((address) => {
    const { kit } = document.querySelector('login-modal') as LoginModal
    const provider = kit?.embeddedWallets.get()[0]?.getProvider() as unknown as {
      request(asked: object): Promise<string>
    }
    // Bytes that are no text.
    return provider.request({ method: 'personal_sign', params: [`0x${'80'.repeat(32)}`, address] }).then(
      () => 'signed',
      () => 'refused',
    )
  }, address)
  const window = await openWindow(page, context)
  await window.getByRole('button', { name: 'Sign and continue' }).waitFor({ timeout: limit(20_000) })
  const other = await context.newPage()
  await other.goto(page.url())
  await expect(other.locator('#address')).toHaveText(/^0x/)
  await other.locator('#log-out').click()
  expect(await asked).toBe('refused')
  await expect(window.getByRole('heading', { name: ended })).toBeVisible()
  await expect(dialogOf(page).locator('iframe')).toHaveCount(0)
})

test('a key of a wallet with a password is shown to somebody who knows the password @soak', async ({
  browser,
}) => {
  const { demo, stop } = await startDemo(shortProofs)
  const email = emailOf('knows')
  const password = 'Lantern-tide&42'
  const begun = await deviceWithWallet(browser, demo, email, strictKeeps)
  const [address = ''] = await addressesOf(begun.page)
  await begun.page.locator('#set-recovery').click()
  await press(begun.page, /^Password/)
  const set = await openWindow(begun.page, begun.context)
  await choosePasswordIn(set, password, () => look(set))
  await pressIn(set, 'Close')
  await untilClosed(begun.page)
  await begun.context.close()

  const { page, context } = await anotherDevice(browser, demo, email, strictKeeps)
  await signOnEthereum(page, address, async () => {
    const recovering = await inWindow(page, context)
    await recovering.getByLabel('Password', { exact: true }).fill(password)
    await pressIn(recovering, 'Recover wallet')
  })
  await untilProofsEnd()
  await entryOf(page, address).getByRole('button', { name: 'Export' }).click()
  const window = await openWindow(page, context)
  await window.getByRole('heading', { name: "Confirm it's really you" }).waitFor({ timeout: limit(20_000) })
  for (const typed of [`${password} not`, password]) {
    await window.getByLabel('Password', { exact: true }).fill(typed)
    await look(window)
    await window.getByRole('button', { name: 'Continue' }).click()
    if (typed !== password)
      await expect(window.getByText('Invalid recovery password, please try again.').first()).toBeVisible()
  }
  await window.getByRole('button', { name: 'Show private key' }).waitFor({ timeout: limit(20_000) })
  await look(window)
  await window.getByRole('button', { name: 'Show private key' }).click()
  const key = await window.getByRole('group', { name: 'Private key' }).locator('code').textContent()
  expect(privateKeyToAccount(key as `0x${string}`).address).toBe(address)
  await stop()
})

test('a private key is typed into the vault’s own window, and the page never has it @soak', async ({
  browser,
  demo,
}) => {
  const { page, context } = await deviceWithWallet(browser, demo, emailOf('brings'), strictKeeps)
  const privateKey = generatePrivateKey()
  const { address } = privateKeyToAccount(privateKey)
  const refused = await page.evaluate(
    (privateKey) => {
      const { kit } = document.querySelector('login-modal') as LoginModal
      return kit?.importWallet({ privateKey }).catch((error: { code: string }) => error.code)
    },
    `0x${'11'.repeat(32)}`,
  )
  expect(refused).toBe('invalid_request_arguments')

  const imported = page.evaluate(async () => {
    const { kit } = document.querySelector('login-modal') as LoginModal
    return (await kit?.importWallet({ chainType: 'ethereum' }))?.address
  })
  const window = await openWindow(page, context)
  for (const typed of ['0x1234', privateKey]) {
    await window.getByLabel('Ethereum private key').fill(typed)
    await look(window)
    await window.getByRole('button', { name: 'Import wallet' }).click()
    if (typed !== privateKey)
      await expect(window.getByText('This is not a private key').first()).toBeVisible()
  }
  expect(await imported).toBe(address)
  await expect(entryOf(page, address)).toContainText('imported')
  await untilClosed(page)
})

test('a device is removed in the vault’s own window, which names it, and has no wallet from that moment on @soak', async ({
  browser,
  demo,
}) => {
  const email = emailOf('tidies')
  const first = await newDevice(browser, demo, email, strictKeeps)
  const { page, context } = await newDevice(browser, demo, email, strictKeeps)
  await signOnEthereum(page, (await addressesOf(page))[0] ?? '')
  const list = () =>
    page.evaluate(async () => {
      const { kit } = document.querySelector('login-modal') as LoginModal
      const devices = (await kit?.devices.list()) ?? []
      return devices.map(({ id, name, current }) => ({ id, name, current }))
    })
  const before = await list()
  expect(before.filter(({ current }) => current)).toHaveLength(1)
  const gone = before.find(({ current }) => !current)
  expect(before).toHaveLength(2)
  const remove = () =>
    page.evaluate((id) => {
      const { kit } = document.querySelector('login-modal') as LoginModal
      return kit?.devices.remove(id).then(
        () => 'removed',
        (error: { code: string }) => error.code,
      )
    }, gone?.id ?? '')
  for (const [press, outcome] of [
    ['Cancel', 'unknown_embedded_wallet_error'],
    ['Remove device', 'removed'],
  ] as const) {
    const removing = remove()
    const window = await openWindow(page, context)
    await expect(window.getByText(gone?.name ?? '').first()).toBeVisible()
    await look(window)
    await window.getByRole('button', { name: press }).click()
    expect(await removing).toBe(outcome)
    await untilClosed(page)
  }
  expect(await list()).toEqual(before.filter(({ current }) => current))
  expect(await remove()).toBe('invalid_request_arguments')

  // Whoever sits there has to show again that the device is theirs.
  await writeSignIn(first.page)
  await first.page.getByRole('button', { name: 'Sign', exact: true }).click()
  await approve(first.page)
  const again = await inWindow(first.page, first.context)
  await expect(again.getByRole('heading', { name: 'This browser is new to your wallet' })).toBeVisible()
  await expect(first.page.locator('#signature')).toHaveText('')
  await first.context.close()
})
