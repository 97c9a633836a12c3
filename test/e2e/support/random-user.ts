/**
 * Somebody who presses, types, goes back, reloads, loses the network and opens a second tab, all at random, and what
 * has to hold whatever they do.
 */

import type { Browser, BrowserContext, Frame, Page } from '@playwright/test'
import type { LoginModal } from '../../../src/index.ts'
import { limit } from '../../support/limit.ts'
import { type Random, seeded } from '../../support/random.ts'
import { startAuthenticator } from './authenticator.ts'
import type { Demo } from './demo.ts'

/** Longer than any wait of the product that offers no way on (docs/architecture.md, "Stage, screens, flows"). */
const longestWait = limit(45_000)
/** Until all tabs have heard what one of them did. */
const longestNews = limit(20_000)

/** A login that a code or a window has begun may still be on its way when its dialog is gone. */
const longestLogin = limit(5_000)

interface Control {
  readonly index: number
  readonly kind: 'button' | 'field' | 'choice'
  readonly name: string
  readonly type: string
  readonly enabled: boolean
  readonly inDialog: boolean
}
interface View {
  readonly controls: readonly Control[]
  /** The heading of our dialog on the page, if there is one. */
  readonly dialog: string | undefined
  /** Whether something in it can be pressed. */
  readonly wayOut: boolean
  readonly backdrop: { x: number; y: number } | undefined
}

export interface RandomRun {
  readonly actions: readonly string[]
  readonly findings: readonly string[]
}

/** One person in one browser, for so many actions, and until they are out of every dialog again. */
export async function actAtRandom(
  browser: Browser,
  demo: Demo,
  seed: number,
  count: number,
): Promise<RandomRun> {
  const random = seeded(seed)
  const person = await arrive(browser, demo, random, `${seed.toString(36)}${Date.now().toString(36)}`)
  try {
    for (let done = 0; done < count && person.findings.length === 0; done++) {
      await inTime(person.act(), 'an action')
      await inTime(person.check(), 'a look at the pages')
    }
    if (person.findings.length === 0) await person.leaveEverything()
  } catch (cause) {
    person.findings.push(`the test itself: ${(cause as Error).stack ?? cause}`)
  }
  if (person.findings.length > 0) await person.describe()
  await person.context.close()
  return { actions: person.actions, findings: person.findings }
}

/** Longer than everything that this file waits for itself. */
const longestAction = limit(120_000)

