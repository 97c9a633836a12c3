/** The frame in which the vault shows a key: on another site than the host's page, as it will be. */
import { AxeBuilder } from '@axe-core/playwright'
import type { FrameLocator, Locator, Page } from '@playwright/test'
import { base58 } from '@scure/base'
import { Keypair } from '@solana/web3.js'
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { words } from '../../src/vault/export/words.ts'
import { expect, test } from './support/demo.ts'
import { pressInSight } from './support/embedded.ts'
import { dark, type ExportSite, light, openHost, viewOf } from './support/export-site.ts'
import { untilDrawnFor, untilIdle } from './support/idle.ts'

const show = (frame: FrameLocator) => frame.getByRole('button', { name: words.showKey })
const key = (frame: FrameLocator) => frame.getByRole('group', { name: words.key }).locator('code')
const status = (frame: FrameLocator) => frame.getByRole('status')
/** Time enough for a press: the browser looks every tenth of a second whether a button has been in sight for half a second. */
const untilSeen = (button: Locator) => untilDrawnFor(button, 1_000)
const clipboard = async (page: Page) => {
  await page.locator('#elsewhere').click()
  return page.evaluate(() => navigator.clipboard.readText())
}

/** Everything that the host's page could have got hold of, in this page from now on. */
async function hookPage(page: Page): Promise<() => Promise<string>> {
  await page.addInitScript(() => {
    const held: string[] = []
    Object.assign(window, { held })
    const keep = (...values: unknown[]) => {
      for (const value of values)
        try {
          held.push(typeof value === 'string' ? value : JSON.stringify(value))
        } catch {
          held.push(String(value))
        }
    }
    window.addEventListener('message', (event) => keep(event.data), true)
    for (const [owner, name] of [
      [MessagePort.prototype, 'postMessage'],
      [window, 'postMessage'],
      [window, 'fetch'],
      [Storage.prototype, 'setItem'],
      [JSON, 'parse'],
      [JSON, 'stringify'],
      [Array.prototype, 'push'],
      [TextDecoder.prototype, 'decode'],
    ] as const) {
      const real = Reflect.get(owner, name) as (...args: unknown[]) => unknown
      Object.defineProperty(owner, name, {
        configurable: true,
        value(this: unknown, ...args: unknown[]) {
          if (this !== held) for (const arg of args) if (typeof arg === 'string') held[held.length] = arg
          return real.apply(this, args)
        },
      })
    }
    const hear = Object.getOwnPropertyDescriptor(MessagePort.prototype, 'onmessage')
    Object.defineProperty(MessagePort.prototype, 'onmessage', {
      configurable: true,
      get() {
        return hear?.get?.call(this)
      },
      set(listener: ((event: MessageEvent) => void) | null) {
        hear?.set?.call(
          this,
          listener &&
            ((event: MessageEvent) => {
              keep(event.data)
              listener(event)
            }),
        )
      },
    })
  })
  return () =>
    page.evaluate(() => {
      const { held } = window as unknown as { held: string[] }
      return [...held, document.documentElement.outerHTML, JSON.stringify(localStorage), location.href].join(
        '\n',
      )
    })
}

test('the frame that shows a key shows the key and the phrase that other wallets make the same address of, and tells nobody else', async ({
  page,
  exportSite: site,
}) => {
  const told = await hookPage(page)
  const me = await openHost(page, site, 'did:privy:shows')
  const frame = await me.export()
  await me.hears('ready')
  await expect(frame.getByText(words.warning)).toBeVisible()
  await expect(frame.getByText(me.address)).toBeVisible()
  await pressInSight(page, show(frame), key(frame))
  const privateKey = (await key(frame).textContent()) ?? ''
  expect(privateKeyToAccount(privateKey as `0x${string}`).address).toBe(me.address)
  // After a move the button has to be visible for a while again.
  const well = frame.getByRole('group', { name: words.phrase })
  await pressInSight(page, frame.getByRole('button', { name: words.showPhrase }), well)
  const list = well.getByRole('listitem')
  await expect(list).toHaveCount(12)
  const phrase = (await list.allTextContents()).join(' ')
  expect(mnemonicToAccount(phrase).address).toBe(me.address)
  await expect(frame.getByText("m/44'/60'/0'/0/0")).toBeVisible()
  expect(await me.heard()).toEqual(['ready', 'key shown', 'phrase shown'])

  const got = `${await told()}\n${site.asked.join('\n')}`
  expect(got).toContain('"how":"shown"')
  const secrets = [privateKey, privateKey.slice(2), phrase, ...(phrase.match(/(\w+ ){3}\w+/g) ?? [])]
  const forms = secrets.flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    btoa(secret).replaceAll('=', ''),
  ])
  expect(forms.filter((form) => got.includes(form))).toEqual([])
  const inAddress = site.asked.filter((line) => (line.split(' ')[2] ?? '').includes(me.accessToken))
  expect(inAddress).toEqual([])
  console.log(`Export: ${forms.length} forms of secrets, 0 found by a hooked host page and its servers`)
})

