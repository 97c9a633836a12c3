/** Every way in beside e-mail and passkeys: linked, seen in all tabs, refused a second time, taken over, and unlinked. */

import { randomBytes } from 'node:crypto'
import type { BrowserContext, Page } from '@playwright/test'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createSolanaWallet } from '../../demo/world/wallet/solana.ts'
import type { LoginMethod } from '../../src/index.ts'
import { limit } from '../support/limit.ts'
import { codeBoxes, openWindow, pressIn } from './support/approval.ts'
import { type Demo, emailOf, expect, logIn, mailedCode, test, watchPage } from './support/demo.ts'
import { untilClosed } from './support/embedded.ts'
import {
  app,
  askToLink,
  entry,
  friend,
  heading,
  idOf,
  openTab,
  signInThere,
  somebody,
  told,
} from './support/linking.ts'
import { giveWallets } from './support/wallets.ts'
import { pressAndClose } from './support/windows.ts'

interface Way {
  readonly name: string
  readonly method: LoginMethod
  /** An account of this kind that nobody has yet. */
  account(demo: Demo): Account
}
interface Account {
  /** What the page lists it as. */
  readonly shown: string
  /** What a browser has to have for it. */
  prepare?(context: BrowserContext): Promise<void>
  /** Asks to link it, and proves that it is the person's, as often as somebody does. */
  link(page: Page): Promise<void>
  /** The question whether to take it over; the protocol has no way to for the others. */
  readonly conflict?: string
  /** What a second account of this kind is refused with. */
  readonly limit: string
  /** Whether that is only found out once the account is known. */
  readonly asksFirst?: true
}

const someName = (of: string) => `${of}.${randomBytes(4).toString('hex')}`
const windowOf = async (page: Page, press: () => Promise<void>): Promise<Page> => {
  const [popup] = await Promise.all([page.waitForEvent('popup'), press()])
  return popup
}
/** Asks to link by a window, which only a press in the dialog can open. */
async function openedFor(page: Page, method: LoginMethod, name: string): Promise<Page> {
  await askToLink(page, method)
  return windowOf(page, () => page.getByRole('button', { name: `Open ${name}` }).click())
}
const limitOf = (name: string) => `User already has an account of type ${name} linked.`

const names: Partial<Record<LoginMethod, string>> = { linkedin: 'LinkedIn', tiktok: 'TikTok' }
const nameOf = (method: LoginMethod) => names[method] ?? `${method[0]?.toUpperCase()}${method.slice(1)}`

function ethereumWay(demo: Demo): Account {
  const privateKey = generatePrivateKey()
  const { address } = privateKeyToAccount(privateKey)
  return {
    shown: address,
    prepare: (context) =>
      giveWallets(context, {
        ethereum: [{ name: 'MetaMask', rdns: 'io.metamask', privateKey }],
        solana: [],
        chains: demo.chains,
      }),
    link: (page) => askToLink(page, 'metamask'),
    conflict: 'This wallet address is associated with another account',
    limit: 'Wallet was already linked.',
    asksFirst: true,
  }
}

function solanaWay(demo: Demo): Account {
  const secretKey = randomBytes(32).toString('hex')
  return {
    shown: createSolanaWallet({ secretKey, name: 'Any' }).address,
    prepare: (context) =>
      giveWallets(context, {
        ethereum: [],
        chains: demo.chains,
        solana: [{ name: 'Solflare', secretKey }],
      }),
    async link(page) {
      await page.evaluate(() => {
        const linker = document.querySelector('account-link')
        if (linker) linker.config = { ...linker.config, appearance: { walletChainType: 'solana-only' } }
      })
      await askToLink(page, 'wallet')
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Solflare/ })
        .click()
    },
    limit: 'Wallet was already linked.',
    asksFirst: true,
  }
}

function telegramWay(): Account {
  const name = someName('Tess')
  return {
    shown: 'telegram',
    async link(page) {
      const popup = await windowOf(page, () => askToLink(page, 'telegram'))
      await popup.getByLabel('Name').fill(name)
      await pressAndClose(popup, 'Accept')
    },
    conflict: 'This Telegram profile is associated with another account',
    limit: limitOf('telegram'),
  }
}

function farcasterWay(): Account {
  const fid = String(10_000 + Math.floor(Math.random() * 1_000_000))
  return {
    shown: 'farcaster',
    async link(page) {
      await askToLink(page, 'farcaster')
      const uri = (await page.locator('[data-qr] a').getAttribute('href')) ?? ''
      const phone = await page.context().newPage()
      await phone.goto(uri)
      await phone.getByLabel('Another fid').fill(fid)
      await phone.getByRole('button', { name: 'Approve', exact: true }).click()
      await expect(heading(phone, 'You are signed in')).toBeVisible()
      await phone.close()
    },
    conflict: 'This Farcaster profile is associated with another account',
    limit: limitOf('farcaster'),
  }
}

function friendWay(demo: Demo): Account {
  const email = emailOf('friend')
  const known = new Set<BrowserContext>()
  return {
    shown: 'cross_app',
    async link(page) {
      const popup = await openedFor(page, friend, 'Friendly App')
      if (!known.has(page.context())) {
        await popup.getByRole('button', { name: 'Log in' }).click()
        await logIn(popup, demo, email)
        known.add(page.context())
      }
      await popup.getByRole('button', { name: 'Allow' }).click({ timeout: limit(20_000) })
      await pressIn(await openWindow(popup, page.context()), 'Allow')
    },
    limit: limitOf('cross-app'),
  }
}

