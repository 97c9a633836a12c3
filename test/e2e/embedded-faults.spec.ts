/** What may happen to the vault, its storage and its server while a wallet is made or changed: nothing is lost. */

import type { Page, Route } from '@playwright/test'
import type { LoginModal } from '../../elements/login-modal.ts'
import { limit } from '../support/limit.ts'
import { keeps } from './support/apps.ts'
import { emailOf, expect, test } from './support/demo.ts'
import {
  addressesOf,
  anotherDevice,
  changeTo,
  choosePassword,
  createBy,
  creation,
  dialogOf,
  entryOf,
  kept,
  press,
  recoverBy,
  signOnEthereum,
  signOnSolana,
  untilClosed,
  untilIn,
  visit,
} from './support/embedded.ts'

const somethingWrong = (page: Page) => dialogOf(page).getByRole('heading', { name: 'Something went wrong' })

const killFrame = (page: Page) => page.locator('iframe[title="Wallet"]').evaluate((frame) => frame.remove())
/** Nobody gets a wallet with their login, as the server would say. */
const withoutWallets = (page: Page) =>
  page.route(/\/api\/v1\/apps\/[^/]+$/, async (route) => {
    const response = await route.fetch()
    const app = (await response.json()) as { embedded_wallet_config: object }
    const settings = { ...app.embedded_wallet_config, create_on_login: 'off' }
    await route.fulfill({ response, json: { ...app, embedded_wallet_config: settings } })
  })
/** Makes the first wallet of a chain, or has the one that somebody else makes at the same moment. */
const createAtOnce = (page: Page, chainType: 'ethereum' | 'solana') =>
  page.evaluate(
    (chainType) =>
      document
        .querySelector<LoginModal>('login-modal')
        ?.kit?.createWallet({ chainType, walletIndex: 0 })
        .then(() => {}),
    chainType,
  )

test('two tabs and another device that ask at the same moment have one wallet, on either chain @soak', async ({
  demo,
  browser,
}) => {
  const email = emailOf('at.once')
  const [here, there] = [await browser.newContext(), await browser.newContext()]
  const [first, second, other] = [await here.newPage(), await here.newPage(), await there.newPage()]
  for (const page of [first, second, other]) await withoutWallets(page)
  for (const page of [first, other]) {
    await visit(page, demo, email)
    await expect(page.locator('#email')).toHaveText(email)
    await untilClosed(page)
  }
  await second.goto(`${demo.site}/?app=${keeps}`)
  await expect(second.locator('#email')).toHaveText(email)

  const pages = [first, second, other]
  // By the page's code: a button that is pressed a moment later knows of the first wallet, and offers another one.
  for (const chainType of ['ethereum', 'solana'] as const)
    await Promise.all(pages.map((page) => createAtOnce(page, chainType)))
  const made = await addressesOf(first)
  expect(made).toHaveLength(2)
  const [ethereum = '', solana = ''] = made
  for (const page of pages) await expect.poll(() => addressesOf(page)).toEqual(made)
  await signOnEthereum(first, ethereum)
  await signOnSolana(second, solana)
  await signOnEthereum(other, ethereum)
  await Promise.all([here.close(), there.close()])
})

test('storage that is wiped costs nothing: the wallet comes back by itself @soak', async ({
  page,
  demo,
  context,
}) => {
  await visit(page, demo, emailOf('wiped'))
  await untilIn(page)
  const [address = ''] = await addressesOf(page)
  const browser = await context.newCDPSession(page)
  const wipe = async () => {
    expect(await kept(page, demo)).toBeGreaterThan(0)
    await browser.send('Storage.clearDataForOrigin', { origin: demo.vault, storageTypes: 'indexeddb' })
    expect(await kept(page, demo)).toBe(0)
  }
  await wipe()
  await signOnEthereum(page, address)
  await wipe()
  const solana = await createBy(page, '#create-solana')
  await wipe()
  await page.reload()
  await expect(page.locator('#address')).toHaveText(address)
  await signOnSolana(page, solana)
  await signOnEthereum(page, address)
})

/** What is wrong with the browser's storage, done in the vault's pages before any of their own code. */
const storages: Record<string, () => void> = {
  'refuses to be touched': () =>
    Object.defineProperty(window, 'indexedDB', {
      get() {
        throw new DOMException('denied', 'SecurityError')
      },
    }),
  'never answers': () => {
    IDBFactory.prototype.open = () => new EventTarget() as IDBOpenDBRequest
  },
  'has no room': () => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
  },
}
// test/vault/shares takes each of these failures in every run.
for (const [what, spoil] of Object.entries(storages))
  test(`storage that ${what} still lets a person have wallets and sign, now and after a reload @soak`, async ({
    page,
    demo,
    context,
  }) => {
    await context.addInitScript(`if (location.origin === '${demo.vault}') (${spoil})()`)
    await visit(page, demo, emailOf('no.storage'))
    await untilIn(page)
    const [address = ''] = await addressesOf(page)
    await signOnEthereum(page, address)
    const solana = await createBy(page, '#create-solana')
    if (what === 'has no room') expect(await kept(page, demo)).toBe(0)
    await page.reload()
    await expect(page.locator('#address')).toHaveText(address)
    await signOnSolana(page, solana)
    await signOnEthereum(page, address)
  })

