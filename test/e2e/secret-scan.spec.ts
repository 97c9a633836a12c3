/** What a script that was planted in the host's page gets hold of in all that a person does with their wallets. */

import type { Browser, BrowserContext, Page } from '@playwright/test'
import { base58 } from '@scure/base'
import { mnemonicToEntropy, mnemonicToSeedSync } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import type { LoginModal } from '../../src/index.ts'
import { words } from '../../src/vault/export/words.ts'
import { limit } from '../support/limit.ts'
import { ownSignIn } from '../support/own-sign-in.ts'
import { frameOf, look, openWindow, pressIn } from './support/approval.ts'
import { keeps, ownKey, strictKeeps } from './support/apps.ts'
import { type Demo, emailOf, expect, test } from './support/demo.ts'
import { eavesdrop, type Heard, overheard } from './support/eavesdropper.ts'
import {
  addressesOf,
  changeTo,
  choosePasswordIn,
  closeExport,
  createBy,
  dialogOf,
  driveNames,
  entryOf,
  type Known,
  type Method,
  open,
  openExport,
  press,
  pressInSight,
  readExport,
  recoverBy,
  signOnEthereum,
  signOnSolana,
  untilClosed,
  untilIn,
  visit,
  visitDrive,
} from './support/embedded.ts'
import { untilIdle } from './support/idle.ts'
import { type Secret, secretsIn, secretText, spellings } from './support/secret-search.ts'
import { signedInContext } from './support/signed-in.ts'

/**
 * What the vault sends to servers and drives and receives from them, and which of it nobody else may know.
 */
