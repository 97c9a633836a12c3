/**
 * A hostile host page around the approval frame: what a person's presses give it that they have not meant, and what it gets
 * without any.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContext, Frame, FrameLocator, Page } from '@playwright/test'
import { recoverMessageAddress } from 'viem'
import { limit } from '../support/limit.ts'
import { ownSignIn } from '../support/own-sign-in.ts'
import { eachOf, soak } from '../support/soak.ts'
import { look as untilLive, untilQuiet } from './support/approval.ts'
import { expect, test } from './support/demo.ts'
import {
  changesOf,
  createTable,
  type HostileSite,
  heardBy,
  lootIn,
  modes,
  newVictim,
  stateOf,
  type Victim,
} from './support/hostile-site.ts'
import { nextFrame, untilIdle } from './support/idle.ts'

// Each is long, and a site is up in a moment.
test.describe.configure({ mode: 'parallel' })

const signButton = 'Sign and continue'
const openButton = 'Continue in a new window'
const early = 'Take a moment to review this, then press again.'

/** A sign-in at the page itself, which may be approved in the frame. */
const signIn = (victim: Victim, statement = 'hello', resources?: string[]) =>
  message(
    victim,
    ownSignIn(victim.page.url(), victim.address, { statement, ...(resources && { resources }) }),
  )
const message = (victim: Victim, text: string) => ({
  kind: 'message',
  root: { chainType: 'ethereum', address: victim.address },
  walletIndex: 0,
  address: victim.address,
  message: text,
})
/** Bytes that are no text: only the vault's own window may be used for them. */
const bytes = (victim: Victim) => message(victim, `0x${'80'.repeat(32)}`)
/** Everything that somebody has in a token, to anybody, without an end. */
const unlimited = (victim: Victim) => ({
  ...bytes(victim),
  kind: 'evmTransaction',
  action: 'sign',
  transaction: {
    from: victim.address,
    to: `0x${'ab'.repeat(20)}`,
    value: '0x0',
    chainId: 1,
    nonce: 0,
    type: 2,
    gasLimit: '0xffff',
    maxFeePerGas: '0x77359400',
    maxPriorityFeePerGas: '0x3b9aca00',
    data: `0x095ea7b3${'cd'.repeat(20).padStart(64, '0')}${'f'.repeat(64)}`,
  },
})

const frameOf = (page: Page): FrameLocator => page.frameLocator('#place iframe')
interface Asking {
  purpose?: string
  request?: object
  css?: string
  token?: string
  look?: object
}
async function approve(site: HostileSite, { page, mode, token }: Victim, request: object, more: Asking = {}) {
  await page.evaluate((given) => window.hostile.approve(given), {
    url: `${site.pages(mode)}/approval`,
    purpose: 'sign',
    request,
    token,
    ...more,
  })
}
const leave = (page: Page) => page.evaluate(() => window.hostile.leave())
/** Where a button of the frame is painted. */
async function placeOf(page: Page, name: string) {
  const box = await frameOf(page)
    .getByRole('button', { name })
    .boundingBox({ timeout: limit(5_000) })
  if (!box) throw new Error(`${name} has no place`)
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}
async function press(page: Page, name: string) {
  const { x, y } = await placeOf(page, name)
  await page.mouse.click(x, y)
}
/** Has the pointer where the button is before anything else is tried, so that it is not for the pointer alone that a press fails. */
async function point(page: Page, name: string) {
  const { x, y } = await placeOf(page, name)
  await page.mouse.move(x, y)
}
const settled = untilIdle
const signatures = (heard: readonly string[]) => heard.filter((text) => text.includes('"signed"')).length

/** Ways to have a person press what they don't see, as it is. */
const tricks: Record<string, string> = {
  'opacity of the frame': '#place iframe{opacity:.01}',
  'opacity of what it is in': '#place{opacity:.02}',
  'an overlay':
    'body::after{content:"";position:fixed;inset:0;background:#fff;pointer-events:none;z-index:9}',
  'an overlay with a hole for the button':
    'body::after{content:"";position:fixed;left:0;right:0;top:0;height:420px;background:#fff;pointer-events:none;z-index:9}',
  'a pseudo-element':
    '#place::before{content:"";position:fixed;inset:0;background:#eee;pointer-events:none;z-index:9}',
  'a popover': 'POPOVER',
  'a scale': '#place iframe{transform:scale(.2)}',
  'a rotation': '#place iframe{transform:rotate(8deg)}',
  'a filter': '#place iframe{filter:blur(9px)}',
  'a filter of the root': 'html{filter:brightness(5)}',
  'a blend': '#place iframe{mix-blend-mode:multiply}',
  'a clip': '#place iframe{clip-path:inset(0 0 12% 0)}',
  'a clip by what it is in':
    '#place{position:fixed;left:0;top:0;width:400px;height:560px;overflow:hidden;contain:paint}',
  'a backdrop filter':
    'body::after{content:"";position:fixed;inset:0;backdrop-filter:blur(9px);pointer-events:none;z-index:9}',
}
const masks: Record<string, string> = {
  'a mask on the frame': '#place iframe{mask-image:linear-gradient(transparent,transparent)}',
  'a mask on a parent': '#place{position:fixed;inset:0;mask-image:linear-gradient(transparent,transparent)}',
}