/** Ends the vault's frame each time that it asks for something, and has the server hear it or not. */
async function killedAt(page: Page, url: string, { heard, times }: { heard: boolean; times: number }) {
  let kills = 0
  await page.route(url, async (route: Route) => {
    if (route.request().method() !== 'POST' || kills >= times) return route.continue()
    kills++
    if (heard) await route.fetch()
    await killFrame(page)
    await route.abort().catch(() => {})
  })
  return () => kills
}

for (const heard of [true, false])
  test(`the vault’s frame is taken away ${heard ? 'after' : 'before'} the server has heard of a wallet: it goes on by itself @soak`, async ({
    page,
    demo,
    browser,
  }) => {
    const email = emailOf(`taken.${heard}`)
    const kills = await killedAt(page, creation, { heard, times: 1 })
    await visit(page, demo, email)
    await untilIn(page)
    expect(kills()).toBe(1)
    const [address = ''] = await addressesOf(page)
    await signOnEthereum(page, address)
    const other = await anotherDevice(browser, demo, email)
    expect(await addressesOf(other.page)).toEqual([address])
    await signOnEthereum(other.page, address)
    await other.context.close()
  })

test('a frame that is taken away again and again ends in words, and another try makes the wallet @soak', async ({
  page,
  demo,
}) => {
  await killedAt(page, creation, { heard: false, times: 2 })
  await visit(page, demo, emailOf('again.and.again'))
  await expect(somethingWrong(page)).toBeVisible({ timeout: limit(30_000) })
  await expect(dialogOf(page).getByText('Cannot connect to wallet proxy')).toBeVisible()
  await press(page, 'Try again')
  await untilIn(page)
  const [address = ''] = await addressesOf(page)
  await signOnEthereum(page, address)
})

test('a change of recovery whose frame is taken away ends in words, and the old way still works; another try ends well @soak', async ({
  page,
  demo,
  browser,
}) => {
  const email = emailOf('changing')
  const known = { password: 'harbor-tide&7' }
  await visit(page, demo, email)
  await untilIn(page)
  const [address = ''] = await addressesOf(page)

  await killedAt(page, '**/recovery/changes', { heard: true, times: 2 })
  await page.locator('#set-recovery').click()
  await press(page, /^Password/)
  await choosePassword(page, known.password)
  await expect(somethingWrong(page)).toBeVisible({ timeout: limit(40_000) })
  await expect(dialogOf(page).getByText('Error setting password on your wallet')).toBeVisible()
  await page.keyboard.press('Escape')
  await untilClosed(page)
  await expect(entryOf(page, address)).toContainText('automatic recovery')
  await expect(page.locator('#trace')).toContainText('setRecovery() rejected: vault_crashed')
  const before = await anotherDevice(browser, demo, email)
  await signOnEthereum(before.page, address)
  await before.context.close()

  // This time it is the last word of the server that gets lost.
  const kills = await killedAt(page, '**/recovery/changes/*/confirm', { heard: true, times: 1 })
  await changeTo(page, 'password', known)
  expect(kills()).toBe(1)
  await signOnEthereum(page, address)
  const after = await anotherDevice(browser, demo, email)
  await signOnEthereum(after.page, address, () => recoverBy(after.page, 'password', known))
  await after.context.close()

  await killedAt(page, '**/recovery/changes', { heard: false, times: 2 })
  await changeTo(page, 'automatic', {}, async () => {
    await expect(somethingWrong(page)).toBeVisible({ timeout: limit(40_000) })
    await expect(dialogOf(page).getByText('Unable to set recovery on wallet')).toBeVisible()
    await press(page, 'Try again')
  })
  await signOnEthereum(page, address)
})

test('a server that is down while a wallet is made ends in words; when it is back, there is one wallet @soak', async ({
  page,
  demo,
  browser,
}) => {
  const email = emailOf('down')
  let down: 'no' | 'soon' | 'yes' = 'soon'
  await page.route(`${demo.api}/**`, async (route) => {
    const created = route.request().method() === 'POST' && route.request().url().endsWith('/embedded_wallets')
    if (created && down === 'soon') {
      // It goes down with the answer in its hands.
      down = 'yes'
      await route.fetch()
    }
    return down === 'yes' ? route.abort('connectionrefused') : route.continue()
  })
  await visit(page, demo, email)
  await expect(somethingWrong(page)).toBeVisible({ timeout: limit(60_000) })
  await expect(dialogOf(page).getByText("We can't reach the server. Check your connection.")).toBeVisible()
  down = 'no'
  await press(page, 'Try again')
  await untilIn(page)
  const [address = ''] = await addressesOf(page)
  await signOnEthereum(page, address)
  const other = await anotherDevice(browser, demo, email)
  expect(await addressesOf(other.page)).toEqual([address])
  await signOnEthereum(other.page, address)
  await other.context.close()
})
