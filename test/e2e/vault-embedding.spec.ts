/** In a real browser: who may hold the vault's frame, and who may speak to it. */
import type { BrowserContext, Page } from '@playwright/test'
import { eachOf, soak } from '../support/soak.ts'
import { expect, test } from './support/demo.ts'
import { allowedHost, answersIn, type Embedding, holding } from './support/embedding.ts'

/** Each layout around the vault, and the address of its outermost page. */
function layouts({
  allowed,
  origin,
  page,
  vaultPage,
}: Embedding): Record<'hostile' | 'good', [string, string][]> {
  const evil = origin('evil.localhost')
  const vault = { address: vaultPage }
  const at = (place: string) => page(place, vault)
  const inner = holding(vault)
  const opaque = 'allow-scripts'
  const hosts = [
    'evil.localhost',
    'localhost',
    '127.0.0.1',
    `${allowedHost}.`,
    `evil.${allowedHost}`,
    'host1.evil.localhost',
    `${allowedHost}.evil.localhost`,
    `evil${allowedHost}`,
    'vault.localhost',
  ]
  return {
    good: [
      ['the allowed page', at(allowed)],
      ['the allowed page in an allowed page', page(allowed, { address: at(allowed) })],
      ['a page of the allowed page’s own text', page(allowed, { text: inner, as: 'srcdoc' })],
    ],
    hostile: [
      ...hosts.map((host): [string, string] => [`the host ${host}`, at(origin(host))]),
      ['another port of the allowed host', at(origin(allowedHost, true))],
      ['the allowed host by https', at(`https://${allowedHost}`)],
      ['evil inside allowed', page(allowed, { address: at(evil) })],
      ['allowed inside evil', page(evil, { address: at(allowed) })],
      [
        'allowed inside evil inside allowed',
        page(allowed, { address: page(evil, { address: at(allowed) }) }),
      ],
      ['another port inside allowed', page(allowed, { address: at(origin(allowedHost, true)) })],
      ['the vault in a sandbox of the allowed page', page(allowed, { ...vault, sandbox: opaque })],
      ['the allowed page in a sandbox', page(allowed, { address: at(allowed), sandbox: opaque })],
      ['the allowed page in a sandbox of evil', page(evil, { address: at(allowed), sandbox: opaque })],
      ['evil without credentials', page(evil, { ...vault, credentialless: true })],
      ['srcdoc of evil', page(evil, { text: inner, as: 'srcdoc' })],
      [
        'srcdoc in a sandbox of the allowed page',
        page(allowed, { text: inner, as: 'srcdoc', sandbox: opaque }),
      ],
      ['data: of the allowed page', page(allowed, { text: inner, as: 'data' })],
      ['data: of evil', page(evil, { text: inner, as: 'data' })],
      ['blob: of evil', page(evil, { text: inner, as: 'blob' })],
      ['blob: in a sandbox of the allowed page', page(allowed, { text: inner, as: 'blob', sandbox: opaque })],
      ['an object of evil', page(evil, { ...vault, tag: 'object' })],
      ['an embed of evil', page(evil, { ...vault, tag: 'embed' })],
      [
        'an object of evil inside allowed',
        page(allowed, { address: page(evil, { ...vault, tag: 'object' }) }),
      ],
    ],
  }
}

/** Nobody here has a certificate, so for https the browser is handed the page. */
const answerHttps = (context: BrowserContext) =>
  context.route(`https://${allowedHost}/**`, (route) => {
    const { search } = new URL(route.request().url())
    return route.fulfill({
      contentType: 'text/html',
      body: holding(JSON.parse(decodeURIComponent(search.slice(1)))),
    })
  })

/** Those of the layouts that reach a ready vault, by name. Each is given time to answer: four of them at once. */
async function readyIn(page: Page, list: readonly [string, string][]): Promise<string[]> {
  const left = [...list]
  const ready = new Set<string>()
  async function tryLayouts(tab: Page) {
    for (let next = left.shift(); next; next = left.shift()) {
      const [name, address] = next
      await tab.goto(address)
      if ((await answersIn(tab)) > 0) ready.add(name)
    }
  }
  const others = await Promise.all([1, 2, 3].map(() => page.context().newPage()))
  await Promise.all([page, ...others].map(tryLayouts))
  for (const tab of others) await tab.close()
  return list.map(([name]) => name).filter((name) => ready.has(name))
}

// One after the other, so that one worker has a vault for all of them.
test.describe.configure({ mode: 'default' })

test('no hostile layout reaches a ready vault; the allowed ones do', async ({ page, context, embedding }) => {
  await answerHttps(context)
  const { good, hostile } = layouts(embedding)
  expect(await readyIn(page, good)).toEqual(good.map(([name]) => name))
  const ready = await readyIn(page, hostile)
  console.log(
    `Hostile embedding: ${ready.length} of ${hostile.length} layouts reach ready, ${good.length} of ${good.length} allowed ones do`,
  )
  expect(ready).toEqual([])
})