/** Presses a button of the frame, which a trick has changed, after more than long enough. */
async function tricked(page: Page, css: string, button: string) {
  const style = css === 'POPOVER' ? undefined : await page.addStyleTag({ content: css })
  if (!style)
    await page.evaluate(() => {
      const cover = document.createElement('div')
      cover.style.cssText =
        'position:fixed;inset:0;width:100%;height:100%;pointer-events:none;background:#fff'
      cover.popover = 'manual'
      document.body.append(cover)
      cover.showPopover()
    })
  await point(page, button)
  await untilQuiet(page)
  await press(page, button)
  await settled(page)
  await style?.evaluate((node) => node.parentNode?.removeChild(node))
  await page.evaluate(() => {
    for (const cover of document.querySelectorAll('[popover]')) cover.remove()
  })
}

test('no trick with the frame gives a page a signature that is risky, and no mask a window @soak', async ({
  hostileSite: site,
  context,
}) => {
  const victim = await newVictim(site, context, 'strict')
  const { page } = victim
  const windows: Page[] = []
  context.on('page', (opened) => windows.push(opened))
  const all: Record<string, string | (() => Promise<void>)> = {
    ...masks,
    ...tricks,
    'a frame that is moved under the pointer': async () => {
      const { x, y } = await placeOf(page, openButton)
      await page.evaluate(() => {
        if (window.hostile.frame) window.hostile.frame.style.left = '700px'
      })
      await page.mouse.move(x, y)
      await untilQuiet(page)
      await hurried(async () => {
        await restyle(page, { left: '40px' })
        await nextFrame(page)
        await page.mouse.click(x, y)
      }, 900)
      await settled(page)
    },
    'a press by script': async () => {
      await untilQuiet(page)
      await frameOf(page)
        .getByRole('button', { name: openButton })
        .evaluate((button: HTMLElement) => {
          button.click()
          for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'])
            button.dispatchEvent(new MouseEvent(type, { bubbles: true, composed: true }))
        })
      await settled(page)
    },
  }
  const table = createTable('Clickjacking, risky requests')
  for (const [at, [name, trick]] of eachOf(Object.entries(all), soak(9, 1)).entries()) {
    await untilQuick(
      async () => {
        await heardBy(page)
        await approve(site, victim, at % 2 ? bytes(victim) : unlimited(victim))
        await frameOf(page).getByRole('button', { name: openButton }).waitFor()
        try {
          if (typeof trick === 'string') await tricked(page, trick, openButton)
          else await trick()
          const heard = lootIn(await heardBy(page), victim.address)
          table.note(name, [...heard, ...(windows.length > 0 ? ['the window opens'] : [])])
        } finally {
          for (const one of windows.splice(0)) await one.close()
          await leave(page)
        }
      },
      () => table.note(tooSlow(name), []),
    )
  }
  table.print()
  const signed = table.rows.filter(({ got }) => got.includes('signature'))
  console.log(
    `Clickjacking, risky requests: ${signed.length} of ${table.rows.length} tricks give a signature`,
  )
  expect(signed).toEqual([])
  // Before the window a mask is only a detour: there the person sees what they are asked.
  expect(Object.keys(table.won()).filter((name) => !(name in masks))).toEqual([])
})

test('no trick but a mask has a sign-in signed, and a double click signs once @soak', async ({
  hostileSite: site,
  context,
}) => {
  const victim = await newVictim(site, context, 'strict')
  const { page } = victim
  const table = createTable('Clickjacking, a sign-in')
  for (const [name, css] of eachOf(Object.entries({ ...masks, ...tricks }), soak(5, 1))) {
    await heardBy(page)
    await approve(site, victim, signIn(victim))
    await frameOf(page).getByRole('button', { name: signButton }).waitFor()
    await tricked(page, css, signButton)
    table.note(name, lootIn(await heardBy(page), victim.address))
    await leave(page)
  }
  table.print()
  expect(Object.keys(table.won()).filter((name) => !(name in masks))).toEqual([])
  await approve(site, victim, signIn(victim))
  await untilLive(page)
  const { x, y } = await placeOf(page, signButton)
  await page.mouse.dblclick(x, y)
  await settled(page)
  expect(signatures(await heardBy(page))).toBe(1)
})

type Attempt = (site: HostileSite, victim: Victim) => Promise<unknown>

/** Has a message shown, and then does something to the frame before a person presses where its button is. */
const shown =
  (
    work: (page: Page, at: { x: number; y: number; drawnAt: number }) => Promise<unknown>,
    more: Asking = {},
  ): Attempt =>
  async (site, victim) => {
    const { page } = victim
    await approve(site, victim, signIn(victim), more)
    const drawnAt = Date.now()
    await frameOf(page).getByRole('button', { name: signButton }).waitFor()
    await point(page, signButton)
    await work(page, { ...(await placeOf(page, signButton)), drawnAt })
    await settled(page)
  }
/** A frame that has been in view beside the pointer for long is moved so that its button lies under it. */
const brought = (before: number): Attempt =>
  shown(async (page, { x, y }) => {
    await restyle(page, { left: '500px' })
    await page.mouse.move(40, y)
    await page.mouse.move(x, y)
    await looked(page)
    await hurried(async () => {
      await restyle(page, { left: '40px' })
      await nextFrame(page)
      await sleep(before)
      await page.mouse.down()
      await page.mouse.up()
    }, 950)
  })
const restyle = (page: Page, css: object) =>
  page.evaluate((css) => void Object.assign(window.hostile.frame?.style ?? {}, css), css)
const post = (page: Page, data: object) =>
  page.evaluate((data) => window.hostile.port?.postMessage(data), data)
const looked = untilQuiet