async function inTime(work: Promise<void>, what: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} has no end`)), longestAction)
  })
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}

async function arrive(browser: Browser, demo: Demo, random: Random, id: string) {
  const narrow = random.chance(0.25)
  const context = await browser.newContext({
    viewport: narrow ? { width: 375, height: 700 } : { width: 1100, height: 800 },
  })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: demo.site })
  const actions: string[] = []
  const findings: string[] = []
  const app = random.pick(demo.apps)
  const started = Date.now() - 1000
  const emails = [`a.${id}@example.com`, `b.${id}@invited.example`, `c.${id}+tag@example.com`]
  const phones = [`202555${String(100 + random.whole(9_900)).padStart(4, '0')}`]
  const passwords = ['harbor-tide&Lantern7', 'meadow!Copper-93-kiln']
  const tabs: Page[] = []
  let active: Page
  let isOffline = false
  /** When something was last done that can log in; `undefined` once that has come to nothing. */
  let lastPress: number | undefined
  /** Of each app, for the demo's own menu leads from one to another. */
  const lastUsers = new Map<string, string>()
  const codes = new Set<string>()

  watch(context, [demo.site, demo.vault, demo.api], findings)
  await context.addInitScript(() => {
    document.addEventListener('lk-ready', (event) => {
      if ((event.target as Element).localName === 'login-modal') document.documentElement.dataset.ready = ''
    })
  })
  const siteOf = (page: Page) => page.url().startsWith(demo.site)
  const isKnown = (page: Page) =>
    [demo.site, demo.world, demo.api].some((each) => page.url().startsWith(each))
  const note = (what: string) =>
    void actions.push(`${((Date.now() - started - 1000) / 1000).toFixed(1)} s: ${what}`)
  const nameOf = (page: Page) => (tabs.includes(page) ? `tab ${tabs.indexOf(page) + 1}` : 'window')

  async function openTab(): Promise<void> {
    note(`opens tab ${tabs.length + 1}`)
    const page = await context.newPage()
    tabs.push(page)
    active = page
    await startAuthenticator(page)
    await visit(page)
  }
  const visit = (page: Page) =>
    page.goto(`${demo.site}/?app=${app.id}`, { waitUntil: 'commit' }).catch(() => {})
  note(`visit ${app.name}${narrow ? ' on a phone' : ''}`)
  await openTab()

  const popups = () => context.pages().filter((page) => !tabs.includes(page) && !page.isClosed())

  async function act(): Promise<void> {
    if (tabs.length === 0) await openTab()
    if (active.isClosed()) active = tabs[0] as Page
    await active.bringToFront().catch(() => {})
    const [popup] = popups()
    if (popup && random.chance(0.6)) return inPopup(popup)
    if (!isKnown(active) && !isOffline) {
      note(`${nameOf(active)}: goes back to the site from ${active.url().slice(0, 60)}`)
      return void (await visit(active))
    }
    const view = await look(active.mainFrame())
    if (!view) return void (await pause(active, 200))
    const isCode = ({ type }: Control) => type === 'one-time-code'
    const own = view.controls.find((each) => isCode(each) && each.inDialog)
    // Or in the vault's own frame.
    const codeField = own
      ? { frame: active.mainFrame(), control: own }
      : (await framedControls(active)).find(({ control }) => isCode(control))
    const other = tabs.find((page) => page !== active)
    await random.weighted<readonly [string, () => unknown]>([
      [codeField ? 60 : 0, ['code', () => codeField && typeCode(active, codeField)]],
      [view.controls.some(({ kind }) => kind === 'field') ? 22 : 0, ['fill', () => fill(active, view)]],
      [60, ['press', () => pressAny(active, view)]],
      [4, ['escape', () => key('Escape')]],
      [8, ['key', () => key(random.pick(['Enter', 'Tab', 'Tab', 'Space', 'ArrowDown', 'Backspace']))]],
      [view.backdrop ? 3 : 0, ['backdrop', () => backdrop(active, view)]],
      [3, ['back', () => history(active, 'goBack')]],
      [1, ['forward', () => history(active, 'goForward')]],
      [4, ['reload', () => reload(active)]],
      [isOffline ? 60 : 3, ['network', () => setOffline(!isOffline)]],
      [other ? 0 : 5, ['tab', () => openTab()]],
      [other ? 2 : 0, ['close tab', () => closeTab()]],
      [other ? 8 : 0, ['switch', () => switchTo(other as Page)]],
      [4, ['wait', () => wait()]],
    ])[1]()
    await pause(active, random.pick([0, 20, 60, 150, 400]))
  }

  async function inPopup(popup: Page): Promise<void> {
    const view = isKnown(popup) ? await look(popup.mainFrame()) : undefined
    if (!view || random.chance(0.12)) {
      note('closes the window')
      lastPress = Date.now()
      return void (await popup.close().catch(() => {}))
    }
    const field = view.controls.find(({ kind }) => kind === 'field')
    if (field && random.chance(0.5)) await type(popup, field, valueFor(field))
    else await pressAny(popup, view)
    await pause(active, 150)
  }

  async function pressAny(page: Page, view: View): Promise<void> {
    const framed = random.chance(0.5) ? await framedControls(page) : []
    if (framed.length > 0) {
      const { frame, control } = random.pick(framed)
      note(`${nameOf(page)}: presses “${control.name}” in a frame`)
      return void (await click(page, frame, control))
    }
    const inDialog = view.controls.filter((each) => each.inDialog)
    const possible = (inDialog.length > 0 ? inDialog : view.controls).filter(({ kind }) => kind !== 'field')
    const open = possible.filter(({ enabled }) => enabled)
    if (open.length === 0) return void note(`${nameOf(page)}: finds nothing to press`)
    const control = random.weighted(open.map((each) => [weightOf(each), each] as const))
    if (control.kind === 'choice') return void (await choose(page, control))
    const twice = random.chance(0.06)
    const on = view.dialog === undefined ? '' : ` on “${view.dialog}”`
    note(`${nameOf(page)}: presses “${control.name}”${twice ? ' twice' : ''}${on}`)
    if (!/^(close|back|cancel|log out|reject)/i.test(control.name)) lastPress = Date.now()
    await click(page, page.mainFrame(), control, twice ? 2 : 1)
  }

  function valueFor({ name, type }: Control): string {
    if (/email/i.test(name) && type !== 'text') return random.chance(0.1) ? 'nobody@' : random.pick(emails)
    if (/email/i.test(name)) return random.pick(emails)
    if (/phone/i.test(name)) return random.pick(phones)
    if (/private key/i.test(name)) return random.chance(0.3) ? 'no key' : `0x${hexOf(random, 64)}`
    if (/password/i.test(name)) return random.chance(0.2) ? 'abc' : random.pick(passwords)
    if (/account name/i.test(name)) return `somebody.${id}`
    if (/search/i.test(name)) return random.pick(['a', 'de', 'coin', 'zzzz'])
    return random.pick(['Ada', `text ${id}`, '<b>0</b>', ' '])
  }

  async function fill(page: Page, view: View): Promise<void> {
    const fields = view.controls.filter(({ kind, enabled }) => kind === 'field' && enabled)
    const inDialog = fields.filter((each) => each.inDialog)
    const field = random.pick(inDialog.length > 0 ? inDialog : fields)
    if (!field || field.type === 'one-time-code') return
    await type(page, field, valueFor(field))
  }

  async function type(page: Page, field: Control, value: string): Promise<void> {
    const submit = random.chance(0.5)
    note(`${nameOf(page)}: types “${value}” into “${field.name}”${submit ? ' and presses Enter' : ''}`)
    if (!(await click(page, page.mainFrame(), field))) return
    lastPress = Date.now()
    await page.keyboard.press('Control+A').catch(() => {})
    await page.keyboard.insertText(value).catch(() => {})
    if (submit) await page.keyboard.press('Enter').catch(() => {})
  }

  async function typeCode(page: Page, { frame, control }: Framed): Promise<void> {
    const sent = await newestCode(demo, [...emails, ...phones], started)
    const right = sent !== undefined && random.chance(0.75)
    note(`${nameOf(page)}: types ${right ? 'the code' : 'a wrong code'}`)
    if (sent) codes.add(sent)
    if (!(await click(page, frame, control))) return
    lastPress = Date.now()
    await page.keyboard.type(right ? sent : '000000').catch(() => {})
  }

  async function choose(page: Page, control: Control): Promise<void> {
    // Another app would be another person.
    if (control.name.startsWith('App')) return
    note(`${nameOf(page)}: chooses in “${control.name}”`)
    await click(page, page.mainFrame(), control)
    await page.keyboard.press('ArrowDown').catch(() => {})
    await page.keyboard.press('Enter').catch(() => {})
    lastPress = Date.now()
  }

  async function key(name: string): Promise<void> {
    note(`${nameOf(active)}: key ${name}`)
    if (name === 'Enter' || name === 'Space') lastPress = Date.now()
    await active.keyboard.press(name).catch(() => {})
  }
  async function backdrop(page: Page, { backdrop: at }: View): Promise<void> {
    note(`${nameOf(page)}: clicks on the backdrop`)
    if (at) await page.mouse.click(at.x, at.y).catch(() => {})
  }
  async function history(page: Page, way: 'goBack' | 'goForward'): Promise<void> {
    note(`${nameOf(page)}: ${way === 'goBack' ? 'back' : 'forward'}`)
    await page[way]({ waitUntil: 'commit', timeout: limit(5_000) }).catch(() => {})
    if (page.url() === 'about:blank') await visit(page)
  }
  async function reload(page: Page): Promise<void> {
    if (isOffline) return
    note(`${nameOf(page)}: reloads`)
    await page.reload({ waitUntil: 'commit' }).catch(() => {})
  }
  async function setOffline(off: boolean): Promise<void> {
    note(off ? 'the network is gone' : 'the network is back')
    isOffline = off
    // What had begun goes on when the network is back.
    if (lastPress !== undefined) lastPress = Date.now()
    await context.setOffline(off)
  }
  async function closeTab(): Promise<void> {
    note(`closes ${nameOf(active)}`)
    const closing = active
    tabs.splice(tabs.indexOf(closing), 1)
    await closing.close()
    active = tabs[0] as Page
  }
  async function switchTo(page: Page): Promise<void> {
    active = page
    note(`switches to ${nameOf(page)}`)
    await page.bringToFront().catch(() => {})
  }
  async function wait(): Promise<void> {
    const ms = random.pick([500, 1_000, 2_500])
    note(`waits ${ms} ms`)
    await pause(active, ms)
  }

  /** What every tab says of the person, for tabs that are on the site and have started. */
  async function whoIs(page: Page): Promise<Person | undefined> {
    if (page.isClosed() || !siteOf(page)) return undefined
    return page
      .evaluate(() => {
        const modal = document.querySelector('login-modal') as LoginModal | null
        if (!modal || document.documentElement.dataset.ready === undefined) return undefined
        const user = modal.user
        const accounts = user?.linkedAccounts ?? []
        // People whose wallets or Farcaster accounts are the demo's own are met by other tests as well.
        const shared = accounts.some(
          (each) => (each.type === 'wallet' && !each.embedded) || each.type === 'farcaster',
        )
        const wallets = shared
          ? []
          : accounts.flatMap((each) =>
              each.type === 'wallet' && each.embedded
                ? [`${each.address} ${each.walletIndex} ${each.recoveryMethod}`]
                : [],
            )
        const linked = shared
          ? []
          : accounts.map((each) => `${each.type} ${'address' in each ? each.address : each.firstVerifiedAt}`)
        const factors = [...(user?.mfaMethods ?? [])]
        const shown = document.querySelector('#user-id')?.textContent ?? ''
        return {
          app: modal.appId ?? '',
          id: user?.id ?? '',
          shown,
          has: [wallets, linked, factors].map((list) => list.sort().join()).join('; '),
        }
      })
      .catch(() => undefined)
  }

  async function check(): Promise<void> {
    for (const page of tabs) await checkPage(page)
    await checkPeople()
  }

  async function checkPage(page: Page): Promise<void> {
    if (page.isClosed() || !siteOf(page)) return
    const begun = Date.now()
    for (;;) {
      const view = await look(page.mainFrame())
      if (!view || view.dialog === undefined || view.wayOut) break
      if ((await framedControls(page)).length > 0) break
      if (Date.now() - begun > longestWait) {
        findings.push(`no way out of “${view.dialog}” in ${nameOf(page)}`)
        break
      }
      await pause(page, 250)
    }
    const spilled = await secretsIn(page, [...codes, ...passwords]).catch(() => [])
    for (const secret of spilled) findings.push(`a secret in the page: ${secret}`)
  }

  async function checkPeople(): Promise<void> {
    const begun = Date.now()
    let people: (Person | undefined)[] = []
    for (;;) {
      people = await Promise.all(tabs.map(whoIs))
      const known = people.filter((each) => each !== undefined)
      const agreed = known.every(({ app: its, id: own, shown, has }) => {
        const first = known.find((each) => each.app === its)
        return own === shown && own === first?.id && has === first.has
      })
      if (agreed) break
      if (isOffline && Date.now() - begun > 2_000) return
      if (Date.now() - begun > longestNews) {
        findings.push(`tabs disagree: ${JSON.stringify(people)}`)
        return
      }
      await pause(active, 200)
    }
    const known = people.filter((each) => each !== undefined)
    for (const { app: its, id: user } of known) {
      if (user !== '' && user !== lastUsers.get(its) && lastPress === undefined)
        findings.push(`${user} is logged in without a press`)
      lastUsers.set(its, user)
    }
    if (
      known.length === people.length &&
      known.every(({ id: user }) => user === '') &&
      popups().length === 0
    ) {
      const views = await Promise.all(tabs.map((page) => look(page.mainFrame())))
      const isOver = !isOffline && Date.now() - (lastPress ?? 0) > longestLogin
      if (isOver && views.every((view) => view && view.dialog === undefined)) lastPress = undefined
    }
  }

  /** Whatever has happened, with a network there is a way out of every dialog. */
  async function leaveEverything(): Promise<void> {
    if (isOffline) await setOffline(false)
    for (const popup of popups()) await popup.close().catch(() => {})
    for (const page of tabs) {
      if (!siteOf(page)) await visit(page)
      await page.bringToFront().catch(() => {})
      const begun = Date.now()
      let turns = 0
      let view = await look(page.mainFrame())
      while (view?.dialog !== undefined) {
        const frame = page.mainFrame()
        const inPage = view.controls
          .filter(({ enabled, inDialog }) => enabled && inDialog)
          .map((control) => ({ frame, control }))
        const controls = inPage.length > 0 ? inPage : await framedControls(page)
        const ways = controls.filter(({ control }) => control.kind === 'button')
        // An app that requires a recovery method is left only by completing it.
        const isStuck = ++turns > 12
        const names = isStuck
          ? ['Close', 'Continue', 'Password', 'Back']
          : ['Close', 'Back', 'Cancel', 'Continue', 'Reject']
        const way = names.map((name) => ways.find(({ control }) => control.name.startsWith(name)))
        const next =
          way.find((each) => each !== undefined) ?? (ways.length > 0 ? random.pick(ways) : undefined)
        const password = isStuck
          ? controls.find(({ control: { kind, name } }) => kind === 'field' && /password/i.test(name))
          : undefined
        if (password && (await click(page, password.frame, password.control))) {
          note(`${nameOf(page)}: sets a password on “${view.dialog}”`)
          await page.keyboard.press('Control+A').catch(() => {})
          await page.keyboard.insertText(passwords[0] ?? '').catch(() => {})
          await page.keyboard.press('Enter').catch(() => {})
        } else if (next) {
          note(`${nameOf(page)}: leaves “${view.dialog}” by “${next.control.name}”`)
          await click(page, next.frame, next.control)
        }
        if (Date.now() - begun > 2 * longestWait) {
          findings.push(`can’t leave “${view.dialog}”`)
          return
        }
        await pause(page, 400)
        view = await look(page.mainFrame())
      }
    }
    await checkPeople()
  }

  /** What the pages show at the end, for whoever reads of a finding. */
  async function describe(): Promise<void> {
    for (const page of [...tabs, ...popups()]) {
      const view = await look(page.mainFrame()).catch(() => undefined)
      const trace = await page
        .evaluate(() =>
          [...document.querySelectorAll('#trace li')].slice(0, 12).map((each) => each.textContent),
        )
        .catch(() => [])
      note(
        `[${nameOf(page)} ${page.url()}: dialog ${view?.dialog}; ${view?.controls
          .filter(({ inDialog }) => inDialog || view.dialog === undefined)
          .slice(0, 40)
          .map(({ name, enabled }) => `${name}${enabled ? '' : ' (disabled)'}`)
          .join(' | ')}; events, newest first: ${trace.join(' / ')}]`,
      )
    }
  }

  return { context, actions, findings, act, check, leaveEverything, describe }
}

interface Person {
  readonly app: string
  readonly id: string
  readonly shown: string
  /** Their wallets, accounts and second factors. */
  readonly has: string
}

/** Errors that nobody caught, and what the pages complain of, except what the browser itself says of the network. */
function watch(context: BrowserContext, ours: readonly string[], findings: string[]): void {
  const isOurs = (url: string | undefined) => ours.some((each) => url?.startsWith(each))
  const ofNetwork =
    /^Failed to load resource|net::ERR_|WebSocket connection to|blocked by CORS policy|Failed to fetch dynamically/
  context.on('weberror', (error) => {
    const { message, stack } = error.error()
    // A script that the page itself asks for and can't have is gone until the page is loaded again.
    const isScript = message.startsWith('Failed to fetch dynamically imported module')
    if (isScript || !isOurs(error.page()?.url())) return
    findings.push(`uncaught: ${message} ${stack?.split('\n').slice(0, 4).join(' ')} (${error.page()?.url()})`)
  })
  context.on('console', (message) => {
    if (message.type() === 'error' && isOurs(message.page()?.url()) && !ofNetwork.test(message.text()))
      findings.push(`console: ${message.text()} (${message.page()?.url()})`)
  })
  context.on('page', (page) => {
    page.on('crash', () => findings.push(`a page crashed: ${page.url()}`))
    page.on('dialog', (dialog) => void dialog.accept().catch(() => {}))
  })
}

const pause = (page: Page, ms: number) => (ms > 0 ? page.waitForTimeout(ms).catch(() => {}) : undefined)
const hexOf = (random: Random, digits: number) =>
  Array.from({ length: digits }, () => random.whole(16).toString(16)).join('')

/** What somebody who looks at a page can press and type into, through all shadow roots. */
function look(frame: Frame): Promise<View | undefined> {
  return frame
    .evaluate(() => {
      const all: Element[] = []
      const walk = (root: ParentNode) => {
        for (const element of root.querySelectorAll('*')) {
          all.push(element)
          if (element.shadowRoot) walk(element.shadowRoot)
        }
      }
      walk(document)
      const modals = all.filter((each) => each.matches('dialog:modal'))
      const up = (element: Element): Element | null =>
        element.parentElement ?? ((element.getRootNode() as ShadowRoot).host || null)
      const within = (element: Element, what: (each: Element) => boolean): Element | undefined => {
        for (let at: Element | null = element; at; at = up(at)) if (what(at)) return at
        return undefined
      }
      const ours = modals.filter((each) => each.querySelector('[part=dialog]'))
      const hit = ({ x, y, width, height }: DOMRect) => {
        const at = [x + width / 2, y + height / 2] as const
        let element = document.elementFromPoint(...at)
        for (;;) {
          const inner = element?.shadowRoot?.elementFromPoint(...at)
          if (!inner || inner.getRootNode() !== element?.shadowRoot) return element
          element = inner
        }
      }
      // A dialog over another one, such as a wallet's question, leaves nothing of it to press.
      const top =
        modals.find((each) => {
          const element = hit(each.getBoundingClientRect())
          return element !== null && within(element, (outer) => outer === each)
        }) ?? modals.at(-1)
      const shown = (element: Element) => {
        const { width, height } = element.getBoundingClientRect()
        return width > 0 && height > 0 && getComputedStyle(element).visibility === 'visible'
      }
      const wanted =
        'button, a[href], input, textarea, select, summary, [role=button], [role=option], [role=tab]'
      const found = window as unknown as { randomControls?: Element[] }
      found.randomControls = all
      const controls: {
        index: number
        kind: 'button' | 'field' | 'choice'
        name: string
        type: string
        enabled: boolean
        inDialog: boolean
      }[] = []
      all.forEach((element, index) => {
        if (!element.matches(wanted) || !shown(element)) return
        const modal = within(element, (each) => modals.includes(each))
        if (modal !== top) return
        if (within(element, (each) => (each as HTMLElement).inert)) return
        const input = element as HTMLInputElement
        const isField =
          element.matches('textarea') ||
          (element.matches('input') && !/^(checkbox|radio|button|submit|range)$/.test(input.type))
        const label = input.labels?.[0]?.textContent ?? ''
        const name = (element.getAttribute('aria-label') || label || element.textContent || '').trim()
        controls.push({
          index,
          kind: isField ? 'field' : element.matches('select') ? 'choice' : 'button',
          name: name.replace(/\s+/g, ' ').slice(0, 60),
          type: input.autocomplete === 'one-time-code' ? 'one-time-code' : (input.type ?? ''),
          enabled: !element.matches(':disabled') && element.getAttribute('aria-disabled') !== 'true',
          inDialog: modal !== undefined,
        })
      })
      const dialog = ours.at(-1)
      // A dialog that fades out has nothing to press, and is gone in a moment.
      const rect = dialog?.getBoundingClientRect()
      return {
        controls,
        dialog: dialog
          ? (dialog.querySelector('h1,h2,h3,[part=title]')?.textContent ?? 'a dialog')
          : undefined,
        wayOut: controls.some(({ enabled, inDialog }) => enabled && inDialog),
        backdrop:
          rect && rect.top > 12 ? { x: innerWidth / 2, y: Math.max(4, Math.round(rect.top / 2)) } : undefined,
      }
    })
    .catch(() => undefined)
}

/** Presses with a real pointer where a control stands now. Resolves with whether there was such a place. */
async function click(page: Page, frame: Frame, { index }: Control, clickCount = 1): Promise<boolean> {
  const place = await frame
    .evaluate((at) => {
      const element = (window as unknown as { randomControls?: Element[] }).randomControls?.[at]
      if (!element?.isConnected) return undefined
      element.scrollIntoView({ block: 'center', inline: 'center' })
      const { x, y, width, height } = element.getBoundingClientRect()
      return { x: x + width / 2, y: y + height / 2 }
    }, index)
    .catch(() => undefined)
  if (!place) return false
  const around =
    frame === page.mainFrame()
      ? { x: 0, y: 0 }
      : await (await frame.frameElement().catch(() => undefined))?.boundingBox().catch(() => undefined)
  if (!around) return false
  return page.mouse.click(around.x + place.x, around.y + place.y, { clickCount }).then(
    () => true,
    () => false,
  )
}

/** How likely each control is pressed; those of no weight lead to pages that are not looked at here. */
const weightOf = ({ name, inDialog }: Control) => {
  if (/^(Inbox|Gallery)/.test(name)) return 0
  if (name === 'Close' || name === 'Log out') return 1
  if (name === 'Back') return 2
  if (!inDialog && name === 'Log in') return 30
  if (name === 'Approve') return 6
  return 4
}

interface Framed {
  readonly frame: Frame
  readonly control: Control
}

async function framedControls(page: Page): Promise<Framed[]> {
  const all = await Promise.all(
    page.frames().map(async (frame) => {
      if (frame === page.mainFrame()) return []
      const box = await (await frame.frameElement().catch(() => undefined))
        ?.boundingBox()
        .catch(() => undefined)
      if (!box || box.width < 20 || box.height < 20) return []
      const view = await look(frame)
      return (view?.controls ?? []).flatMap((control) =>
        control.enabled && weightOf(control) > 0 ? [{ frame, control }] : [],
      )
    }),
  )
  return all.flat()
}

async function newestCode(demo: Demo, to: readonly string[], since: number): Promise<string | undefined> {
  const answer = await fetch(`${demo.inbox}/messages.json`).catch(() => undefined)
  const messages = ((await answer?.json()) ?? []) as { to: string; code: string; at: string }[]
  return messages.find(
    (each) => to.some((own) => each.to.includes(own)) && each.code && Date.parse(each.at) >= since,
  )?.code
}

/** Secrets in what a page shows or has in its markup, but for what somebody types into a field. */
function secretsIn(page: Page, known: readonly string[]): Promise<string[]> {
  return page.evaluate((words) => {
    const texts: string[] = [location.href]
    const walk = (root: ParentNode) => {
      for (const element of root.querySelectorAll('*')) {
        for (const { name, value } of element.attributes) {
          // React writes what somebody types into the field's markup as well.
          if (name !== 'value' || element.localName !== 'input')
            texts.push(`${element.localName}[${name}] ${value}`)
        }
        for (const child of element.childNodes) if (child.nodeType === 3) texts.push(child.textContent ?? '')
        if (element.shadowRoot) walk(element.shadowRoot)
      }
    }
    walk(document)
    const patterns: [string, RegExp][] = [
      ['a token', /eyJ[\w-]{10,}\.eyJ[\w-]{10,}/],
      ['a private key', /(?<![0-9a-fA-F])[0-9a-fA-F]{64}(?![0-9a-fA-F])/],
    ]
    const found: string[] = []
    for (const text of texts) {
      // The key of a pairing is there to be read off the page.
      if (/wc:|symKey/.test(text)) continue
      for (const [what, pattern] of patterns)
        if (pattern.test(text)) found.push(`${what} in ${text.slice(0, 160)}`)
      for (const word of words) if (text.includes(word)) found.push(`“${word}” in ${text.slice(0, 160)}`)
    }
    return found
  }, known)
}