function watchVault(page: Page, demo: Demo, secrets: Map<string, Secret>): void {
  const confidential =
    /"(auth_share|package|recovery_package|recovery_key|key|evaluation|secret)":\s*(?:\{"value":\s*)?"([\w.-]{22,})"/g
  const read = (text: string) => {
    for (const [, name = '', value = ''] of text.matchAll(confidential))
      secrets.set(value, secretText(name, value))
  }
  page.on('request', (request) => {
    if (request.frame().url().startsWith(demo.vault)) read(request.postData() ?? '')
  })
  page.on('response', async (response) => {
    if (!response.frame().url().startsWith(demo.vault)) return
    read(await response.text().catch(() => ''))
  })
}

test('a page that hooks everything overhears no secret in any flow of the wallets @soak', async ({
  demo,
  browser,
}) => {
  const email = emailOf('overheard')
  const known: Known = { password: 'harbor-tide&Lantern7', 'google-drive': 'my.drive', icloud: 'my.cloud' }
  const secrets = new Map<string, Secret>()
  const heard: (Heard & { flow: string })[] = []
  const flows: string[] = []

  /** Another device, on which somebody logs in or did so before. */
  async function device(login: 'by e-mail' | 'before') {
    const context =
      login === 'before' ? await signedInContext(browser, demo, email, keeps) : await browser.newContext()
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: demo.site })
    const page = await context.newPage()
    await eavesdrop(page, demo.site)
    watchVault(page, demo, secrets)
    const flow = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
      const came = await work()
      for (const each of await overheard(page)) heard.push({ ...each, flow: name })
      flows.push(name)
      return came
    }
    const close = async () => {
      await keepRefreshToken(context, demo, secrets)
      await context.close()
    }
    await flow(`login ${login}`, async () => {
      if (login === 'before') return open(page, demo, keeps)
      await visit(page, demo, email, keeps)
      await untilIn(page)
    })
    return { page, flow, close }
  }

  const first = await device('by e-mail')
  const { page, flow } = first
  const [ethereum = ''] = await addressesOf(page)
  const solana = await flow('create on Solana', () => createBy(page, '#create-solana'))
  await flow('sign on Ethereum', () => signOnEthereum(page, ethereum))
  await flow('sign on Solana', () => signOnSolana(page, solana))
  for (const [address, chain] of [
    [ethereum, 'Ethereum'],
    [solana, 'Solana'],
  ] as const)
    await flow(`export on ${chain}, shown and copied`, async () => {
      const frame = await openExport(page, address)
      const { key, phrase = '' } = await readExport(page, frame)
      const button = (name: string) => frame.getByRole('button', { name })
      const said = (text: string) => frame.getByRole('status').getByText(text, { exact: true })
      await pressInSight(page, button(words.copyKey), said(words.copied))
      // The same is said of both: something else comes in between.
      await pressInSight(page, button(words.hideKey), button(words.showKey))
      await pressInSight(page, button(words.showKey), said(words.shown))
      await pressInSight(page, button(words.copyPhrase), said(words.copied))
      const bytes = chain === 'Solana' ? base58.decode(key) : Buffer.from(key.slice(2), 'hex')
      expect(bytes).toHaveLength(chain === 'Solana' ? 64 : 32)
      secrets.set(key, { name: `private key on ${chain}`, bytes })
      if (chain === 'Solana') secrets.set('seed of the key', { name: 'seed of the key', bytes: bytes })
      secrets.set('phrase', secretText('phrase', phrase))
      secrets.set('entropy', { name: 'entropy', bytes: mnemonicToEntropy(phrase, wordlist) })
      secrets.set('seed', { name: 'seed', bytes: mnemonicToSeedSync(phrase) })
      await closeExport(page)
    })
  await first.flow('restored after a reload', async () => {
    await page.reload()
    await expect(page.locator('#address')).toHaveText(ethereum)
    await signOnEthereum(page, ethereum)
  })

  let last = first
  for (const method of ['automatic', 'password', 'google-drive', 'icloud'] satisfies Method[]) {
    if (method !== 'automatic')
      await last.flow(`set recovery: ${method}`, () => changeTo(last.page, method, known))
    await last.close()
    // Once more by e-mail, now that there is a wallet.
    last = await device(method === 'automatic' ? 'by e-mail' : 'before')
    const { page } = last
    await last.flow(`recover: ${method}`, () =>
      signOnEthereum(page, ethereum, () => recoverBy(page, method, known)),
    )
  }
  await last.flow('set recovery: automatic', () => changeTo(last.page, 'automatic', known))
  await last.flow('logout', async () => {
    await last.page.locator('#log-out').click()
    await expect(last.page.locator('#status')).toHaveText('You are logged out.')
  })
  await last.page.context().close()

  // A password goes to the vault in one message, whose receiver is the vault's own origin. While it is typed
  // and saved it is in the page's fields, where a script that alters every object's prototype meets it as well.
  const password = secretText('password', known.password ?? '')
  const withPassword = heard.filter(({ text }) => secretsIn(text, [password]).length > 0)
  const [typed, sent] = [true, false].map((isSetter) =>
    withPassword.filter(({ via }) => via.startsWith('setter ') === isSetter),
  )
  expect(sent?.map(({ flow, via }) => `${flow}, ${via}`)).toEqual([
    `set recovery: password, to frame ${demo.vault}`,
    `recover: password, to frame ${demo.vault}`,
  ])
  const left = heard.indexOf(sent?.[0] as (typeof heard)[number])
  expect(typed?.filter((each) => heard.indexOf(each) > left)).toEqual([])

  const all = [...secrets.values()]
  const names = [...new Set(all.map(({ name }) => name))].sort()
  for (const name of ['auth_share', 'phrase', 'private key on Ethereum', 'refresh token', 'secret'])
    expect(names).toContain(name)
  // One in each drive.
  expect(all.filter(({ name }) => name === 'secret')).toHaveLength(2)
  const texts = [...new Set(heard.map(({ text }) => text))]
  const hits = texts.flatMap((text) => secretsIn(text, all))
  console.log(
    [
      `Secret scan: ${flows.length} flows, ${heard.length} captured strings (${texts.length} different,`,
      `${new Set(heard.map(({ via }) => via)).size} places), ${all.length} secrets (${names.join(', ')}):`,
      `${hits.length} hits; the password after it was typed: only in the ${sent?.length} messages that carry it to the vault (${typed?.length} times while it was typed)`,
    ].join(' '),
  )
  expect(hits).toEqual([])
  // The scan does find what there is to find.
  for (const public_ of [ethereum, solana, email])
    expect(texts.some((text) => text.includes(public_))).toBe(true)
  expect(texts.some((text) => secretsIn(text, [secretText('address', ethereum)]).length > 0)).toBe(true)
})

/** A browser in which somebody uses an app that the vault draws for, on a page that hooks everything. */
async function inStrict(browser: Browser, demo: Demo) {
  const secrets = new Map<string, Secret>()
  const context = await browser.newContext()
  const page = await context.newPage()
  await eavesdrop(page, demo.site)
  watchVault(page, demo, secrets)
  context.on('page', (opened) => watchVault(opened, demo, secrets))
  // What is typed into the boxes, as it goes to the server.
  page.on('request', (request) => {
    if (!request.url().endsWith('/passwordless/authenticate')) return
    const { code } = request.postDataJSON() as { code: string }
    secrets.set(code, secretText('login code', code))
  })
  return { secrets, context, page, refresh: () => keepRefreshToken(context, demo, secrets) }
}

