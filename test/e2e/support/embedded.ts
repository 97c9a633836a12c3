/** People with wallets in the vault, on the demo's page, and how they come back on another device. */

import { ed25519 } from '@noble/curves/ed25519.js'
import type { Browser, BrowserContext, FrameLocator, Locator, Page } from '@playwright/test'
import { base58 } from '@scure/base'
import type { EmbeddedWallet, LoginModal, WalletRecovery } from '../../../src/index.ts'
import { siwsMessage } from '../../../src/protocol/siws-message.ts'
import { words } from '../../../src/vault/export/words.ts'
import { limit } from '../../support/limit.ts'
import { ownSignIn } from '../../support/own-sign-in.ts'
import { approve, look, pressIn } from './approval.ts'
import { keeps } from './apps.ts'
import { type Demo, expect, logIn, mailedCode } from './demo.ts'
import { signedInContext } from './signed-in.ts'

export const methods = ['automatic', 'password', 'google-drive', 'icloud'] as const
export type Method = (typeof methods)[number]
/** What a person knows: their password, and the account of their drive. */
export type Known = Partial<Record<Method, string>>

/**
 * They go in each of the twelve directions; the second walk has to get to its beginning first. What a person brings is
 * another one each time, so that the former can't be what opens the wallet.
 */
export const walks: readonly (readonly Method[])[] = [
  ['automatic', 'password', 'automatic', 'google-drive', 'automatic', 'icloud', 'password'],
  ['automatic', 'password', 'google-drive', 'icloud', 'google-drive', 'password', 'icloud', 'automatic'],
]
export const directionsOf = (walk: readonly Method[]) =>
  walk.slice(1).map((method, at) => `${walk[at]} → ${method}`)

/** As the page's card calls them. */
export const shownAs: Record<Method, string> = {
  automatic: 'automatic recovery',
  password: 'recovery by password',
  'google-drive': 'recovery with Google Drive',
  icloud: 'recovery with iCloud',
}
export const driveNames = { 'google-drive': 'Google Drive', icloud: 'Apple iCloud' } as const
type DriveMethod = keyof typeof driveNames

export const dialogOf = (page: Page) => page.getByRole('dialog')
export const press = (page: Page, name: string | RegExp) =>
  dialogOf(page)
    .getByRole('button', { name, exact: typeof name === 'string' })
    .click()
export const untilClosed = (page: Page) => expect(dialogOf(page)).toBeHidden()

export interface Device {
  page: Page
  context: BrowserContext
}

/** A browser that has never been here, in which a person logs in and has their wallet at last. */
export async function newDevice(browser: Browser, demo: Demo, email: string, app = keeps): Promise<Device> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await visit(page, demo, email, app)
  await untilIn(page)
  return { page, context }
}

async function signedInDevice(browser: Browser, demo: Demo, email: string, app: string): Promise<Device> {
  const context = await signedInContext(browser, demo, email, app)
  return { page: await context.newPage(), context }
}

/**
 * A browser in which somebody is logged in and has made their first wallet, for journeys that are about what comes after:
 * nothing of it went through a screen.
 */
export async function deviceWithWallet(
  browser: Browser,
  demo: Demo,
  email: string,
  app = keeps,
): Promise<Device> {
  const device = await signedInDevice(browser, demo, email, app)
  const { page } = device
  await page.goto(`${demo.site}/?app=${app}`)
  await expect(page.locator('#status')).toHaveText('You are logged in.')
  await page.evaluate(() =>
    (document.querySelector('login-modal') as LoginModal).kit
      ?.createWallet({ chainType: 'ethereum' })
      .then(() => {}),
  )
  await untilKnown(page)
  return device
}

/** Another device of somebody who has a wallet, on which they are logged in already, and their wallet is known. */
export async function anotherDevice(
  browser: Browser,
  demo: Demo,
  email: string,
  app = keeps,
): Promise<Device> {
  const device = await signedInDevice(browser, demo, email, app)
  const { page } = device
  await open(page, demo, app)
  return device
}

/** Opens the page where somebody is logged in already, and waits until it knows their wallets. */
export async function open(page: Page, demo: Demo, app = keeps): Promise<void> {
  await page.goto(`${demo.site}/?app=${app}`)
  await untilKnown(page)
}

async function untilKnown(page: Page): Promise<void> {
  await expect(page.locator('#address')).toHaveText(/^0x/)
  const shown = (await addressesOf(page)).length
  // Providers of wallets come with code of their own, after the list of wallets has been drawn.
  const provided = () =>
    page.evaluate(
      () => (document.querySelector('login-modal') as LoginModal).kit?.embeddedWallets.get().length,
    )
  await expect.poll(provided).toBe(shown)
}