const attempts: Record<string, Attempt> = {
  'a press that has begun before the request was shown': async (site, victim) => {
    const { page } = victim
    await page.mouse.move(220, 560)
    await page.mouse.down()
    await approve(site, victim, signIn(victim))
    const { x, y } = await placeOf(page, signButton)
    await page.mouse.move(x, y)
    await page.mouse.up()
    await settled(page)
  },
  'the frame is moved under the pointer 50 ms before the press': shown(async (page, { x, y }) => {
    await restyle(page, { left: '700px' })
    await page.mouse.move(x, y)
    await looked(page)
    await hurried(async () => {
      await restyle(page, { left: '40px' })
      await nextFrame(page)
      await page.mouse.click(x, y)
    }, 900)
  }),
  'the frame is brought under a pointer that has never been in it, at once': brought(0),
  'the frame is brought under a pointer that has never been in it, 700 ms before the press': brought(700),
  'the frame is moved between the two halves of the press': shown(async (page, { x, y }) => {
    await looked(page)
    await restyle(page, { top: '400px' })
    await page.mouse.move(x, y)
    await page.mouse.down()
    await restyle(page, { top: '40px' })
    await page.mouse.up()
  }),
  'the frame is scrolled under the pointer 50 ms before the press': shown(async (page, { x, y }) => {
    await page.evaluate(() => {
      document.body.style.height = '4000px'
      if (window.hostile.frame) window.hostile.frame.style.position = 'absolute'
    })
    await page.evaluate(() => scrollTo(0, 200))
    await page.mouse.move(x, y)
    await looked(page)
    await hurried(async () => {
      await page.evaluate(() => scrollTo(0, 0))
      await nextFrame(page)
      await page.mouse.click(x, y)
    }, 900)
    await page.evaluate(() => {
      document.body.style.height = ''
    })
  }),
  'text size and direction are changed 50 ms before the press': shown(async (page) => {
    const bent = { dir: 'rtl', textScale: 1.4 }
    await looked(page)
    await hurried(async () => {
      await page.evaluate(
        (bent) =>
          window.hostile.port?.postMessage({ type: 'look', look: { ...window.hostile.look, ...bent } }),
        bent,
      )
      await nextFrame(page)
      await press(page, signButton)
    }, 900)
  }),
  'the frame is made as small as its button': shown(async (page) => {
    await restyle(page, { width: '200px', height: '110px' })
    await looked(page)
    await press(page, signButton)
  }),
  'the frame is zoomed out until nobody can read it': shown(async (page) => {
    await restyle(page, { zoom: '0.15', left: '0', top: '0', width: '2400px', height: '4000px' })
    await looked(page)
    // Where the button is painted then.
    await page.mouse.click(180, 585)
    await expect(
      frameOf(page).getByText('There is too little room to read this request.').first(),
    ).toBeVisible()
  }),
  'the frame is resized to nothing and back 50 ms before the press': shown(async (page, { x, y }) => {
    await restyle(page, { height: '0' })
    await looked(page)
    await hurried(async () => {
      await restyle(page, { height: '620px' })
      await nextFrame(page)
      await page.mouse.click(x, y)
    }, 900)
  }),
  'the frame is under a picture until 50 ms before the press': shown(async (page, { x, y }) => {
    const style = await page.addStyleTag({ content: tricks['an overlay'] ?? '' })
    await looked(page)
    await hurried(async () => {
      await style.evaluate((node) => node.parentNode?.removeChild(node))
      await nextFrame(page)
      await page.mouse.click(x, y)
    }, 900)
  }),
  'the frame is taken out of the page and put back': shown(async (page, { x, y }) => {
    await looked(page)
    await page.evaluate(() => {
      const { frame } = window.hostile
      if (frame) document.querySelector('#place')?.append(frame)
    })
    await page.mouse.click(x, y)
  }),
  'events that the page makes, on the frame and its window': shown(async (page) => {
    await looked(page)
    await page.evaluate(() => {
      const { frame } = window.hostile
      frame?.focus()
      for (const type of ['click', 'mousedown', 'mouseup', 'pointerdown', 'pointerup'])
        frame?.dispatchEvent(new MouseEvent(type, { bubbles: true, clientX: 200, clientY: 500 }))
      for (const key of ['Enter', ' ', 'Tab'])
        for (const type of ['keydown', 'keyup'])
          for (const target of [frame, document, window])
            target?.dispatchEvent(new KeyboardEvent(type, { key, bubbles: true }))
      frame?.click()
    })
  }),
  'events that a script inside of the frame makes': shown(async (page) => {
    await looked(page)
    await frameOf(page)
      .getByRole('button', { name: signButton })
      .evaluate((button: HTMLElement) => {
        button.click()
        button.focus()
        for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'])
          button.dispatchEvent(new MouseEvent(type, { bubbles: true, composed: true }))
        for (const key of ['Enter', ' '])
          for (const type of ['keydown', 'keypress', 'keyup'])
            button.dispatchEvent(new KeyboardEvent(type, { key, bubbles: true, composed: true }))
      })
  }),
  'a key that is held down while the request appears': async (site, victim) => {
    const { page } = victim
    await page.keyboard.down('Enter')
    await approve(site, victim, signIn(victim))
    await page.evaluate(() => window.hostile.frame?.focus())
    await page.keyboard.press('Tab')
    for (let presses = 0; presses < 3; presses++) await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
    await settled(page)
  },
}

