/** The vault's own window as its frame sees it, and what can happen to it. */
import { describe, expect, test } from 'vitest'
import { defineScreen } from '../../../src/dialog/screen.ts'
import { Closed, createStage, type StageControl } from '../../../src/dialog/stage.ts'
import { createStore } from '../../../src/lib/store.ts'
import type { ApprovalLook } from '../../../src/protocol/frame/approval.ts'
import { createOutcome } from '../../../src/vault/approval/outcome.ts'
import { TurnedBack } from '../../../src/vault/approval/turned-back.ts'
import type { WindowAbout } from '../../../src/vault/approval/window/about.ts'
import { createWindows, inWindow } from '../../../src/vault/approval/window/flow.ts'
import type { Over } from '../../../src/vault/approval/window/messages.ts'
import { settled, testClock } from '../../support/clock.ts'

const look: ApprovalLook = {
  theme: 'light',
  dir: 'ltr',
  textScale: 1,
  radius: 1,
  drawer: false,
  closable: true,
}
const origin = 'https://vault.example'
const question = defineScreen<object, string>('question', { view: () => null, size: 'compact' })

interface Opened {
  closed: boolean
  focused: number
  close(): void
  focus(): void
}
type Message = {
  type: string
  why?: string
  nonce?: string
  scene?: { id: string; step: number; busy?: unknown }
}

/** A frame of the vault that asks something, and a person with a browser in front of it. */
function frame({ canGoBack = false, work = Promise.resolve() } = {}) {
  const clock = testClock()
  const events = new EventTarget()
  const addresses: string[] = []
  const opened: Opened[] = []
  let blocks = false
  let keepsFocus = false
  const page = {
    document: { hasFocus: () => keepsFocus },
    location: { origin, pathname: '/apps/a/embedded-wallets/approval' },
    open(address: string) {
      if (blocks) return null
      addresses.push(address)
      const window: Opened = {
        closed: false,
        focused: 0,
        close() {
          window.closed = true
        },
        focus() {
          window.focused++
        },
      }
      opened.push(window)
      return window
    },
    addEventListener: events.addEventListener.bind(events),
    removeEventListener: events.removeEventListener.bind(events),
  }
  const windows = createWindows(page as unknown as Window, { clock }, createStore(look))
  const stage = createStage({ clock, openWindow: () => windows.open() })
  const asked: string[] = []
  const sent: object[] = []
  const {
    progress,
    settle,
    commit,
    settled: final,
  } = createOutcome<'import'>((message) => sent.push(message))
  let endsWith: Over = 'left'
  const handover = {
    stage,
    windows,
    clock,
    about: { ...about, canGoBack },
    progress,
    endsWith: () => endsWith,
  }
  const outcome = inWindow(handover, async (there) => {
    for (;;) {
      const answer = await there.ask(question, {})
      asked.push(answer)
      if (answer === 'settle') settle({ address: '0x1' })
      if (answer === 'commit')
        await commit(
          () => work,
          () => ({ address: '0x2' }),
        )
      if (!goesOn.has(answer)) return answer
    }
  }).then(
    (answer) => ({ answer }),
    (cause) => ({ cause }),
  )
  const shown = () => stage.scene.get()?.screen.id
  const press = async (answer: unknown) => {
    stage.scene.get()?.answer(answer)
    await settled()
  }
  /** What comes to the frame by a window's message. */
  const hello = async (source: unknown, data: unknown, more: object = {}) => {
    const told: Message[] = []
    const port = {
      onmessage: null as ((event: { data: unknown }) => void) | null,
      postMessage: (message: Message) => void told.push(message),
    }
    events.dispatchEvent(
      Object.assign(new Event('message'), { source, origin, data, ports: [port], ...more }),
    )
    await settled()
    const say = async (data: unknown) => {
      port.onmessage?.({ data })
      await settled()
    }
    const scene = () => told.findLast(({ type }) => type === 'scene')?.scene
    return { told, say, scene, isHeard: () => port.onmessage !== null }
  }
  /** Presses what opens the window. */
  const open = async () => {
    await press('open')
    const [window] = opened.slice(-1)
    const nonce = addresses.at(-1)?.split('#')[1] ?? ''
    return { window: window as Opened, nonce }
  }
  return {
    clock,
    stage,
    sent,
    final,
    keepFocus: () => {
      keepsFocus = true
    },
    endWith: (why: Over) => {
      endsWith = why
    },
    props: () => stage.scene.get()?.props,
    asked,
    outcome,
    shown,
    press,
    hello,
    open,
    opened,
    addresses,
    block: (on: boolean) => {
      blocks = on
    },
  }
}
/** The same with a window that has connected. */
async function drawn(options?: Parameters<typeof frame>[0]) {
  const one = frame(options)
  await settled()
  const { window, nonce } = await one.open()
  const port = await one.hello(window, { nonce })
  return { ...one, window, nonce, port }
}
const isOver = ({ told }: { told: Message[] }) => told.some(({ type }) => type === 'over')
const whyOver = ({ told }: { told: Message[] }) => told.find(({ type }) => type === 'over')?.why
const about: WindowAbout = { purpose: 'import', stake: 'Ethereum', appName: 'Store', because: 'risk' }
const goesOn: ReadonlySet<string> = new Set(['again', 'settle', 'commit'])