test('the frame that shows a key shows a Solana key, and an imported one without a phrase @soak', async ({
  page,
  exportSite: site,
}) => {
  const me = await openHost(page, site, 'did:privy:solana')
  const { publicKey = '' } = await me.ask('privy:solana-wallet:create')
  let frame = await me.export({ address: publicKey, chainType: 'solana' })
  await me.hears('ready')
  await pressInSight(page, show(frame), key(frame))
  const bytes = base58.decode((await key(frame).textContent()) ?? '')
  expect(Keypair.fromSecretKey(bytes).publicKey.toBase58()).toBe(publicKey)
  await expect(frame.getByText("m/44'/501'/0'/0'")).toBeVisible()
  await me.close()

  const privateKey = `0x${'5d'.repeat(32)}`
  const imported = await me.ask('privy:wallets:import', { chainType: 'ethereum', privateKey })
  const address = imported.address ?? ''
  frame = await me.export({ address, rootAddress: address, imported: true })
  await expect(frame.getByText(words.importedNote)).toBeVisible()
  await expect(frame.getByRole('button', { name: words.showPhrase })).toHaveCount(0)
  await pressInSight(page, show(frame), key(frame))
  await expect(key(frame)).toHaveText(privateKey)
})

test('the frame that shows a key hides again after a minute, and whenever the person turns to something else @soak', async ({
  page,
  exportSite: site,
}) => {
  await page.clock.install()
  const me = await openHost(page, site, 'did:privy:hides')
  const frame = await me.export()
  await me.hears('ready')
  await pressInSight(page, show(frame), key(frame))
  await page.locator('#elsewhere').click()
  await expect(key(frame)).toHaveCount(0)
  await pressInSight(page, show(frame), key(frame))
  await page.clock.fastForward(59_000)
  await expect(key(frame)).toBeVisible()
  await page.clock.fastForward(1_500)
  await expect(key(frame)).toHaveCount(0)
  await expect(status(frame)).toHaveText(words.hidden)
  await pressInSight(page, show(frame), key(frame))
  await frame.getByRole('button', { name: words.hideKey }).click()
  await expect(key(frame)).toHaveCount(0)
})

test('the frame that shows a key copies, says so, and empties the clipboard after a minute @soak', async ({
  page,
  exportSite: site,
  context,
}) => {
  await page.clock.install()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: site.origin('host') })
  const me = await openHost(page, site, 'did:privy:copies')
  const frame = await me.export()
  await me.hears('ready')
  const copied = frame.getByText(words.copied)
  await pressInSight(page, frame.getByRole('button', { name: words.copyKey }), copied)
  expect(await me.heard()).toContain('key copied')
  const text = await clipboard(page)
  expect(privateKeyToAccount(text as `0x${string}`).address).toBe(me.address)

  // The person is elsewhere when the minute is over, so it happens as soon as they are back.
  await page.clock.fastForward(61_000)
  expect(await clipboard(page)).toBe(text)
  await frame.getByText(words.warning).click()
  await expect(status(frame)).toHaveText(words.cleared)
  expect(await clipboard(page)).toBe('')

  await pressInSight(page, frame.getByRole('button', { name: words.copyPhrase }), copied)
  expect(mnemonicToAccount(await clipboard(page)).address).toBe(me.address)
})