/** What a page can say to a frame, and what only the frame may. */
const impostures = [
  { type: 'done', answer: { signed: `x${'00'.repeat(65)}` } },
  { type: 'rejected' },
  { type: 'ready' },
  { type: 'answer', step: 1, answer: 'sign' },
  { type: 'answer', answer: 'approve' },
  { type: 'scene', scene: { id: 'sign-message', props: {}, step: 1 } },
  { nonce: 'guessed' },
  { type: 'sign' },
  'sign',
]
const unseen: Record<string, Attempt> = {
  'messages that claim to be the frame, the window or a press': async (site, victim) => {
    const { page } = victim
    await approve(site, victim, signIn(victim))
    await looked(page)
    await page.evaluate((all) => window.hostile.claim(all), impostures)
    await settled(page)
  },
  'a second hello with another port, and a second request over the first': async (site, victim) => {
    const { page } = victim
    await approve(site, victim, signIn(victim))
    await page.evaluate(
      ([request, look]) => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = ({ data }) => window.hostile.heard.push(`second ${JSON.stringify(data)}`)
        window.hostile.frame?.contentWindow?.postMessage('privy:approval:connect', '*', [port2])
        for (const port of [port1, window.hostile.port])
          port?.postMessage({ type: 'open', purpose: 'sign', request, look })
      },
      [signIn(victim, 'another'), await page.evaluate(() => window.hostile.look)] as const,
    )
    await settled(page)
    expect(
      (await page.evaluate(() => window.hostile.heard)).filter((text) => text.startsWith('second')),
    ).toEqual([])
    await expect(frameOf(page).getByText('hello')).toBeVisible()
  },
  'every purpose is asked for, and nothing is pressed': async (site, victim) => {
    const { page } = victim
    const request = { ...signIn(victim), method: 'user-passcode', password: 'the page knows it', id: 'x' }
    for (const purpose of [
      'export',
      'set-recovery',
      'recover',
      'import',
      'remove-device',
      'create',
      'login-code',
      '__proto__',
    ]) {
      await page.evaluate(
        ([url, purpose, request, token]) => {
          // Nobody waits for what is never drawn.
          void window.hostile.approve({ url, purpose, request, token })
        },
        [`${site.pages(victim.mode)}/approval`, purpose, request, victim.token] as const,
      )
      await untilIdle(page)
    }
  },
  'a wallet is shown that is not the one that signs': async (site, victim) => {
    const { page } = victim
    await approve(site, victim, { ...signIn(victim), walletIndex: 1 })
    await looked(page)
    await press(page, signButton)
    await settled(page)
  },
  'a guessed nonce from a window that the page has opened': async (site, victim) => {
    const { page } = victim
    const popup = page.waitForEvent('popup')
    await page.evaluate(
      (url) => void window.open(url, 'guess'),
      `${site.pages(victim.mode)}/approval/window#${crypto.randomUUID()}`,
    )
    const opened = await popup
    await opened.waitForLoadState()
    await approve(site, victim, bytes(victim))
    await page.evaluate(() => {
      for (let guesses = 0; guesses < 1_000; guesses++)
        window.hostile.frame?.contentWindow?.postMessage({ nonce: crypto.randomUUID() }, '*', [
          new MessageChannel().port2,
        ])
    })
    await settled(page)
    await expect(opened.getByRole('button', { name: signButton })).toHaveCount(0)
    await opened.close()
  },
  'the window in a frame of the page': async (site, { page, mode }) => {
    await page.evaluate(
      (url) => {
        const frame = document.createElement('iframe')
        frame.src = url
        document.querySelector('#place')?.append(frame)
      },
      `${site.pages(mode)}/approval/window#${crypto.randomUUID()}`,
    )
    await settled(page)
    await page.evaluate(() => document.querySelector('#place')?.replaceChildren())
  },
  'the approval page as a window of the page': async (site, { page, mode }) => {
    const popup = page.waitForEvent('popup')
    await page.evaluate(
      (url) => void Object.assign(window, { popup: window.open(url) }),
      `${site.pages(mode)}/approval`,
    )
    const opened = await popup
    await opened.waitForLoadState()
    await page.evaluate(() => {
      const { port2 } = new MessageChannel()
      ;(window as unknown as { popup: Window }).popup.postMessage('privy:approval:connect', '*', [port2])
    })
    await settled(page)
    expect(await opened.evaluate(() => document.body.childElementCount)).toBe(0)
    await opened.close()
  },
  'the approval frame in a page of another origin, and in one that the allowed page is in': async (
    site,
    victim,
  ) => {
    const other = await victim.context.newPage()
    await other.goto(site.origin('evil'))
    const url = `${site.pages(victim.mode)}/approval`
    const tries = [url, site.host]
    for (const address of tries) {
      await other.evaluate((address) => {
        const frame = document.createElement('iframe')
        frame.src = address
        document.body.append(frame)
      }, address)
      await settled(other)
    }
    const inner = other.frames().find((frame) => frame.url().startsWith(site.host))
    await inner
      ?.evaluate((given) => window.hostile.approve(given), {
        url,
        purpose: 'sign',
        request: signIn(victim),
        token: victim.token,
      })
      .catch(() => {})
    for (const frame of other.frames()) expect(await frame.getByRole('button').count()).toBe(0)
    await other.close()
  },
}