/** Types address and code on the demo's page. */
export async function visit(page: Page, demo: Demo, email: string, app = keeps): Promise<void> {
  await page.goto(`${demo.site}/?app=${app}`)
  await page.locator('#log-in').click()
  await logIn(page, demo, email)
}

/** The login has come to its end; 'Wallet created' is read at once. */
export async function untilIn(page: Page): Promise<void> {
  await expect(page.locator('#address')).toHaveText(/^0x/)
  await untilRead(page)
}

/** Whoever is told of a new wallet, or that it lives in this browser alone, goes on at once; nobody else waits. */
export async function untilRead(page: Page): Promise<void> {
  await expect(async () => {
    const next = dialogOf(page).getByRole('button', { name: /^(Continue|Not now)$/ })
    if (await next.isVisible()) await next.click({ timeout: limit(500) }).catch(() => {})
    await expect(dialogOf(page)).toBeHidden({ timeout: limit(300) })
  }).toPass({ timeout: limit(20_000) })
}

/** The addresses on the card, as they stand there. */
export const addressesOf = (page: Page) => page.locator('#embedded-list li > span').allTextContents()
export const entryOf = (page: Page, address: string) =>
  page.locator('#embedded-list li', { hasText: address })

/** Presses a button of the card that makes a wallet, and resolves with its address. */
export async function createBy(page: Page, button: '#create-ethereum' | '#create-solana'): Promise<string> {
  const before = await addressesOf(page)
  await page.locator(button).click()
  await expect(page.locator('#embedded-list li')).toHaveCount(before.length + 1)
  await untilRead(page)
  const [made] = (await addressesOf(page)).filter((address) => !before.includes(address))
  return made ?? ''
}

/** Has the page's field hold a text by which its own Ethereum wallet logs in at the page itself: one that a strict app's frame signs. */
export async function writeSignIn(page: Page): Promise<void> {
  await expect(page.locator('#address')).not.toBeEmpty()
  const address = await page.evaluate(() => {
    const { user } = document.querySelector('login-modal') as LoginModal
    const [own] = (user?.linkedAccounts ?? []).flatMap((each) =>
      each.type === 'wallet' && each.embedded && each.chainType === 'ethereum' ? [each.address] : [],
    )
    return own ?? ''
  })
  await page.locator('#message').fill(ownSignIn(page.url(), address))
}

/**
 * Signs with the Ethereum wallet by the page's own button, which also checks it.
 * @param recover what a device that is new to the wallet is asked after the press, in the frame of a strict app
 */
export async function signOnEthereum(
  page: Page,
  address: string,
  recover?: () => Promise<void>,
): Promise<void> {
  if (recover) await writeSignIn(page)
  await page.getByRole('button', { name: 'Sign', exact: true }).click()
  await approve(page)
  await recover?.()
  await expect(page.locator('#signature')).toHaveText(/^0x[0-9a-f]{130}$/)
  await page.getByRole('button', { name: 'Verify', exact: true }).click()
  await expect(page.locator('#verdict')).toHaveText(`Valid: signed by ${address}`)
  await untilClosed(page)
}

/** Signs with a Solana wallet as the page's code does, through the Wallet Standard; checked here by ed25519. */
export async function signOnSolana(
  page: Page,
  address: string,
  recover?: () => Promise<void>,
): Promise<void> {
  // As on Ethereum.
  const text = recover
    ? siwsMessage({ domain: new URL(page.url()).host, address, nonce: 'a1b2c3d4e5f6' })
    : `Signed as ${address}`
  const signing = page.evaluate(
    async ([address, text]) => {
      const { kit } = document.querySelector('login-modal') as LoginModal
      const own = kit?.embeddedWallets.get().find((each) => each.address === address)
      if (!own) throw new Error(`The page has no wallet ${address}`)
      const { wallet, account } = own.getProvider() as unknown as SolanaSigner
      const message = new TextEncoder().encode(text)
      const outputs = await wallet.features['solana:signMessage'].signMessage({ account, message })
      return Array.from(outputs[0]?.signature ?? [])
    },
    [address, text] as const,
  )
  await approve(page)
  await recover?.()
  const signature = new Uint8Array(await signing)
  expect(ed25519.verify(signature, new TextEncoder().encode(text), base58.decode(address))).toBe(true)
  await untilClosed(page)
}
interface SolanaSigner {
  account: object
  wallet: {
    features: {
      'solana:signMessage': {
        signMessage(input: { account: object; message: Uint8Array }): Promise<{ signature: Uint8Array }[]>
      }
    }
  }
}

/** What a page's code sees of the wallets. */
export const walletsOf = (page: Page) =>
  page.evaluate(() => {
    const { kit } = document.querySelector('login-modal') as LoginModal
    return (kit?.embeddedWallets.get() ?? []).map(
      ({ address, chainType, walletIndex, imported }: EmbeddedWallet) => ({
        address,
        chainType,
        walletIndex,
        imported,
      }),
    )
  })