describe('the window', () => {
  test('draws what is asked, and its answer counts', async () => {
    const { port, outcome, shown, asked } = await drawn()
    expect(shown()).toBe('waiting-for-window')
    expect(port.scene()).toMatchObject({ id: 'question' })
    await port.say({ type: 'answer', step: port.scene()?.step, answer: 'yes' })
    expect(await outcome).toEqual({ answer: 'yes' })
    expect(asked).toEqual(['yes'])
    expect(isOver(port)).toBe(true)
  })

  test('that the browser blocks is asked for again, and nothing waits for it', async () => {
    const { block, open, shown, stage, opened, press, outcome } = frame()
    block(true)
    await settled()
    await press('open')
    expect([shown(), stage.scene.get()?.props]).toMatchObject(['continue-in-window', { problem: 'blocked' }])
    block(false)
    await open()
    expect(opened).toHaveLength(1)
    expect(shown()).toBe('waiting-for-window')
    await press('cancel')
    expect((await outcome) as object).toMatchObject({ cause: expect.any(Closed) })
  })

  test('that is closed is offered again, and another one goes on where it was', async () => {
    const { window, clock, outcome, asked, port, shown, props, open, hello } = await drawn()
    await port.say({ type: 'answer', step: port.scene()?.step, answer: 'again' })
    window.close()
    await clock.advance(400)
    expect([shown(), props()]).toMatchObject(['continue-in-window', { problem: 'closed', again: true }])
    const next = await open()
    const second = await hello(next.window, { nonce: next.nonce })
    expect([shown(), second.scene()?.id]).toEqual(['waiting-for-window', 'question'])
    await second.say({ type: 'answer', step: second.scene()?.step, answer: 'yes' })
    expect(await outcome).toEqual({ answer: 'yes' })
    expect(asked).toEqual(['again', 'yes'])
  })

  test('that is closed and not opened again has said no', async () => {
    const { window, clock, outcome, asked, press } = await drawn()
    window.close()
    await clock.advance(400)
    await press('cancel')
    expect(await outcome).toMatchObject({ cause: expect.any(Closed) })
    expect(asked).toEqual([])
  })

  test('that is reloaded or led elsewhere comes back to nothing, and is closed once another one is open', async () => {
    const { window, nonce, hello, port, shown, asked, open, press, outcome } = await drawn()
    // Either way it leaves its page, which says so.
    await port.say({ type: 'gone' })
    expect(shown()).toBe('continue-in-window')
    for (const data of [{ nonce }, { nonce: '' }, { nonce: crypto.randomUUID() }])
      expect((await hello(window, data)).isHeard()).toBe(false)
    await port.say({ type: 'answer', step: port.scene()?.step, answer: 'yes' })
    expect(asked).toEqual([])
    await open()
    expect(window.closed).toBe(true)
    await press('cancel')
    expect(await outcome).toMatchObject({ cause: expect.any(Closed) })
  })

  test('that never connects is closed and offered again, and nothing has begun', async () => {
    const { open, clock, shown, props, asked, press, outcome } = frame()
    await settled()
    const { window } = await open()
    await clock.advance(31_000)
    expect([shown(), props()]).toMatchObject(['continue-in-window', { problem: 'late', again: true }])
    expect([window.closed, asked]).toEqual([true, []])
    await press('cancel')
    expect(await outcome).toMatchObject({ cause: expect.any(Closed) })
  })

  test('leads back to the list of the page, where the user came from one', async () => {
    const { press, outcome, opened } = frame({ canGoBack: true })
    await settled()
    await press('back')
    expect(await outcome).toMatchObject({ cause: expect.any(TurnedBack) })
    expect(opened).toEqual([])
  })

  test('whose browser does not show it says so, and may be opened again in its place', async () => {
    const { window, keepFocus, clock, press, props, port, hello, opened, addresses, outcome } = await drawn()
    keepFocus()
    await press('show')
    await clock.advance(400)
    expect(props()).toMatchObject({ state: 'behind' })
    await press('again')
    const nonce = addresses.at(-1)?.split('#')[1]
    expect([opened.length, whyOver(port)]).toEqual([2, 'moved'])
    const second = await hello(opened.at(-1), { nonce })
    await port.say({ type: 'answer', step: second.scene()?.step, answer: 'of the old one' })
    await second.say({ type: 'answer', step: second.scene()?.step, answer: 'yes' })
    expect(await outcome).toEqual({ answer: 'yes' })
    expect(window.focused).toBe(1)
  })

  test.each<[string, (given: { window: Opened; nonce: string }) => [unknown, unknown, object?]]>([
    ['another window with its nonce', ({ nonce }) => [{}, { nonce }]],
    [
      'a page of another origin in it',
      ({ window, nonce }) => [window, { nonce }, { origin: 'https://evil.example' }],
    ],
    ['it without its nonce', ({ window }) => [window, { nonce: crypto.randomUUID() }]],
    ['it without a port', ({ window, nonce }) => [window, { nonce }, { ports: [] }]],
    ['it with two ports', ({ window, nonce }) => [window, { nonce }, { ports: [{}, {}] }]],
  ])('is not %s', async (_, from) => {
    const { open, hello, shown } = frame()
    await settled()
    const given = await open()
    const { isHeard, told } = await hello(...from(given))
    expect([isHeard(), told]).toEqual([false, []])
    expect(shown()).toBe('waiting-for-window')
    // The true one is still heard.
    expect((await hello(given.window, { nonce: given.nonce })).isHeard()).toBe(true)
  })

  test('connects once: who says its nonce again is not heard, and sees nothing', async () => {
    const { window, nonce, hello, port, outcome } = await drawn()
    const second = await hello(window, { nonce })
    expect([second.isHeard(), second.told]).toEqual([false, []])
    await port.say({ type: 'answer', step: port.scene()?.step, answer: 'yes' })
    expect(await outcome).toEqual({ answer: 'yes' })
  })

  test('is one: another press shows it again, and opens no second', async () => {
    const { press, opened, window, shown, clock } = await drawn()
    await press('show')
    await clock.advance(400)
    await press('show')
    await clock.advance(400)
    expect([opened.length, window.focused, shown()]).toEqual([1, 2, 'waiting-for-window'])
  })

  test('has a nonce of its own each time', async () => {
    const nonces = new Set<string>()
    for (let times = 0; times < 3; times++) nonces.add((await drawn()).nonce)
    expect(nonces.size).toBe(3)
  })

  test('answers what it shows: neither what was shown before nor twice', async () => {
    const { port, asked, outcome } = await drawn()
    const step = port.scene()?.step ?? 0
    await port.say({ type: 'answer', step: step + 1, answer: 'early' })
    await port.say({ type: 'answer', step: step - 1, answer: 'late' })
    await port.say({ type: 'answer', step, answer: 'again' })
    // The same press once more, which was meant for the question before.
    await port.say({ type: 'answer', step, answer: 'twice' })
    expect(asked).toEqual(['again'])
    await port.say({ type: 'answer', step: port.scene()?.step, answer: 'yes' })
    expect(await outcome).toEqual({ answer: 'yes' })
  })

  test('goes with its frame: it hears that the request is over', async () => {
    const { stage, port, outcome, asked } = await drawn()
    ;(stage as StageControl).close()
    expect(await outcome).toMatchObject({ cause: expect.any(Closed) })
    expect([isOver(port), asked]).toEqual([true, []])
  })

  test.each(['over', 'left', 'session'] as const)('hears why its frame goes: %s', async (why) => {
    const { stage, port, endWith } = await drawn()
    endWith(why)
    ;(stage as StageControl).close()
    expect(whyOver(port)).toBe(why)
  })
})