for (const mode of modes)
  test(`what a page around the approval frame gets that nobody has meant, in a ${mode} app${mode === 'strict' ? '' : ' @soak'}`, async ({
    hostileSite: site,
    context,
  }) => {
    const victim = await newVictim(site, context, mode)
    const { page } = victim
    const table = createTable(`Hostile page around the approval frame, ${mode}`)
    for (const [name, work] of eachOf(Object.entries({ ...attempts, ...unseen }), soak(30, 1))) {
      await untilQuick(
        async () => {
          await heardBy(page)
          const before = await stateOf(site, victim)
          try {
            await work(site, victim)
            const heard = await heardBy(page)
            const changes = changesOf(before, await stateOf(site, victim))
            table.note(name, [...lootIn(heard, victim.address), ...changes])
          } finally {
            await leave(page)
          }
        },
        () => table.note(tooSlow(name), []),
      )
    }
    table.print()
    expect(table.won()).toEqual({})
    // And the same frame, undisturbed, does what it is there for.
    await approve(site, victim, signIn(victim))
    await untilLive(page)
    await press(page, signButton)
    await settled(page)
    expect(signatures(await heardBy(page))).toBe(1)
  })

test('a press in the first half second counts neither in the frame nor in the window, and a later one does @soak', async ({
  hostileSite: site,
  context,
}) => {
  const victim = await newVictim(site, context, 'strict')
  const { page } = victim
  // A busy machine takes longer than that for a press: until it is let go, the vault's own time stands almost still.
  await context.addInitScript(() => {
    const real = performance.now.bind(performance)
    const start = real()
    let speed = 0.01
    performance.now = () => start + (real() - start) * speed
    addEventListener('let-go', () => {
      speed = 1
    })
  })
  const letGo = (inside: FrameLocator | Page) =>
    inside.locator('html').evaluate(() => void dispatchEvent(new Event('let-go')))
  const refusedEarly = async (inside: FrameLocator | Page, press: () => Promise<void>) => {
    const refusal = inside.getByText(early).first()
    // The browser gives a frame no press before it has put it together with the page.
    await expect(async () => {
      await press()
      await expect(refusal).toBeVisible({ timeout: limit(500) })
    }).toPass()
    expect(signatures(await heardBy(page))).toBe(0)
    await letGo(inside)
    await untilLive('mouse' in inside ? inside : page)
    await press()
    await expect.poll(async () => signatures(await heardBy(page))).toBe(1)
  }
  const frame = frameOf(page)
  await approve(site, victim, signIn(victim))
  await frame.getByRole('button', { name: signButton }).waitFor()
  await refusedEarly(frame, () => press(page, signButton))
  await leave(page)

  await approve(site, victim, bytes(victim))
  await frame.getByRole('button', { name: openButton }).waitFor()
  await letGo(frame)
  await untilLive(page)
  const opening = context.waitForEvent('page')
  await press(page, openButton)
  const opened = await opening
  const agree = opened.getByRole('button', { name: signButton })
  await refusedEarly(opened, () => agree.click({ force: true }))
})

test('what is signed is what was shown, whatever the page says before and after the press', async ({
  hostileSite: site,
  context,
}) => {
  const victim = await newVictim(site, context, 'strict')
  const { page, address } = victim
  const shownFirst = signIn(victim, 'what was shown')
  await approve(site, victim, shownFirst)
  await looked(page)
  await post(page, { type: 'update', request: signIn(victim, 'another before the press') })
  const inside = frameOf(page)
  await expect(inside.getByText('what was shown')).toBeVisible()
  await untilLive(page)
  const at = await placeOf(page, signButton)
  await page.mouse.move(at.x, at.y)
  await page.mouse.down()
  await post(page, { type: 'update', request: signIn(victim, 'another in the press') })
  await page.mouse.up()
  await post(page, { type: 'update', request: signIn(victim, 'another after the press') })
  await settled(page)
  const [done = ''] = (await heardBy(page)).filter((text) => text.includes('"signed"'))
  const { answer } = JSON.parse(done) as { answer: { signed: `0x${string}` } }
  expect(await recoverMessageAddress({ message: shownFirst.message, signature: answer.signed })).toBe(address)
})

/** Opens the vault's own window, as a person does. */
async function openWindow(site: HostileSite, victim: Victim, context: BrowserContext): Promise<Page> {
  const { page } = victim
  await approve(site, victim, bytes(victim))
  await frameOf(page).getByRole('button', { name: openButton }).waitFor()
  await untilLive(page)
  const opening = context.waitForEvent('page')
  await press(page, openButton)
  const opened = await opening
  await opened.getByRole('button', { name: signButton }).waitFor()
  return opened
}

