/**
 * A hostile host page around the boxes of a login, whose code lets a browser use somebody's wallets: what it gets of the code, and of what the
 * code is good for, in a strict app.
 */
import type { BrowserContext, Page } from '@playwright/test'
import type { ApprovalRequests } from '../../src/protocol/frame/approval.ts'
import { DeviceKey } from '../backend/support/device-key.ts'
import { eachOf, soak } from '../support/soak.ts'
import { expect, test } from './support/demo.ts'
import {
  changesOf,
  createTable,
  type HostileSite,
  heardBy,
  lootIn,
  newVictim,
  Outsider,
  stateOf,
  type Victim,
} from './support/hostile-site.ts'
import { untilIdle } from './support/idle.ts'

type Boxes = ApprovalRequests['login-code']
/** Somebody with a wallet, in a browser that is new to them, on the hostile page. */
interface Visit {
  site: HostileSite
  victim: Victim
  page: Page
  /** What the page asks the vault for, truthfully. */
  boxes: Boxes
  /** Another browser that is new to them, on the hostile page. */
  elsewhere(): Promise<Page>
}
type Attempt = (visit: Visit) => Promise<Outcome>
interface Outcome {
  /** The code that the page would like to have. */
  code: string
  /** What else it has got hold of. */
  got?: readonly string[]
  /** The person has typed the code where it belongs: that lets this browser in, and nothing besides. */
  typed?: true
}

const frameOf = (page: Page) => page.frameLocator('#place iframe')
const field = (page: Page) => frameOf(page).getByLabel(/^Confirmation code/)
const tell = (page: Page, data: object) =>
  page.evaluate((data) => window.hostile.port?.postMessage(data), data)
const settled = untilIdle
/** What the server has answered to the vault, as the page is told. */
const logins = (heard: readonly string[]) =>
  heard.flatMap((text) => [...text.matchAll(/"login":\{"status":(\d+)/g)].map(([, status]) => Number(status)))

async function open({ site, page }: Visit, request: object): Promise<void> {
  await page.evaluate((given) => window.hostile.approve(given), {
    url: `${site.pages('strict')}/approval`,
    purpose: 'login-code',
    request,
  })
}
const codeOf = ({ site, victim }: Pick<Visit, 'site' | 'victim'>) =>
  site.mailbox.messages().find(({ to, code }) => to === victim.email && code)?.code ?? ''
/** Has the vault send a code and show its boxes. Resolves with the code, which is in the person's mail alone. */
async function untilBoxes(visit: Visit, boxes: object = visit.boxes): Promise<string> {
  await open(visit, { ...boxes, send: {} })
  const code = codeOf(visit)
  await tell(visit.page, { type: 'update', request: boxes })
  await field(visit.page).waitFor()
  return code
}
async function type(page: Page, digits: string): Promise<void> {
  await field(page).focus()
  await page.keyboard.type(digits)
}
const untilLogin = (page: Page) =>
  expect.poll(async () => logins(await page.evaluate(() => window.hostile.heard))).not.toEqual([])
const another = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

/** Listens to all that a page can listen to while somebody types, and looks into the frame at each turn. */
async function listen(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { heard, frame } = window.hostile
    const look = () => {
      const reads: (() => unknown)[] = [
        () => (document.activeElement as HTMLInputElement | null)?.value,
        () => frame?.contentDocument?.documentElement.outerHTML,
        () => frame?.contentWindow?.document.body.innerHTML,
        () => frame?.contentWindow?.getSelection()?.toString(),
        () => frame?.contentWindow?.localStorage.length,
        () => document.getSelection()?.toString(),
        () => performance.getEntries().map(({ name }) => name),
      ]
      for (const read of reads)
        try {
          heard.push(JSON.stringify(read() ?? ''))
        } catch {}
    }
    for (const type of [
      ...[
        'keydown',
        'keypress',
        'keyup',
        'beforeinput',
        'input',
        'change',
        'paste',
        'copy',
        'compositionend',
      ],
      ...['selectionchange', 'focusin', 'focusout', 'blur', 'focus', 'pointermove'],
    ])
      for (const target of [window, document, frame])
        target?.addEventListener(
          type,
          (event) => {
            heard.push(`${type} ${(event as KeyboardEvent).key ?? ''} ${(event as InputEvent).data ?? ''}`)
            look()
          },
          { capture: true },
        )
    const { fetch } = window
    window.fetch = (...given) => {
      heard.push(JSON.stringify(given))
      return fetch(...given)
    }
    setInterval(look, 20)
  })
}