/** The refresh token of a browser, which is in a cookie that no page reads. */
async function keepRefreshToken(context: BrowserContext, demo: Demo, secrets: Map<string, Secret>) {
  const cookies = await context.cookies(`${demo.api}/api/v1/sessions`)
  const tokens = cookies.filter(({ name, httpOnly }) => httpOnly && name.includes('refresh'))
  const values = new Set(tokens.map(({ value }) => value))
  expect(values.size).toBe(1)
  for (const value of values) secrets.set(value, secretText('refresh token', value))
}

/** Six digits are a code where they stand alone; the same ones are in times and hashes by chance. */
function secretsHeard(texts: readonly string[], secrets: readonly Secret[]): string[] {
  const isCode = ({ name }: Secret) => name === 'login code'
  const others = secrets.filter((secret) => !isCode(secret))
  const codes = secrets.filter(isCode).map(({ bytes }) => Buffer.from(bytes).toString())
  const alone = new RegExp(`(?<![\\da-z])(${codes.join('|')})(?![\\da-z])`, 'i')
  return texts.flatMap((text) => [
    ...secretsIn(text, others),
    ...(codes.length > 0 && alone.test(text) ? ['login code'] : []),
  ])
}

test('a page that hooks everything overhears no secret while somebody logs in with a code and has a wallet, and the vault’s own frame and window sign', async ({
  demo,
  browser,
}) => {
  const { secrets, context, page, refresh } = await inStrict(browser, demo)
  await visit(page, demo, emailOf('approves'), strictKeeps)
  await untilIn(page)
  await refresh()
  const [address = ''] = await addressesOf(page)
  await entryOf(page, address).getByRole('button', { name: 'Export' }).click()
  const shown = await openWindow(page, context)
  const { key, phrase = '' } = await readExport(page, shown)
  await shown.getByRole('button', { name: 'Done' }).click()
  await untilClosed(page)
  secrets.set(key, { name: 'private key', bytes: Buffer.from(key.slice(2), 'hex') })
  secrets.set('phrase', secretText('phrase', phrase))
  secrets.set('entropy', { name: 'entropy', bytes: mnemonicToEntropy(phrase, wordlist) })
  secrets.set('seed', { name: 'seed', bytes: mnemonicToSeedSync(phrase) })
  const heard = await overheard(page)

  const sign = (message: string) =>
    page.evaluate(
      ([message, address]) => {
        const { kit } = document.querySelector('login-modal') as LoginModal
        const [own] = kit?.embeddedWallets.get() ?? []
        const provider = own?.getProvider() as unknown as { request(asked: object): Promise<string> }
        return provider.request({ method: 'personal_sign', params: [message, address] })
      },
      [message, address] as const,
    )
  const frame = dialogOf(page).frameLocator('iframe')

  const inFrame = sign(ownSignIn(page.url(), address))
  await frame.getByRole('button', { name: 'Sign and continue' }).waitFor()
  await look(page)
  await frame.getByRole('button', { name: 'Sign and continue' }).click()
  expect(await inFrame).toMatch(/^0x[0-9a-f]{130}$/)
  heard.push(...(await overheard(page)))

  const inWindow = sign(`0x${'80'.repeat(32)}`)
  await frame.getByRole('button', { name: 'Continue in a new window' }).waitFor()
  await look(page)
  const opening = context.waitForEvent('page')
  await frame.getByRole('button', { name: 'Continue in a new window' }).click()
  const opened = await opening
  await opened.getByRole('button', { name: 'Sign and continue' }).waitFor()
  await look(opened)
  await opened.getByRole('button', { name: 'Sign and continue' }).click()
  const signature = await inWindow
  heard.push(...(await overheard(page)))

  const texts = nothingOf('approvals', heard, secrets, [
    'login code',
    'refresh token',
    'auth_share',
    'phrase',
  ])
  // What the page is to have, the scan does see.
  expect(texts.some((text) => text.includes(signature))).toBe(true)
  await context.close()
})