test('a page gets no hold of the vault’s own window @soak', async ({ hostileSite: site, context }) => {
  const victim = await newVictim(site, context, 'strict')
  const { page } = victim
  const table = createTable('Hostile page and the vault’s own window')
  const tries: Record<string, (opened: Page) => Promise<unknown>> = {
    'its handle, by the frame and by name': async () => {
      const handles = await page.evaluate(() => {
        const inside = window.hostile.frame?.contentWindow as Window
        const reads: Record<string, () => unknown> = {
          length: () => inside.length,
          opener: () => inside.opener,
          frames: () => inside.frames[0],
          document: () => inside.document,
          opened: () => (inside as unknown as { opened: unknown }).opened,
        }
        return Object.entries(reads).flatMap(([name, read]) => {
          try {
            return read() ? [name] : []
          } catch {
            return []
          }
        })
      })
      expect(handles).toEqual([])
    },
    'messages to every window that the page can reach': async (opened) => {
      await page.evaluate((all) => {
        for (const one of all)
          for (const target of [
            window.hostile.frame?.contentWindow,
            window.frames[0],
            window.frames[1],
            window.opener,
          ])
            target?.postMessage(one, '*')
      }, impostures)
      await settled(opened)
    },
    'the frame is reloaded while it is open': async (opened) => {
      await page.evaluate(() => {
        const { frame } = window.hostile
        if (frame) frame.src = `${frame.src}?again`
      })
      await looked(page)
      if (!opened.isClosed()) await expect(opened.getByRole('button', { name: signButton })).toHaveCount(0)
    },
    'the frame is taken away while it is open': async (opened) => {
      await leave(page)
      await looked(page)
      if (!opened.isClosed()) await expect(opened.getByRole('button', { name: signButton })).toHaveCount(0)
    },
    'it is led elsewhere, and back': async (opened) => {
      const url = opened.url()
      await opened.goto(site.origin('evil')).catch(() => {})
      if (!opened.isClosed()) await opened.goto(`${url}#${crypto.randomUUID()}`).catch(() => {})
      await untilIdle(page)
      if (!opened.isClosed()) await expect(opened.getByRole('button', { name: signButton })).toHaveCount(0)
    },
    'a page of another origin in it says that it is the window': async (opened) => {
      await opened.goto(site.origin('evil')).catch(() => {})
      if (opened.isClosed()) return
      await opened.evaluate((all) => {
        for (const one of all) window.opener?.postMessage(one, '*', [new MessageChannel().port2])
      }, impostures)
      await settled(page)
    },
    'a press by script in the window': async (opened) => {
      await looked(opened)
      await opened.getByRole('button', { name: signButton }).evaluate((button: HTMLElement) => button.click())
    },
    'another request while it is open': async (opened) => {
      await post(page, { type: 'update', request: signIn(victim, 'something else') })
      await settled(opened)
      await expect(opened.getByText('something else')).toHaveCount(0)
    },
  }
  for (const [name, work] of eachOf(Object.entries(tries), soak(8, 1))) {
    await heardBy(page)
    const opened = await openWindow(site, victim, context)
    await work(opened)
    await settled(page)
    table.note(name, lootIn(await heardBy(page), victim.address))
    await opened.close()
    await leave(page)
  }
  table.print()
  expect(table.won()).toEqual({})
  // And the window does what it is there for.
  const opened = await openWindow(site, victim, context)
  await opened.getByRole('button', { name: signButton }).click()
  await expect.poll(async () => signatures(await heardBy(page))).toBe(1)
})

/** Puts a style on the frame, and gives it back. */
const styled =
  (css: object): Attempt =>
  async (site, victim) =>
    shown(async (page) => {
      await restyle(page, css)
      await looked(page)
      await pressPainted(page)
    })(site, victim)
/** Presses where the button of the frame is painted, if that can be seen at all. */
async function pressPainted(page: Page) {
  const button = frameOf(page).getByRole('button', { name: signButton })
  const box = await button.boundingBox()
  if (!box) return
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await looked(page)
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
}
/** Scrolls in the frame until the button is in view, as a wheel does. */
async function wheelToEnd(page: Page) {
  await page.mouse.move(200, 120)
  for (let turns = 0; turns < 10; turns++) await page.mouse.wheel(0, 200)
}
const lines = Array.from({ length: 60 }, (_, at) => `https://docs.example/terms/${at + 1}`)

/** A press for something that was not all in view, or that nobody could read. */
const unreadable: Record<string, Attempt> = {
  'a frame that becomes 236 px high, scrolled to its end': shown(async (page) => {
    await restyle(page, { height: '236px' })
    await wheelToEnd(page)
    await looked(page)
    await pressPainted(page)
  }),
  'text of 4 device pixels, by zoom times text scale': shown(
    async (page) => {
      await restyle(page, { zoom: '0.4', width: '900px', height: '1500px' })
      await looked(page)
      await pressPainted(page)
    },
    { look: { theme: 'light', dir: 'ltr', textScale: 0.5, radius: 1, drawer: false, closable: true } },
  ),
  'a zoom of what it is in': shown(async (page) => {
    const style = await page.addStyleTag({ content: '#place{zoom:.3}' })
    await looked(page)
    await pressPainted(page)
    await style.evaluate((node) => node.parentNode?.removeChild(node))
  }),
  'half its size by a transform': styled({ transform: 'scale(.5)' }),
  'a transform in space': styled({ transform: 'perspective(400px) rotateX(30deg)' }),
  'a clip that leaves the button': styled({ clipPath: 'inset(70% 0 0 0)' }),
  'an opacity of a third': styled({ opacity: '.33' }),
  'a narrow frame': styled({ width: '180px' }),
  'a low and wide frame': styled({ width: '700px', height: '120px' }),
  'its upper half above the page': styled({ top: '-300px' }),
  'its left half beside the page': styled({ left: '-180px' }),
  'a box that shows its lower end alone': shown(async (page) => {
    await restyle(page, { position: 'absolute', left: '0', top: '-420px' })
    await page.evaluate(() => {
      const place = document.querySelector('#place') as HTMLElement
      place.style.cssText = 'position:fixed;left:40px;top:200px;width:360px;height:200px;overflow:hidden'
    })
    await looked(page)
    await pressPainted(page)
    await page.evaluate(() => document.querySelector('#place')?.removeAttribute('style'))
  }),
  'a picture over its upper half, which takes no press': shown(async (page) => {
    const style = await page.addStyleTag({
      content:
        'body::after{content:"";position:fixed;left:0;right:0;top:0;height:300px;background:#fff;pointer-events:none;z-index:9}',
    })
    await looked(page)
    await pressPainted(page)
    await style.evaluate((node) => node.parentNode?.removeChild(node))
  }),
  'a long message of which the beginning alone was in view': async (site, victim) => {
    const { page } = victim
    await approve(site, victim, signIn(victim, 'hello', lines))
    await looked(page)
    await pressPainted(page)
    await settled(page)
  },
}