/** By leaving the page, or by a window. */
function providerWay(method: LoginMethod, by: 'redirect' | 'window'): Account {
  const account = someName('ada')
  return {
    shown: method,
    async link(page) {
      if (by === 'redirect') {
        await askToLink(page, method)
        await signInThere(page, account)
      } else await signInThere(await openedFor(page, method, nameOf(method)), account)
    },
    conflict: `This ${nameOf(method)} profile is associated with another account`,
    limit: limitOf(method),
  }
}

const ways: Way[] = [
  { name: 'a wallet on Ethereum', method: 'metamask', account: ethereumWay },
  { name: 'a wallet on Solana', method: 'wallet', account: solanaWay },
  { name: 'a Telegram profile', method: 'telegram', account: telegramWay },
  { name: 'a Farcaster profile', method: 'farcaster', account: farcasterWay },
  { name: 'an account of another app', method: friend, account: friendWay },
  ...(['google', 'apple', 'twitter', 'discord', 'linkedin', 'spotify', 'instagram', 'tiktok'] as const).map(
    (method): Way => ({
      name: `${/^[ai]/.test(method) ? 'an' : 'a'} ${nameOf(method)} profile`,
      method,
      account: () => providerWay(method, 'redirect'),
    }),
  ),
  {
    name: 'a Google profile, by a window,',
    method: 'google',
    account: () => providerWay('google', 'window'),
  },
  { name: 'an Apple profile, by a window,', method: 'apple', account: () => providerWay('apple', 'window') },
]

for (const { name, method, account } of ways)
  test(`${name} is linked and seen in the other tab, once only, goes to whoever shows it next, and is unlinked in another tab @soak`, async ({
    browser,
    demo,
  }) => {
    const own = account(demo)
    const given = {
      ...(own.prepare && { prepare: own.prepare }),
      query: name.includes('window') ? '&popup' : '',
    }
    const ada = await somebody(browser, demo, emailOf('ada'), given)
    const problems = watchPage(ada.page)
    const other = await openTab(ada.context, demo)
    await own.link(ada.page)
    await expect(entry(ada.page, own.shown)).toBeVisible()
    await untilClosed(ada.page)
    await expect(entry(other, own.shown)).toBeVisible()
    expect(await told(ada.page)).toMatch(/account-link · lk-link/)
    expect(await told(ada.page)).not.toMatch(/lk-login/)

    if (own.asksFirst) await own.link(ada.page)
    else await askToLink(ada.page, method)
    await expect(ada.page.getByText(own.limit).first()).toBeVisible()
    await ada.page.getByRole('button', { name: 'Close' }).last().click()
    await untilClosed(ada.page)
    expect(problems).toEqual([])

    const bob = await somebody(browser, demo, emailOf('bob'), given)
    await own.link(bob.page)
    if (own.conflict) {
      await expect(heading(bob.page, own.conflict)).toBeVisible()
      await bob.page.getByRole('button', { name: 'Transfer and delete account' }).click()
    } else {
      const refusal = 'This account has already been linked to another user.'
      await expect(bob.page.getByText(refusal).first()).toBeVisible()
      await bob.page.getByRole('button', { name: 'Close' }).last().click()
      await untilClosed(bob.page)
      await entry(other, own.shown).getByRole('button', { name: 'Unlink' }).click()
      await expect(entry(ada.page, own.shown)).toHaveCount(0)
      await own.link(bob.page)
    }
    await expect(entry(bob.page, own.shown)).toBeVisible()
    await untilClosed(bob.page)
    expect(await bob.page.locator('#user-id').textContent()).toBe(bob.id)
    if (own.conflict) {
      await ada.page.reload()
      await expect(ada.page.locator('#status')).toHaveText('You are logged out.')
    }

    const another = await openTab(bob.context, demo)
    await entry(another, own.shown).getByRole('button', { name: 'Unlink' }).click()
    await expect(entry(another, own.shown)).toHaveCount(0)
    await expect(entry(bob.page, own.shown)).toHaveCount(0)
    await Promise.all([ada.context.close(), bob.context.close()])
  })

test('a guest who links an e-mail address is somebody, with the same id; nobody is made a guest or somebody of another login by linking @soak', async ({
  page,
  context,
  demo,
}) => {
  await page.goto(`${demo.site}/?app=${app}&methods=email`)
  await page.locator('#guest').click()
  await expect(page.locator('#status')).toHaveText('You are a guest.')
  const id = await idOf(page)
  await askToLink(page, 'email')
  const email = emailOf('guest')
  const since = Date.now() - 1000
  await page.getByLabel('Email address').fill(email)
  await page.getByRole('button', { name: 'Submit' }).click()
  await (await codeBoxes(page)).pressSequentially(await mailedCode(demo, email, since))
  // The guest has a wallet, so its window confirms the change.
  await pressIn(await openWindow(page, context), 'Add')
  await expect(entry(page, email)).toBeVisible()
  await untilClosed(page)
  await expect(page.locator('#status')).toHaveText('You are logged in.')
  expect(await idOf(page)).toBe(id)
  for (const method of ['guest', 'custom']) {
    await askToLink(page, method as LoginMethod)
    await expect(page.locator('#trace li').first()).toHaveText('link() rejected: not_supported')
    await expect(page.getByRole('dialog')).toBeHidden()
  }
})