/** Asserts that a page has heard none of the secrets, which are of these kinds at least. Returns what it has heard. */
function nothingOf(
  what: string,
  heard: readonly Heard[],
  secrets: ReadonlyMap<string, Secret>,
  kinds: readonly string[],
): string[] {
  const all = [...secrets.values()]
  const texts = [...new Set(heard.map(({ text }) => text))]
  const hits = secretsHeard(texts, all)
  const names = [...new Set(all.map(({ name }) => name))]
  console.log(
    `Secret scan of ${what}: ${heard.length} captured strings, ${all.length} secrets (${names.join(', ')}): ${hits.length} hits`,
  )
  expect(names).toEqual(expect.arrayContaining([...kinds]))
  expect(hits).toEqual([])
  return texts
}

const waysToKeep = ['password', 'google-drive', 'icloud'] as const
for (const method of waysToKeep)
  test(`a page that hooks everything overhears no secret of a wallet that is made with a ${method} of the person’s @soak`, async ({
    demo,
    browser,
  }) => {
    const { secrets, context, page, refresh } = await inStrict(browser, demo)
    const password = 'harbor-tide&Lantern7'
    await visit(page, demo, emailOf('makes'), ownKey)
    await press(page, method === 'password' ? /^Password/ : new RegExp(driveNames[method]))
    const frame = frameOf(page)
    if (method === 'password') {
      secrets.set('password', secretText('password', password))
      await frame.getByRole('heading', { name: 'Set your password' }).waitFor({ timeout: limit(20_000) })
      await choosePasswordIn(frame, password, () => look(page))
    } else {
      const window = await openWindow(page, context)
      await visitDrive(window, method, 'maker.one')
      await pressIn(window, 'Store recovery file')
    }
    await untilIn(page)
    await refresh()
    const texts = nothingOf(`creation by ${method}`, await overheard(page), secrets, [
      ...['login code', 'refresh token', method === 'password' ? 'password' : 'secret'],
    ])
    const [address = ''] = await addressesOf(page)
    expect(texts.some((text) => text.includes(address))).toBe(true)
    await context.close()
  })

test('the scan finds a secret in each place and each spelling @soak', async ({ page, demo }) => {
  await eavesdrop(page, demo.site)
  await page.goto(demo.site)
  await overheard(page)
  const bytes = new Uint8Array(32).map((_, at) => (at * 37 + 11) % 256)
  const secret: Secret = { name: 'decoy', bytes }
  const decoy = Buffer.from(bytes).toString('base64url')
  await page
    .evaluate(async (decoy) => {
      const bytes = Uint8Array.from(atob(decoy.replaceAll('-', '+').replaceAll('_', '/')), (one) =>
        one.charCodeAt(0),
      )
      fetch('/missing', { method: 'POST', body: decoy, headers: { 'x-decoy': decoy } }).catch(() => {})
      const request = new XMLHttpRequest()
      request.open('GET', `/missing?${decoy}`)
      window.postMessage({ deep: [{ decoy }] }, location.origin)
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => {}
      port2.postMessage(decoy)
      for (const storage of [localStorage, sessionStorage]) storage.setItem('decoy', decoy)
      JSON.parse(JSON.stringify({ decoy }))
      await crypto.subtle.digest('SHA-256', bytes)
      await crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt'])
      console.info(decoy)
      Object.assign({}, { privateKey: decoy })
      const polluted: { privateKey?: string } = {}
      polluted.privateKey = decoy
      customElements.define('x-decoy', class extends HTMLElement {}, { extends: decoy } as never)
    }, decoy)
    .catch(() => {})
  await untilIdle(page)
  const heard = await overheard(page)
  const places = new Set(
    heard.filter(({ text }) => secretsIn(text, [secret]).length > 0).map(({ via }) => via),
  )
  for (const place of [
    ...['fetch', 'XHR', 'MessagePort', 'setItem', 'JSON.parse', 'JSON.stringify', 'console'],
    ...['subtle.digest', 'customElements.define', 'setter privateKey', 'stored', `from ${demo.site}`],
  ])
    expect([...places]).toContain(place)

  const forms = spellings(bytes).flatMap((form) => [form, `{"a":"${form}"}`])
  const inside = Buffer.concat([Buffer.from('xy'), bytes, Buffer.from('z')])
  for (const encoding of ['hex', 'base64', 'base64url', 'latin1'] as const)
    forms.push(inside.toString(encoding))
  forms.pop()
  expect(forms.filter((form) => secretsIn(form, [secret]).length === 0)).toEqual([])
})