/** The machine was too slow for an attempt: between two of its acts there was the time that makes a press count. */
class TooSlow extends Error {}
/** An act that would count if it took as long as the vault asks for. */
async function hurried(work: () => Promise<unknown>, limit: number) {
  const started = Date.now()
  await work()
  if (Date.now() - started >= limit) throw new TooSlow()
}
/** Presses for longer than the second of quiet, without a second between them, or until the page is gone. */
async function storm(act: () => Promise<unknown>, period: number, page: Page, duration = 1_800) {
  for (const end = Date.now() + duration; Date.now() < end && !page.isClosed(); ) {
    const started = Date.now()
    await act().catch(() => {})
    await sleep(Math.max(0, period - (Date.now() - started)))
    if (Date.now() - started >= 900) throw new TooSlow()
  }
}
/** The page knows that it has another height now. While somebody presses, it shows nothing of that. */
const untilHigh = (page: Page | Frame, height: number) =>
  page.waitForFunction((height) => window.innerHeight === height, height, { polling: 'raf' })
const clicking =
  (period: number): Attempt =>
  async (site, { page, ...victim }) => {
    const asked = approve(site, { page, ...victim }, signIn({ page, ...victim }))
    // Where the button will be.
    await storm(() => page.mouse.click(280, 616), period, page)
    await asked
    expect(await placeOf(page, signButton)).toMatchObject({ y: expect.any(Number) })
    await storm(() => press(page, signButton), period, page)
    await settled(page)
  }
const focusFrame = (page: Page) => page.evaluate(() => window.hostile.frame?.focus())
const acting =
  (work: (page: Page) => Promise<unknown>): Attempt =>
  async (site, victim) =>
    shown((page) => work(page))(site, victim)
async function tabToSign(page: Page) {
  const focused = frameOf(page).locator('[data-approves]:focus')
  for (let tabs = 0; tabs < 8 && (await focused.count()) === 0; tabs++) await page.keyboard.press('Tab')
}

/** Presses that were under way anyhow. */
const hastyPresses: Record<string, Attempt> = {
  'clicking on and on, every 5 ms': clicking(5),
  'clicking on and on, every 50 ms': clicking(50),
  'clicking on and on, every 300 ms': clicking(300),
  'three clicks in a row as it comes to live': shown(async (page, { x, y, drawnAt }) => {
    await page.mouse.click(x, y, { clickCount: 3, delay: 20 })
    if (Date.now() - drawnAt >= 600) throw new TooSlow()
  }),
  'the frame is resized during the press': acting(async (page) => {
    const { x, y } = await placeOf(page, signButton)
    await page.mouse.move(x, y)
    await untilLive(page)
    await page.mouse.down()
    await restyle(page, { height: '600px' })
    const frame = page.frames().find((each) => each.url().includes('/approval'))
    if (!frame) throw new Error('There is no frame')
    await untilHigh(frame, 600)
    await page.mouse.up()
  }),
  'another size of text during the press': acting(async (page) => {
    const { x, y } = await placeOf(page, signButton)
    await page.mouse.move(x, y)
    await untilLive(page)
    await page.mouse.down()
    await page.evaluate(
      () =>
        void window.hostile.port?.postMessage({
          type: 'look',
          look: { ...window.hostile.look, textScale: 1.1 },
        }),
    )
    const host = frameOf(page).locator('[data-approval]')
    await expect(host).toHaveAttribute('style', /--lk-text-scale: 1\.1\b/)
    await page.mouse.up()
  }),
  'a press that begins in the page and is dragged into the frame': acting(async (page) => {
    await untilLive(page)
    const { x, y } = await placeOf(page, signButton)
    await page.mouse.move(600, 300)
    await page.mouse.down()
    await page.mouse.move(x, y, { steps: 5 })
    await page.mouse.up()
  }),
}

/** Keys that were under way anyhow. */
const hastyKeys: Record<string, Attempt> = {
  'the page focuses its frame, Tab lands on the button, Enter': acting(async (page) => {
    await looked(page)
    await hurried(async () => {
      await focusFrame(page)
      await tabToSign(page)
      await page.keyboard.press('Enter')
    }, 400)
  }),
  'the page focuses its frame, and Tab and Enter follow at once': acting(async (page) => {
    await looked(page)
    await focusFrame(page)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
  }),
  'Tab, Tab, Space': acting(async (page) => {
    await focusFrame(page)
    await tabToSign(page)
    await page.keyboard.press('Space')
  }),
  'Enter every 30 ms on the button': acting(async (page) => {
    await focusFrame(page)
    await tabToSign(page)
    await storm(() => page.keyboard.press('Enter'), 30, page)
  }),
  'Enter every 400 ms on the button': acting(async (page) => {
    await focusFrame(page)
    await tabToSign(page)
    await storm(() => page.keyboard.press('Enter'), 400, page)
  }),
  'Enter held down on the button': acting(async (page) => {
    await focusFrame(page)
    await tabToSign(page)
    await storm(() => page.keyboard.down('Enter'), 30, page)
    await page.keyboard.up('Enter')
  }),
  'the page takes the focus and gives it back before each Enter': acting(async (page) => {
    await focusFrame(page)
    await tabToSign(page)
    for (let tries = 0; tries < 4; tries++) {
      await looked(page)
      await hurried(async () => {
        await page.evaluate(() => {
          const box = document.createElement('input')
          document.body.append(box)
          box.focus()
          box.remove()
          window.hostile.frame?.focus()
        })
        await page.keyboard.press('Enter')
      }, 400)
    }
  }),
}