test('the vault’s own look at its ancestors refuses them even without the page’s rules @soak', async ({
  page,
  context,
  embedding,
}) => {
  await answerHttps(context)
  await context.route(`${embedding.vault}/**`, async (route) => {
    // Chromium resolves every name below localhost, and Node does not.
    const url = route.request().url().replace('vault.localhost', '127.0.0.1')
    const response = await route.fetch({ url })
    const {
      'content-security-policy': _,
      'cross-origin-embedder-policy': __,
      ...headers
    } = response.headers()
    // With this even a sandboxed page gets its script, and has to refuse by itself.
    await route.fulfill({
      response,
      headers: {
        ...headers,
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
      },
    })
  })
  const { good, hostile } = layouts(embedding)
  expect(await readyIn(page, good)).toEqual(good.map(([name]) => name))
  const tried = eachOf(hostile, soak(4, 1))
  const ready = await readyIn(page, tried)
  console.log(`Without frame-ancestors: ${ready.length} of ${tried.length} hostile layouts reach ready`)
  expect(ready).toEqual([])
})

test('a vault that is opened as a window of its own answers nobody @soak', async ({ page, embedding }) => {
  const { allowed, origin, vaultPage } = embedding
  for (const opener of [allowed, origin('evil.localhost')]) {
    await page.goto(opener)
    const opening = page.waitForEvent('popup')
    await page.evaluate((address) => {
      Object.assign(window, { popup: open(address) })
    }, vaultPage)
    const popup = await opening
    await popup.waitForLoadState('load')
    await ask(page, 'popup', vaultPage)
    // The popup is its own parent, so it also posts to itself.
    await popup.evaluate(() => {
      postMessage({ id: 'self', event: 'privy:iframe:ready', data: {} }, '*')
    })
    expect(await answersIn(page)).toBe(0)
    await popup.close()
  }
})

test('a ready vault answers the page around it and nobody else', async ({ page, embedding }) => {
  const { allowed, origin, vaultPage } = embedding
  // The vault and, beside it, a hostile frame.
  await page.goto(embedding.page(allowed, { address: vaultPage }))
  expect(await answersIn(page)).toBeGreaterThan(0)
  const evil = origin('evil.localhost')
  await page.evaluate(
    async (address) => {
      const frame = document.createElement('iframe')
      frame.src = address
      const loaded = new Promise((resolve) => frame.addEventListener('load', resolve))
      document.body.append(frame)
      await loaded
    },
    embedding.page(evil, {}),
  )
  const sibling = page.frames().find((frame) => frame.url().startsWith(evil))
  const before = await page.evaluate(() => (window as unknown as { answers: number }).answers)
  const heard = await sibling?.evaluateHandle(() => {
    const heard: unknown[] = []
    addEventListener('message', ({ data }) => heard.push(data))
    const vault = parent.frames[0]
    for (const event of ['privy:iframe:ready', 'privy:wallet:create', 'privy:mfa:clear'])
      for (const form of [(message: object) => message, JSON.stringify])
        vault?.postMessage(form({ id: `${Math.random()}`, event, data: { userId: 'x' } }), '*')
    return heard
  })
  // What the page asks afterwards is answered once; an answer to the frame beside it would have come before.
  const answers = () => page.evaluate(() => (window as unknown as { answers: number }).answers)
  await page.evaluate(() => {
    window[0]?.postMessage({ id: `${Math.random()}`, event: 'privy:iframe:ready', data: {} }, '*')
  })
  await expect.poll(answers).toBeGreaterThan(before)
  expect(await answers()).toBe(before + 1)
  expect(await heard?.jsonValue()).toEqual([])
})

test('a vault that is taken into a hostile page when it is ready is a new one, and refuses @soak', async ({
  page,
  embedding,
}) => {
  const evil = embedding.origin('evil.localhost')
  const inside = embedding.page(embedding.allowed, { address: embedding.vaultPage })
  await page.goto(embedding.page(embedding.allowed, { address: embedding.page(evil, {}) }))
  const hostile = page.frames().find((frame) => frame.url().startsWith(evil))
  // The hostile frame pretends to be the allowed page: its parent is allowed, and so is it by now.
  await hostile?.evaluate((address) => location.assign(address), inside)
  await expect.poll(() => page.frames().some((frame) => frame.url() === inside)).toBe(true)
  expect(await answersIn(page)).toBeGreaterThan(0)
  // Held by evil instead, the same page refuses.
  await page.goto(embedding.page(evil, { address: inside }))
  expect(await answersIn(page)).toBe(0)
})

/** Asks a window by its name, as a page asks its vault. */
const ask = (page: Page, name: string, address: string) =>
  page.evaluate(
    async ({ name, origin }) => {
      const other = (window as unknown as Record<string, Window>)[name]
      for (let i = 0; i < 10; i++) {
        for (const target of ['*', origin])
          other?.postMessage({ id: `${Math.random()}`, event: 'privy:iframe:ready', data: {} }, target)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    },
    { name, origin: new URL(address).origin },
  )