test('the frame that shows a key works by keyboard alone @soak', async ({ page, exportSite: site }) => {
  const me = await openHost(page, site, 'did:privy:keyboard')
  const frame = await me.export()
  await me.hears('ready')
  await untilSeen(show(frame))
  await page.locator('#elsewhere').focus()
  await page.keyboard.press('Tab')
  await expect(show(frame)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(key(frame)).toBeVisible()
  await expect(frame.getByRole('button', { name: words.hideKey })).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.press('Tab')
  await expect(frame.getByRole('button', { name: words.copyKey })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(frame.getByRole('group', { name: words.key })).toBeFocused()
})

test('the frame that shows a key takes no press that a person did not make, or could not see @soak', async ({
  page,
  exportSite: site,
}) => {
  await page.clock.install()
  const me = await openHost(page, site, 'did:privy:sight')
  const tricks: Record<string, string> = {
    'opacity of the frame': '#place iframe{opacity:.01}',
    'opacity above it': '#place{opacity:.02}',
    'a filter': '#place iframe{filter:blur(3px)}',
    'a filter of the root': 'html{filter:grayscale(1)}',
    'a clip': '#place iframe{clip-path:inset(0 0 90% 0)}',
    'a scale': '#place iframe{transform:scale(.2)}',
    'a rotation': '#place iframe{transform:rotate(8deg)}',
    'a blend': '#place iframe{mix-blend-mode:multiply}',
    'a cover': 'body::after{content:"";position:fixed;inset:0;background:#fff;pointer-events:none;z-index:9}',
    'a cover of backdrop filters':
      'body::after{content:"";position:fixed;inset:0;backdrop-filter:blur(9px);pointer-events:none;z-index:9}',
  }
  let taken = 0
  let arrived = 0
  for (const [name, css] of Object.entries(tricks)) {
    const style = await page.addStyleTag({ content: css })
    const frame = await me.export()
    await me.hears('ready')
    await untilSeen(show(frame))
    // Some of them prevent the click from arriving at all.
    await show(frame).click({ force: true })
    await untilIdle(page)
    const said = (await status(frame).textContent()) ?? ''
    expect.soft(['', words.pressAgain], name).toContain(said)
    if (said !== '') arrived++
    taken += await key(frame).count()
    await me.close()
    await style.evaluate((node) => node.parentNode?.removeChild(node))
    await page.evaluate(() => window.exportHost.heard.splice(0))
  }
  const frame = await me.export()
  await me.hears('ready')
  await untilSeen(show(frame))
  // A synthetic click.
  await show(frame).evaluate((button: HTMLElement) => {
    button.click()
    button.dispatchEvent(new MouseEvent('click', { bubbles: true }))
  })
  taken += await key(frame).count()
  // Covered until a moment ago: the page's clock is stopped from here on.
  await page.clock.pauseAt(Date.now() + 60_000)
  const style = await page.addStyleTag({ content: tricks['a cover'] ?? '' })
  await untilSeen(show(frame))
  await style.evaluate((node) => node.parentNode?.removeChild(node))
  await untilSeen(show(frame))
  await show(frame).click()
  await expect(status(frame)).toHaveText(words.pressAgain)
  taken += await key(frame).count()
  console.log(
    `Presses that nobody made or could see: ${taken} of ${Object.keys(tricks).length + 3} taken, ${arrived} refused in words`,
  )
  expect(taken).toBe(0)
  expect(arrived).toBeGreaterThanOrEqual(Object.keys(tricks).length - 3)
  await page.clock.runFor(600)
  await show(frame).click()
  await expect(key(frame)).toBeVisible()
})

test('the frame that shows a key is in full sight in a modal dialog like the kit’s own @soak', async ({
  page,
  exportSite: site,
}) => {
  const me = await openHost(page, site, 'did:privy:dialog')
  await page.addStyleTag({
    content:
      'dialog{border:0;border-radius:24px;overflow:hidden;box-shadow:0 8px 24px #0004}dialog::backdrop{background:#0008;backdrop-filter:blur(4px)}',
  })
  await page.evaluate(() => {
    const dialog = document.createElement('dialog')
    const root = dialog.appendChild(document.createElement('div')).attachShadow({ mode: 'open' })
    const place = document.getElementById('place')
    document.body.append(dialog)
    const slot = document.createElement('slot')
    root.append(slot)
    if (place) root.host.append(place)
    dialog.showModal()
  })
  const frame = await me.export()
  await me.hears('ready')
  await pressInSight(page, show(frame), key(frame))
})

test('the frame that shows a key opens once for a ticket, and only for a wallet that is on this device @soak', async ({
  page,
  exportSite: site,
  browser,
}) => {
  const me = await openHost(page, site, 'did:privy:ticket')
  await me.export({ ticket: 'spent already' })
  await me.hears(/failed unknown_embedded_wallet_error/)
  await me.export({ address: `0x${'ab'.repeat(20)}` })
  await me.hears(/failed invalid_request_arguments/)
  await expect(page.locator('#place iframe')).toHaveCount(0)

  const elsewhere = await browser.newContext()
  const another = await elsewhere.newPage()
  const them = await openHost(another, site, 'did:privy:ticket')
  await them.export()
  await them.hears(/failed wallet_not_on_device/)
  await elsewhere.close()
})

test('the frame that shows a key hears one hello, of its parent and an allowed origin, and one token @soak', async ({
  page,
  exportSite: site,
}) => {
  const me = await openHost(page, site, 'did:privy:hello')
  const frame = await me.export()
  await me.hears('ready')
  const answers = await page.evaluateHandle(() => {
    const target = document.querySelector<HTMLIFrameElement>('#place iframe')?.contentWindow
    const heard: unknown[] = []
    for (const hello of ['privy:export:connect', { type: 'privy:export:connect' }, 'x']) {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = ({ data }) => heard.push(data)
      target?.postMessage(hello, '*', [port2])
      port1.postMessage({ type: 'token', accessToken: 'another' })
    }
    target?.postMessage('privy:export:connect', '*')
    return heard
  })
  // The key comes after everything that was said before.
  await pressInSight(page, show(frame), key(frame))
  await me.hears('key shown')
  expect(await answers.jsonValue()).toEqual([])
})

test('a frame that is refused, stays silent or loads anew is told, and taken away @soak', async ({
  page,
  exportSite: site,
}) => {
  const heard = () => page.evaluate(() => window.exportHost.heard)
  const open = () =>
    page.evaluate(([view]) => window.exportHost.open(view, 'token'), [
      viewOf(`0x${'12'.repeat(20)}`),
    ] as const)
  await page.goto(`${site.origin('host')}/strict`)
  await page.waitForFunction(() => window.exportHost !== undefined)
  await open()
  await expect.poll(heard).toEqual([expect.stringContaining('failed vault_unavailable')])

  await page.clock.install()
  await page.route('**/export.js', (route) => route.abort())
  await page.goto(site.origin('host'))
  await page.waitForFunction(() => window.exportHost !== undefined)
  await open()
  await page.clock.fastForward(31_000)
  await expect.poll(heard).toEqual([expect.stringContaining('failed vault_timeout')])
  await page.unroute('**/export.js')

  const me = await openHost(page, site, 'did:privy:reload')
  await me.export()
  await me.hears('ready')
  const inside = page.frames().find((each) => each.url().startsWith(site.exportPath))
  await inside?.evaluate(() => location.reload()).catch(() => {})
  await me.hears(/failed vault_crashed/)
  await expect(page.locator('#place iframe')).toHaveCount(0)
})

test('the frame that shows a key does nothing in a page that may not frame it, and nothing on its own @soak', async ({
  page,
  exportSite: site,
}) => {
  const me = await openHost(page, site, 'did:privy:evil')
  const query = `address=${me.address}&primaryAddress=${me.address}&walletIndex=0`
  const address = `${site.exportPath}?${query}#token=${me.accessToken}`
  const before = site.asked.length
  const frameIn = async (open: () => Promise<unknown>) => {
    await open()
    await untilIdle(page)
    const found = page.frames().find((each) => each.url().startsWith(site.exportPath))
    return (await found?.evaluate(() => document.body.childElementCount).catch(() => 0)) ?? 0
  }
  const framed = (src: string) => () =>
    page.evaluate((src) => {
      const frame = document.createElement('iframe')
      frame.src = src
      document.body.append(frame)
    }, src)
  await page.goto(site.origin('evil'))
  expect(await frameIn(framed(address))).toBe(0)
  expect(await frameIn(() => page.goto(address))).toBe(0)
  expect(site.asked.slice(before).filter((line) => line.startsWith('POST'))).toEqual([])
})

test.describe('the frame that shows a key, for a compatible client,', () => {
  const openCompatible = async (page: Page, src: string) => {
    await page.evaluate((src) => {
      const frame = document.createElement('iframe')
      Object.assign(frame, { src, height: '44', width: '360', allow: 'clipboard-write', id: 'theirs' })
      frame.style.border = '0'
      document.getElementById('place')?.append(frame)
    }, src)
    return page.frameLocator('#theirs')
  }
  const addressOf = (site: ExportSite, address: string, more = {}) =>
    `${site.exportPath}?${new URLSearchParams({ client_id: '', primaryAddress: address, address, walletIndex: '0', width: '360px', caid: '', phrase_export: 'true', ...light, ...more })}`

  test('has one button at 44 pixels of height, and its token is gone from the address at once @soak', async ({
    page,
    exportSite: site,
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: site.origin('host') })
    const me = await openHost(page, site, 'did:privy:compatible')
    const frame = await openCompatible(page, `${addressOf(site, me.address)}#token=${me.accessToken}`)
    const button = frame.getByRole('button')
    await expect(button).toHaveText(words.copyKey)
    expect(await button.count()).toBe(1)
    const inside = page.frames().find((each) => each.url().startsWith(site.exportPath))
    expect(await inside?.evaluate(() => location.href)).not.toContain(me.accessToken)
    expect((await button.boundingBox())?.height).toBe(44)
    await pressInSight(page, button, frame.getByText(words.copiedShort))
    expect(privateKeyToAccount((await clipboard(page)) as `0x${string}`).address).toBe(me.address)
  })

  test('refuses a token in the query in clear words, and a bad one as well @soak', async ({
    page,
    exportSite: site,
  }) => {
    const me = await openHost(page, site, 'did:privy:query')
    for (const name of ['token', 'access_token', 'accessToken', 'jwt', 'anything']) {
      const frame = await openCompatible(page, addressOf(site, me.address, { [name]: me.accessToken }))
      await expect(frame.getByRole('alert')).toHaveText(words.tokenInAddress)
      const inside = page.frames().find((each) => each.url().startsWith(site.exportPath))
      expect(await inside?.evaluate(() => location.search)).toBe('')
      await page.evaluate(() => document.getElementById('theirs')?.remove())
    }
    const frame = await openCompatible(page, `${addressOf(site, me.address)}#token=nonsense`)
    await expect(frame.getByRole('alert')).toHaveText('The access token is malformed')
  })
})

for (const [name, colors] of [
  ['light', light],
  ['dark', dark],
] as const)
  test(`the frame that shows a key is accessible in a ${name} theme, and drawn in it @soak`, async ({
    page,
    exportSite: site,
  }) => {
    const me = await openHost(page, site, `did:privy:${name}`)
    const frame = await me.export({ colors })
    await me.hears('ready')
    await pressInSight(page, show(frame), key(frame))
    const shots = process.env.LATCHKEY_SHOTS
    if (shots) await page.screenshot({ path: `${shots}/export-${name}.png` })
    const { violations } = await new AxeBuilder({ page }).include(['#place', 'iframe']).analyze()
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
    const drawn = await frame.locator('html').evaluate((html) => getComputedStyle(html).backgroundColor)
    expect(drawn).toBe(name === 'light' ? 'rgb(255, 255, 255)' : 'rgb(22, 23, 29)')
  })

test('a theme that would hide the words is not followed @soak', async ({ page, exportSite: site }) => {
  const me = await openHost(page, site, 'did:privy:theme')
  const same = Object.fromEntries(Object.keys(light).map((name) => [name, '#fefefe'])) as typeof light
  const frame = await me.export({
    colors: { ...same, accent: 'url(https://evil.example/x)', success: 'var(--x)' },
  })
  await me.hears('ready')
  const color = (what: string) =>
    frame
      .locator(what)
      .first()
      .evaluate((node) => getComputedStyle(node).color)
  expect(await color('.note')).toBe('rgb(0, 0, 0)')
  expect(await color('button')).toBe('rgb(254, 254, 254)')
  expect(site.asked.filter((line) => line.includes('evil.example') && !line.includes('/export?'))).toEqual([])
})