for (const [title, all] of [
  ['a request that was not all in view, or that nobody could read @soak', unreadable],
  ['presses that were under way anyhow @soak', hastyPresses],
  ['keys that were under way anyhow @soak', hastyKeys],
] as const)
  test(`press: no signature for ${title}`, async ({ hostileSite: site, context }) => {
    const victim = await newVictim(site, context, 'strict')
    const { page } = victim
    const table = createTable(`Presses: ${title.replace(' @soak', '')}`)
    for (const [name, work] of eachOf(Object.entries(all), soak(3, 1)))
      await untilQuick(
        async () => {
          await heardBy(page)
          try {
            await work(site, victim)
            table.note(name, lootIn(await heardBy(page), victim.address))
          } finally {
            await leave(page)
          }
        },
        () => table.note(tooSlow(name), []),
      )
    table.print()
    expect(table.won()).toEqual({})
  })
const tooSlow = (name: string) => `${name} (not made: the machine is too slow)`
/** Repeats an attempt for which the machine was too slow, a few times; then the table says that it was not made. */
async function untilQuick(attempt: () => Promise<void>, giveUp: () => void) {
  for (let tries = 0; tries < 4; tries++)
    try {
      return await attempt()
    } catch (cause) {
      if (!(cause instanceof TooSlow)) throw cause
    }
  giveUp()
}

for (const [name, css] of Object.entries({
  'a frame 236 px high': 'position:fixed;left:40px;top:40px;width:360px;height:236px;border:0',
  'a frame as small as its button': 'position:fixed;left:40px;top:40px;width:200px;height:110px;border:0',
  'text that nobody can read': 'position:fixed;left:0;top:0;width:2400px;height:4000px;border:0;zoom:.15',
}))
  test(`press: a request goes to the window of the vault from ${name} @soak`, async ({
    hostileSite: site,
    context,
  }) => {
    const victim = await newVictim(site, context, 'strict')
    const { page } = victim
    await approve(site, victim, signIn(victim), { css })
    await expect(frameOf(page).getByRole('button', { name: openButton })).toBeAttached()
    await expect(frameOf(page).getByRole('button', { name: signButton })).toHaveCount(0)
  })

/** Presses in the window of the vault that were under way when it came. */
const hastyInWindow: Record<string, (opened: Page, button: () => Promise<unknown>) => Promise<unknown>> = {
  'clicking on and on, every 5 ms': (opened, click) => storm(click, 5, opened),
  'clicking on and on, every 50 ms': (opened, click) => storm(click, 50, opened),
  'clicking on and on, every 300 ms': (opened, click) => storm(click, 300, opened),
  'clicking on and on, every 700 ms': (opened, click) => storm(click, 700, opened, 2_900),
  'Enter every 200 ms from the start': (opened) => storm(() => opened.keyboard.press('Enter'), 200, opened),
  'Tab and Enter in turn': (opened) =>
    storm(
      async () => {
        await opened.keyboard.press('Tab')
        await opened.keyboard.press('Enter')
      },
      100,
      opened,
      1_500,
    ),
  'another window lay over it until the press': async (opened, click) => {
    await untilLive(opened)
    await opened.evaluate(() => void dispatchEvent(new Event('focus')))
    await click()
  },
  'it becomes lower during the press': async (opened) => {
    await untilLive(opened)
    const box = await opened.getByRole('button', { name: signButton }).boundingBox()
    if (!box) throw new Error('The button has no place')
    await opened.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    await untilLive(opened)
    await opened.mouse.down()
    await opened.setViewportSize({ width: 420, height: 300 })
    await untilHigh(opened, 300)
    await opened.mouse.up()
  },
  'it is so low that its end alone is in view': async (opened, click) => {
    await opened.setViewportSize({ width: 420, height: 236 })
    await opened.getByRole('button', { name: signButton }).scrollIntoViewIfNeeded()
    await untilQuiet(opened)
    await click()
    await expect(opened.locator('[data-hold=unread]')).toHaveCount(1)
  },
}

test('press: no signature in the window of the vault for presses that were under way when it came @soak', async ({
  hostileSite: site,
  context,
}) => {
  const victim = await newVictim(site, context, 'strict')
  const { page } = victim
  const table = createTable('Presses in the window of the vault')
  for (const [name, work] of Object.entries(hastyInWindow))
    await untilQuick(
      async () => {
        await heardBy(page)
        const opened = await openWindow(site, victim, context)
        const click = () =>
          opened
            .getByRole('button', { name: signButton })
            .click({ force: true, timeout: limit(500), noWaitAfter: true })
        try {
          await work(opened, click)
          await settled(page)
          table.note(name, lootIn(await heardBy(page), victim.address))
        } finally {
          await opened.close()
          await leave(page)
        }
      },
      () => table.note(tooSlow(name), []),
    )
  table.print()
  expect(table.won()).toEqual({})
})

test('touch: the first touch brings a finger into the frame and signs nothing, and a later one signs', async ({
  hostileSite: site,
  browser,
}) => {
  const context = await browser.newContext({ hasTouch: true })
  const victim = await newVictim(site, context, 'strict')
  const { page } = victim
  await approve(site, victim, signIn(victim))
  await untilQuiet(page)
  const { x, y } = await placeOf(page, signButton)
  await page.touchscreen.tap(x, y)
  await expect(frameOf(page).getByText(early).first()).toBeVisible()
  expect(signatures(await heardBy(page))).toBe(0)
  await untilQuiet(page)
  await page.touchscreen.tap(x, y)
  await expect.poll(async () => signatures(await heardBy(page))).toBe(1)
  await context.close()
})
