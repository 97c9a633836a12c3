/** What a wallet is for other wallets: keys that leave, keys that come in, and an app that wants people to keep their own way back. */

import type { FrameLocator, Locator, Page } from '@playwright/test'
import { base58 } from '@scure/base'
import { Keypair } from '@solana/web3.js'
import { verifyMessage } from 'viem'
import { generatePrivateKey, mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import type { LoginModal } from '../../src/index.ts'
import { limit } from '../support/limit.ts'
import { frameOf, look } from './support/approval.ts'
import { ownKey } from './support/apps.ts'
import {
  emailOf,
  expect,
  logIn,
  shortProofs,
  startDemo,
  test,
  untilProofsEnd,
  watchPage,
} from './support/demo.ts'
import {
  addressesOf,
  anotherDevice,
  changeTo,
  choosePasswordIn,
  closeExport,
  createBy,
  dialogOf,
  entryOf,
  newDevice,
  openExport,
  press,
  readExport,
  recoverBy,
  signOnEthereum,
  signOnSolana,
  untilClosed,
  untilIn,
  walletsOf,
} from './support/embedded.ts'

/** Has the page's code ask for a wallet of an index. */
const createIndex = (page: Page, walletIndex: number) =>
  page.evaluate(async (walletIndex) => {
    const { kit } = document.querySelector('login-modal') as LoginModal
    return (await kit?.createWallet({ walletIndex }))?.address
  }, walletIndex)

/** Has the page's code ask for a signature of one wallet, which the person gives. */
async function signWith(page: Page, address: string): Promise<boolean> {
  const message = `Signed as ${address}`
  const signing = page.evaluate(
    async ([message, address]) => {
      const { kit } = document.querySelector('login-modal') as LoginModal
      return (await kit?.signMessage({ message }, { address }))?.signature
    },
    [message, address] as const,
  )
  await press(page, 'Sign and continue')
  const signature = (await signing) as `0x${string}`
  await untilClosed(page)
  return verifyMessage({ address: address as `0x${string}`, message, signature })
}

async function exported(page: Page, address: string) {
  const read = await readExport(page, await openExport(page, address))
  await closeExport(page)
  return read
}

test('exported keys and the phrase make the same addresses in other wallets, whatever their index @soak', async ({
  demo,
  browser,
}) => {
  const { page, context } = await newDevice(browser, demo, emailOf('exporter'))
  const [first = ''] = await addressesOf(page)
  const solana = await createBy(page, '#create-solana')
  const third = (await createIndex(page, 3)) ?? ''
  expect(await createIndex(page, 3)).toBe(third)
  expect(await walletsOf(page)).toEqual(
    expect.arrayContaining([
      { address: first, chainType: 'ethereum', walletIndex: 0, imported: false },
      { address: third, chainType: 'ethereum', walletIndex: 3, imported: false },
      { address: solana, chainType: 'solana', walletIndex: 0, imported: false },
    ]),
  )
  expect(await signWith(page, third)).toBe(true)

  const { key, phrase = '' } = await exported(page, first)
  expect(privateKeyToAccount(key as `0x${string}`).address).toBe(first)
  expect(mnemonicToAccount(phrase).address).toBe(first)
  expect(mnemonicToAccount(phrase, { addressIndex: 3 }).address).toBe(third)

  const ofThird = await exported(page, third)
  expect(privateKeyToAccount(ofThird.key as `0x${string}`).address).toBe(third)
  expect(ofThird.phrase).toBe(phrase)

  const ofSolana = await exported(page, solana)
  expect(Keypair.fromSecretKey(base58.decode(ofSolana.key)).publicKey.toBase58()).toBe(solana)
  expect(ofSolana.phrase).toBe(phrase)
  await context.close()
})

test('an imported key keeps its address, signs, is exported as it was, and comes along to a new device @soak', async ({
  demo,
  browser,
}) => {
  const email = emailOf('importer')
  const { page, context } = await newDevice(browser, demo, email)
  const [own = ''] = await addressesOf(page)
  const privateKey = generatePrivateKey()
  const { address } = privateKeyToAccount(privateKey)
  const pair = Keypair.generate()
  await page.locator('summary', { hasText: 'Import a private key' }).click()
  for (const [chain, key, name] of [
    ['ethereum', privateKey, address],
    ['solana', base58.encode(pair.secretKey), pair.publicKey.toBase58()],
  ] as const) {
    await page.locator('#import-chain').selectOption(chain)
    await page.locator('#import-key').fill(key)
    await page.locator('#import').getByRole('button', { name: 'Import' }).click()
    await expect(entryOf(page, name)).toContainText('imported')
  }
  expect(await signWith(page, address)).toBe(true)
  await signOnSolana(page, pair.publicKey.toBase58())
  expect(await exported(page, address)).toEqual({ key: privateKey })
  await context.close()

  const next = await newDevice(browser, demo, email)
  expect([...(await addressesOf(next.page))].sort()).toEqual([own, address, pair.publicKey.toBase58()].sort())
  expect(await signWith(next.page, address)).toBe(true)
  await signOnSolana(next.page, pair.publicKey.toBase58())
  await signOnEthereum(next.page, own)
  expect(await exported(next.page, pair.publicKey.toBase58())).toEqual({ key: base58.encode(pair.secretKey) })
  await next.context.close()
})

test('a compatible client’s frame asks for the recovery password before it shows a key on another device @soak', async ({
  browser,
}) => {
  const { demo, stop } = await startDemo(shortProofs)
  const email = emailOf('proves')
  const password = 'Lantern-tide&42'
  const begun = await newDevice(browser, demo, email)
  const [address = ''] = await addressesOf(begun.page)
  await changeTo(begun.page, 'password', { password })
  await begun.context.close()
  const { page, context } = await anotherDevice(browser, demo, email)
  await signOnEthereum(page, address, () => recoverBy(page, 'password', { password }))
  await untilProofsEnd()
  await entryOf(page, address).getByRole('button', { name: 'Export' }).click()
  const frame = page.frameLocator('iframe[title="Private key"]')
  const field = frame.getByLabel('Password', { exact: true })
  await field.fill(`${password} not`, { timeout: limit(20_000) })
  await frame.getByRole('button', { name: 'Continue' }).click()
  await expect(frame.getByText("That password doesn't match.")).toBeVisible()
  await field.fill(password)
  await frame.getByRole('button', { name: 'Continue' }).click()
  await expect(frame.getByRole('button', { name: 'Show private key' })).toBeVisible()
  const { key } = await readExport(page, frame)
  expect(privateKeyToAccount(key as `0x${string}`).address).toBe(address)
  await context.close()
  await stop()
})

test('where people must have a way back of their own, the login ends with one and can’t be left before @soak', async ({
  page,
  demo,
  browser,
}) => {
  const problems = watchPage(page)
  const email = emailOf('own.key')
  const password = 'Lantern-tide&42'
  await page.goto(`${demo.site}/?app=${ownKey}`)
  await page.locator('#log-in').click()
  await logIn(page, demo, email)
  const insists = async (place: Locator | FrameLocator, heading: string) => {
    await expect(place.getByRole('heading', { name: heading })).toBeVisible()
    for (let presses = 0; presses < 3; presses++) await page.keyboard.press('Escape')
    await page.mouse.click(2, 2)
    await expect(place.getByRole('heading', { name: heading })).toBeVisible()
    await expect(place.getByRole('button', { name: 'Close', exact: true })).toHaveCount(0)
  }
  await insists(dialogOf(page), 'Secure your account')
  await press(page, /^Password/)
  const frame = frameOf(page)
  await insists(frame, 'Set your password')
  await look(page)
  await frame.getByRole('button', { name: 'Generate' }).click()
  await expect(frame.getByLabel('Password', { exact: true })).toHaveValue(/^([a-z]+-){3}[a-z]+$/)
  await choosePasswordIn(frame, password, () => look(page))
  await untilIn(page)
  const [address = ''] = await addressesOf(page)
  await expect(entryOf(page, address)).toContainText('recovery by password')
  await signOnEthereum(page, address)

  const next = await newDevice(browser, demo, email, ownKey)
  await signOnEthereum(next.page, address, async () => {
    const asked = frameOf(next.page)
    await asked.getByLabel('Password', { exact: true }).fill(password, { timeout: limit(20_000) })
    await look(next.page)
    await asked.getByRole('button', { name: 'Recover wallet' }).click()
  })
  await next.context.close()
  expect(problems).toEqual([])
})