describe('what has happened', () => {
  const afterwards = async (how: 'settle' | 'commit', work?: Promise<void>) => {
    const one = await drawn({ ...(work && { work }) })
    await one.port.say({ type: 'answer', step: one.port.scene()?.step, answer: how })
    return one
  }

  test.each(['settle', 'commit'] as const)('is told on both sides at once, after %s', async (how) => {
    const { sent, shown, port, props } = await afterwards(how)
    expect(sent).toContainEqual({ type: 'settled', answer: { address: how === 'settle' ? '0x1' : '0x2' } })
    expect([shown(), props()]).toMatchObject(['window-done', { purpose: 'import' }])
    expect(port.told.map(({ type }) => type)).toContain('settled')
    expect(isOver(port)).toBe(false)
  })

  test.each<[string, (one: Awaited<ReturnType<typeof afterwards>>) => Promise<unknown>]>([
    [
      'its window is closed',
      async ({ window, clock }) => {
        window.close()
        await clock.advance(400)
      },
    ],
    ['its window says that it goes', ({ port }) => port.say({ type: 'gone' })],
    ['the user goes on in the frame', ({ press }) => press('continue')],
    ['the frame is closed', async ({ stage }) => (stage as StageControl).close()],
  ])('stays so and ends the display alone, once %s', async (_, close) => {
    const one = await afterwards('settle')
    await close(one)
    expect(await one.outcome).toMatchObject({ cause: expect.any(Closed) })
    expect(one.final()).toEqual({ address: '0x1' })
    if (isOver(one.port)) expect(whyOver(one.port)).toBe('done')
  })

  test('is waited for while it can’t be called off, whatever becomes of the window', async () => {
    let done = () => {}
    const work = new Promise<void>((resolve) => {
      done = resolve
    })
    const { shown, props, window, clock, outcome, final, sent } = await afterwards('commit', work)
    expect([shown(), props()]).toMatchObject(['waiting-for-window', { state: 'finishing' }])
    expect(sent).toEqual([{ type: 'finishing', on: true }])
    window.close()
    await clock.advance(2_000)
    expect([shown(), props(), final()]).toMatchObject([
      'waiting-for-window',
      { state: 'finishing' },
      undefined,
    ])
    done()
    await settled()
    await outcome
    expect(final()).toEqual({ address: '0x2' })
    expect(sent.slice(1)).toEqual([
      { type: 'settled', answer: { address: '0x2' } },
      { type: 'finishing', on: false },
    ])
  })

  test('has not happened where it failed: the window that was closed meanwhile is offered again', async () => {
    const work = Promise.reject(new Error('refused'))
    work.catch(() => {})
    const { outcome, final, sent } = await afterwards('commit', work)
    expect(await outcome).toMatchObject({ cause: { message: 'refused' } })
    expect(final()).toBeUndefined()
    expect(sent.at(-1)).toEqual({ type: 'finishing', on: false })
  })
})