/** What a person does in the window of their drive. */
export async function grant(page: Page, drive: DriveMethod, button: string, account: string): Promise<void> {
  const [window] = await Promise.all([page.waitForEvent('popup'), press(page, button)])
  await signInAtDrive(window, drive, account)
}

/** Confirms a browser that is new to a wallet by a code to its user's address, in the vault's own window. */
export async function confirmByCode(window: Page, demo: Demo, email: string): Promise<void> {
  const since = Date.now() - 1_000
  await pressIn(window, /^Code by email/)
  await typeCode(window, demo, email, since)
}

/** Types a code into the vault's window that was sent after `since` (milliseconds). */
export async function typeCode(window: Page, demo: Demo, email: string, since: number): Promise<void> {
  const boxes = window.getByLabel(/^Confirmation code/)
  await boxes.waitFor({ timeout: limit(20_000) })
  await look(window)
  await boxes.pressSequentially(await mailedCode(demo, email, since))
}

/** Signs in at a drive from the vault's window, where apps are strict. */
export async function visitDrive(window: Page, drive: DriveMethod, account: string): Promise<void> {
  const name = driveNames[drive]
  const open = window.getByRole('button', {
    name: new RegExp(`^(Confirm with ${name}|Open ${name} again|Try again)$`),
  })
  await open.waitFor({ timeout: limit(20_000) })
  await look(window)
  const [popup] = await Promise.all([window.waitForEvent('popup'), open.click()])
  await signInAtDrive(popup, drive, account)
}

async function signInAtDrive(popup: Page, drive: DriveMethod, account: string): Promise<void> {
  const field = drive === 'icloud' ? 'Email or phone number' : 'Account name or email'
  await popup.getByLabel(field).fill(account)
  await popup.getByRole('button', { name: 'Sign in' }).click()
}

/** Brings the wallet to this device, from the first screen of its recovery method on. */
export async function recoverBy(page: Page, method: Method, known: Known): Promise<void> {
  const secret = known[method] ?? ''
  if (method === 'automatic') return
  if (method === 'password') {
    await givePassword(page, secret)
    await expect(dialogOf(page).getByRole('heading', { name: 'Recover your wallet' })).toBeHidden()
    return
  }
  await grant(page, method, `Confirm with ${driveNames[method]}`, secret)
}

export async function givePassword(page: Page, password: string): Promise<void> {
  await dialogOf(page).getByLabel('Password', { exact: true }).fill(password)
  await press(page, 'Recover wallet')
}

/** The same, of somebody who at first takes the wrong password or the wrong account of their drive. */
export async function recoverAtSecondTry(page: Page, method: Method, known: Known): Promise<void> {
  const dialog = dialogOf(page)
  if (method === 'password') {
    await givePassword(page, `${known.password} not`)
    await expect(dialog.getByText('Invalid recovery password, please try again.').first()).toBeVisible()
    return recoverBy(page, method, known)
  }
  if (method === 'automatic') return
  const drive = driveNames[method]
  await grant(page, method, `Confirm with ${drive}`, 'somebody.else')
  await expect(dialog.getByText(`Recovery with ${drive} unsuccessful`)).toBeVisible()
  const advice = `Please verify that you are selecting the ${drive} account associated with your backup.`
  await expect(dialog.getByText(advice)).toBeVisible()
  await grant(page, method, 'Try again', known[method] ?? '')
}

/**
 * Goes over to another recovery method by the page's button, with what is `known` of it.
 * @param first what has to be got over before that succeeds
 */
export async function changeTo(
  page: Page,
  method: Method,
  known: Known,
  first?: () => Promise<void>,
): Promise<void> {
  const secret = known[method] ?? ''
  if (method === 'automatic') {
    await page.evaluate(() => {
      const element = document.querySelector('wallet-recovery') as WalletRecovery
      void element.setRecovery({ showAutomaticRecovery: true })
    })
    await press(page, 'Confirm')
  } else {
    await page.locator('#set-recovery').click()
    await press(
      page,
      method === 'password' ? /^(Password|Reset password)/ : new RegExp(`^${driveNames[method]}`),
    )
    if (method === 'password') await choosePassword(page, secret)
    else await grant(page, method, `Confirm with ${driveNames[method]}`, secret)
  }
  await first?.()
  if (method === 'password') await endOfPassword(page)
  await expect(page.locator('#embedded-list li').first()).toContainText(shownAs[method])
  await untilClosed(page)
}