/** Uses a code at the server without the vault: without a key, with a key of its own, and for that key. */
async function useOutside(
  { site, victim }: Pick<Visit, 'site' | 'victim'>,
  code: string,
): Promise<readonly string[]> {
  const { email } = victim
  const got: string[] = []
  for (const key of [null, new DeviceKey()]) {
    const outsider = new Outsider(site, 'strict', undefined, key)
    for (const origin of [site.host, site.vaultOrigin]) {
      const dpop = key && outsider.nonce ? { dpop: outsider.proofFor('passwordless/authenticate') } : {}
      got.push((await outsider.send('passwordless/authenticate', { email, code }, { origin, ...dpop })).text)
    }
    if (key) got.push((await outsider.post('passwordless/authenticate', { email, code })).text)
    const robber = new Outsider(site, 'strict', victim.token, key)
    got.push((await robber.post('devices/enroll', { factor: 'code', code })).text)
  }
  return got
}

/** What could stand for a code that was typed. */
const claims = (code: string, boxes: Boxes) => [
  { type: 'answer', step: 1, answer: { code } },
  { type: 'answer', answer: { code } },
  { type: 'turn', answer: { login: { status: 200, text: '{}' } } },
  { type: 'done', answer: { login: { status: 200, text: '{}' } } },
  { type: 'update', request: { ...boxes, code } },
  { type: 'update', request: { ...boxes, value: code, answer: { code } } },
  { type: 'scene', scene: { id: 'enter-code', props: {}, busy: { code }, step: 1 } },
  { code },
  code,
]
async function claim(page: Page, all: readonly unknown[]): Promise<void> {
  await page.evaluate((all) => window.hostile.claim(all), all)
  await settled(page)
}

/** Has something done to the frame by style, under which the person types. */
const disguised =
  (css: string): Attempt =>
  async (visit) => {
    const code = await untilBoxes(visit)
    await listen(visit.page)
    await visit.page.addStyleTag({ content: css })
    await type(visit.page, code)
    await untilLogin(visit.page)
    return { code, typed: true }
  }