/** The four steps of a new password, up to the press that sets it. */
export async function choosePassword(page: Page, password: string): Promise<void> {
  const field = dialogOf(page).getByLabel('Password', { exact: true })
  await field.fill(password)
  await press(page, 'Continue')
  await expect(dialogOf(page).getByRole('heading', { name: 'Save your password' })).toBeVisible()
  await press(page, 'Continue')
  await expect(dialogOf(page).getByRole('heading', { name: 'Confirm your password' })).toBeVisible()
  await field.fill(password)
  await press(page, 'Continue')
  await dialogOf(page).getByRole('checkbox').check()
  await press(page, 'Set Password')
}
/** The same in a frame or window of the vault, where every press waits until its screen was looked at. */
export async function choosePasswordIn(
  place: Page | FrameLocator,
  password: string,
  look: () => Promise<void>,
): Promise<void> {
  const go = async (name: string) => {
    await look()
    await place.getByRole('button', { name, exact: true }).click()
  }
  const field = place.getByLabel('Password', { exact: true })
  await field.fill(password)
  await go('Continue')
  await place.getByRole('heading', { name: 'Save your password' }).waitFor()
  await go('Continue')
  await place.getByRole('heading', { name: 'Confirm your password' }).waitFor()
  await field.fill(password)
  await go('Continue')
  await place.getByRole('checkbox').check()
  await go('Set Password')
  await place.getByRole('heading', { name: 'Success' }).waitFor({ timeout: limit(20_000) })
}
export async function endOfPassword(page: Page): Promise<void> {
  await expect(dialogOf(page).getByRole('heading', { name: 'Success' })).toBeVisible()
  await close(page)
}
/** The button below, not the one in the corner. */
const close = (page: Page) =>
  dialogOf(page).getByRole('button', { name: 'Close', exact: true }).last().click()

/** Opens the export of a wallet, as far as the buttons in the vault's own frame. */
export async function openExport(page: Page, address: string): Promise<FrameLocator> {
  await entryOf(page, address).getByRole('button', { name: 'Export' }).click()
  const frame = page.frameLocator('iframe[title="Private key"]')
  await expect(frame.getByRole('button', { name: words.showKey })).toBeVisible()
  return frame
}

/** Presses a button of the export until it counts: before its place was in sight long enough, none does. */
export async function pressInSight(page: Page, button: Locator, result: Locator): Promise<void> {
  await look(page)
  await expect(async () => {
    if (!(await result.isVisible())) await button.click({ timeout: limit(2_000) })
    await expect(result).toBeVisible({ timeout: limit(1_000) })
  }).toPass()
}

/** Reads a key, and the phrase behind it, as the person does: in the vault's own frame or window. */
export async function readExport(
  page: Page,
  frame: FrameLocator | Page,
): Promise<{ key: string; phrase?: string }> {
  const place = 'frames' in frame ? frame : page
  const shown = frame.getByRole('group', { name: words.key }).locator('code')
  await pressInSight(place, frame.getByRole('button', { name: words.showKey }), shown)
  const key = (await shown.textContent()) ?? ''
  const offer = frame.getByRole('button', { name: words.showPhrase })
  if ((await offer.count()) === 0) return { key }
  const phrase = frame.getByRole('group', { name: words.phrase })
  await pressInSight(place, offer, phrase)
  const list = frame.getByRole('group', { name: words.phrase }).getByRole('listitem')
  await expect(list).toHaveCount(12)
  return { key, phrase: (await list.allTextContents()).join(' ') }
}

export async function closeExport(page: Page): Promise<void> {
  await close(page)
  await untilClosed(page)
}

/** Where the vault tells the server of a new wallet. */
export const creation = '**/api/v1/embedded_wallets'

/** How many shares the vault keeps in this browser. */
export const kept = (page: Page, demo: Demo) =>
  vaultOf(page, demo).evaluate(async () => {
    // To open one that is gone would be to make it.
    if ((await indexedDB.databases()).length === 0) return 0
    return new Promise<number>((resolve, reject) => {
      const opening = indexedDB.open('latchkey-vault')
      // Listed a moment ago, and gone by now: an upgrade from nothing is given up, and leaves none behind.
      opening.onupgradeneeded = () => opening.transaction?.abort()
      opening.onerror = () => (opening.error?.name === 'AbortError' ? resolve(0) : reject(opening.error))
      opening.onsuccess = () => {
        const database = opening.result
        const end = (count: number) => {
          database.close()
          resolve(count)
        }
        try {
          const name = 'device-shares'
          const counting = database.transaction(name).objectStore(name).count()
          counting.onsuccess = () => end(counting.result)
          counting.onerror = () => end(0)
        } catch {
          // Wiped in this very moment: the browser has closed it, or it has no stores any more.
          end(0)
        }
      }
    })
  })
export function vaultOf(page: Page, demo: Demo) {
  const frame = page.frames().find((each) => each.url().startsWith(demo.vault))
  if (!frame) throw new Error('The page has no vault')
  return frame
}