const attempts: Record<string, Attempt> = {
  'everything that a page can listen to while the code is typed': async (visit) => {
    const code = await untilBoxes(visit)
    await listen(visit.page)
    await type(visit.page, another(code))
    await untilLogin(visit.page)
    await tell(visit.page, { type: 'update', request: { ...visit.boxes, failed: true } })
    await expect(frameOf(visit.page).getByText('Invalid or expired verification code').first()).toBeVisible()
    await type(visit.page, code)
    await expect
      .poll(async () => logins(await visit.page.evaluate(() => window.hostile.heard)))
      .toEqual([422, 200])
    return { code, typed: true }
  },
  'a picture over the boxes that lets keys and presses through': disguised(
    'body::after{content:"Type your code to win";position:fixed;inset:0;background:#fff;pointer-events:none;z-index:9}',
  ),
  'boxes that nobody can see, by opacity': disguised('#place iframe{opacity:.01}'),
  'boxes that nobody can see, by a mask': disguised(
    '#place iframe{mask-image:linear-gradient(transparent,transparent)}',
  ),
  'boxes in a frame of the page’s own: the code is used by message, by another client and for another key':
    async (visit) => {
      const { page, site } = visit
      const code = await untilBoxes(visit)
      await page.evaluate((origin) => {
        const own = document.createElement('iframe')
        own.id = 'own'
        own.srcdoc = `<!doctype html><input aria-label="Confirmation code" data-for="${origin}" oninput="parent.postMessage({own:this.value},'*')">`
        document.body.append(own)
      }, site.host)
      const own = page.frameLocator('#own').getByLabel('Confirmation code')
      await own.pressSequentially(code)
      await expect
        .poll(async () => (await page.evaluate(() => window.hostile.heard)).join())
        .toContain(`{"own":"${code}"}`)
      await claim(page, claims(code, visit.boxes))
      const got = await useOutside(visit, code)
      // A person who is deceived by looks has given the page this code; it opens nothing.
      return { code: 'given', got }
    },
  'boxes that are clipped to nothing': disguised('#place iframe{clip-path:inset(0 0 100% 0)}'),
  'what is in the field is asked for, by port and by window': async (visit) => {
    const code = await untilBoxes(visit)
    await listen(visit.page)
    await type(visit.page, code.slice(0, 5))
    await claim(visit.page, [
      ...['value', 'code', 'get', 'read', 'scene', 'answer', 'state', 'busy'].map((type) => ({ type })),
      { type: 'update', request: { ...visit.boxes, resendIn: 1 } },
      { type: 'look', look: await visit.page.evaluate(() => ({ ...window.hostile.look, textScale: 2 })) },
      { type: 'ping' },
    ])
    return { code: code.slice(0, 5) }
  },
  'the focus is taken away while the code is typed': async (visit) => {
    const { page } = visit
    const code = await untilBoxes(visit)
    await listen(page)
    await page.evaluate(() => document.body.append(document.createElement('input')))
    await type(page, code.slice(0, 3))
    await page.evaluate(() => document.querySelector('input')?.focus())
    await page.keyboard.type(code.slice(3))
    await settled(page)
    return { code }
  },
  'the code is typed into two of the vault’s frames at the same moment': async (visit) => {
    const code = await untilBoxes(visit)
    const second = { ...visit, page: await visit.page.context().newPage() }
    await second.page.goto(visit.site.host)
    await open(second, visit.boxes)
    const pages = [visit.page, second.page]
    for (const page of pages) await type(page, code.slice(0, 5))
    await Promise.all(pages.map((page) => page.keyboard.type(code.slice(5))))
    for (const page of pages) await untilLogin(page)
    const heard = await heardBy(second.page)
    const all = [...logins(heard), ...logins(await visit.page.evaluate(() => window.hostile.heard))]
    expect(all.sort()).toEqual([200, 422])
    return { code, got: heard, typed: true }
  },
  'messages that claim that the code was typed': async (visit) => {
    const code = await untilBoxes(visit)
    // Somebody else's, which the page knows.
    await claim(visit.page, claims('123456', visit.boxes))
    return { code }
  },
  'keys and input by script, outside of the frame and in it': async (visit) => {
    const { page } = visit
    const code = await untilBoxes(visit)
    await page.evaluate((code) => {
      const { frame } = window.hostile
      frame?.focus()
      document.execCommand('insertText', false, code)
      for (const key of [...code, 'Enter'])
        for (const type of ['keydown', 'keypress', 'keyup'])
          for (const target of [frame, document, window])
            target?.dispatchEvent(new KeyboardEvent(type, { key, bubbles: true, composed: true }))
    }, code)
    await field(page).evaluate((input: HTMLInputElement, code) => {
      const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
      set?.call(input, code)
      for (const type of ['input', 'change'])
        input.dispatchEvent(new InputEvent(type, { bubbles: true, composed: true, data: code }))
      for (const key of [...code, 'Enter'])
        input.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true }))
    }, code)
    await settled(page)
    return { code }
  },
  'a code for this browser is typed into the vault’s boxes on another one': async (visit) => {
    const code = await untilBoxes(visit)
    const there = { ...visit, page: await visit.elsewhere() }
    await open(there, visit.boxes)
    await type(there.page, code)
    await untilLogin(there.page)
    return { code, got: await heardBy(there.page) }
  },
  'another address is put in while the boxes are shown': async (visit) => {
    const { page, victim } = visit
    const code = await untilBoxes(visit)
    const other = 'attacker@example.com'
    await tell(page, { type: 'update', request: { ...visit.boxes, to: other, shown: other } })
    await settled(page)
    await expect(frameOf(page).getByText(victim.email)).toBeVisible()
    await type(page, code)
    await untilLogin(page)
    // Whom the boxes name is who is logged in.
    expect((await page.evaluate(() => window.hostile.heard)).join()).toContain(victim.email)
    return { code, typed: true }
  },
  'a code that the page has had sent itself is typed into the vault’s boxes': async (visit) => {
    const { site, victim, page } = visit
    const outsider = new Outsider(site, 'strict', undefined, null)
    await outsider.send('passwordless/init', { email: victim.email }, { origin: site.host })
    const code = codeOf(visit)
    await open(visit, visit.boxes)
    await listen(page)
    await type(page, code)
    await untilLogin(page)
    return { code }
  },
  'the boxes name another address than the one that the code goes to': async (visit) => {
    const { page, victim } = visit
    await open(visit, { ...visit.boxes, to: 'attacker@example.com', shown: victim.email })
    await settled(page)
    await expect(frameOf(page).getByText(victim.email)).toHaveCount(0)
    return { code: 'none' }
  },
  'the code once more, after it has let somebody in': async (visit) => {
    const code = await untilBoxes(visit)
    await type(visit.page, code)
    await untilLogin(visit.page)
    const got = await useOutside(visit, code)
    const there = { ...visit, page: await visit.elsewhere() }
    await open(there, visit.boxes)
    await type(there.page, code)
    await untilLogin(there.page)
    return { code, got: [...got, ...(await heardBy(there.page))], typed: true }
  },
}

/** A code stands alone: digits of a time or a hash that are the same by chance are none. */
const holds = (text: string, code: string) => new RegExp(`(?<![\\da-z])${code}(?![\\da-z])`, 'i').test(text)
/** An answer of the server with a session in it. */
const isSession = (text: string) => /\\?"token\\?":\\?"ey/.test(text)
const refreshToken = /\\?"refresh_token\\?":\\?"(?!deprecated)[\w-]{16,}/

test('what a page around the boxes of a login gets of the code and of what it is good for @soak', async ({
  hostileSite: site,
  browser,
  context,
}) => {
  const table = createTable('Hostile page around the boxes of a login, strict')
  let victim: Victim | undefined
  for (const [at, [name, work]] of eachOf(Object.entries(attempts), soak(4, 1)).entries()) {
    // So few that nobody's wrong codes are too many.
    if (!victim || at % 4 === 0) victim = await newVictim(site, context, 'strict')
    const { email } = victim
    const boxes: Boxes = {
      via: 'email',
      to: email,
      shown: email,
      mode: 'login-or-sign-up',
      resendIn: 30_000,
    }
    const opened: BrowserContext[] = []
    const elsewhere = async () => {
      const other = await browser.newContext()
      opened.push(other)
      const page = await other.newPage()
      await page.goto(site.host)
      return page
    }
    const page = await elsewhere()
    const before = await stateOf(site, victim)
    const { code, got = [], typed } = await work({ site, victim, page, boxes, elsewhere })
    const heard = await heardBy(page)
    const after = await stateOf(site, victim)
    const more = (after?.devices.length ?? 0) - (before?.devices.length ?? 0)
    const sessions = [...heard, ...got].filter(isSession).length
    const everything = [...heard, ...got]
    const changes = changesOf(before, after).filter((change) => change !== 'device added')
    table.note(name, [
      ...lootIn(everything, victim.address),
      ...changes,
      ...(everything.some((text) => holds(text, code)) ? ['code'] : []),
      ...(everything.some((text) => refreshToken.test(text)) ? ['refresh token'] : []),
      ...(more > (typed ? 1 : 0) ? ['device added'] : []),
      ...(sessions > (typed ? 1 : 0) ? ['session'] : []),
    ])
    // Where the code was typed as it should be, it does what it is there for, whatever the page does.
    if (typed) expect({ name, more, sessions }).toEqual({ name, more: 1, sessions: 1 })
    for (const one of opened) await one.close()
  }
  table.print()
  expect(table.won()).toEqual({})
})
