/** The vault's own window as its frame sees it, and what can happen to it. */
import { describe, expect, test } from 'vitest'
import { defineScreen } from '../../../src/dialog/screen.ts'
import { Closed, createStage, type StageControl } from '../../../src/dialog/stage.ts'
import { createStore } from '../../../src/lib/store.ts'
import type { ApprovalLook } from '../../../src/protocol/frame/approval.ts'
import { createWindows, inWindow } from '../../../src/vault/approval/window/flow.ts'
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
type Message = { type: string; scene?: { id: string; step: number; busy?: unknown } }

/** A frame of the vault that asks something, and a person with a browser in front of it. */
function frame() {
  const clock = testClock()
  const events = new EventTarget()
  const addresses: string[] = []
  const opened: Opened[] = []
  let blocks = false
  const page = {
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
  const outcome = inWindow(stage, windows, 'risky', async (there) => {
    for (;;) {
      const answer = await there.ask(question, {})
      asked.push(answer)
      if (answer !== 'again') return answer
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
async function drawn() {
  const one = frame()
  await settled()
  const { window, nonce } = await one.open()
  const port = await one.hello(window, { nonce })
  return { ...one, window, nonce, port }
}
const isOver = ({ told }: { told: Message[] }) => told.some(({ type }) => type === 'over')

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
    expect([shown(), stage.scene.get()?.props]).toMatchObject(['continue-in-window', { blocked: true }])
    block(false)
    await open()
    expect(opened).toHaveLength(1)
    expect(shown()).toBe('waiting-for-window')
    await press('cancel')
    expect((await outcome) as object).toMatchObject({ cause: expect.any(Closed) })
  })

  test('that is closed has said no', async () => {
    const { window, clock, outcome, asked, port } = await drawn()
    window.close()
    await clock.advance(1_000)
    expect(await outcome).toMatchObject({ cause: expect.any(Closed) })
    expect([asked, isOver(port)]).toEqual([[], true])
  })

  test('that is reloaded or led elsewhere has said no, and comes back to nothing', async () => {
    const { window, nonce, hello, port, outcome, asked } = await drawn()
    // Either way it leaves its page, which says so.
    await port.say({ type: 'gone' })
    expect(await outcome).toMatchObject({ cause: expect.any(Closed) })
    for (const data of [{ nonce }, { nonce: '' }, { nonce: crypto.randomUUID() }])
      expect((await hello(window, data)).isHeard()).toBe(false)
    await port.say({ type: 'answer', step: port.scene()?.step, answer: 'yes' })
    expect(asked).toEqual([])
  })

  test('that never connects is closed, and has said no', async () => {
    const { open, clock, outcome } = frame()
    await settled()
    const { window } = await open()
    await clock.advance(31_000)
    expect(await outcome).toMatchObject({ cause: expect.any(Closed) })
    expect(window.closed).toBe(true)
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
    const { press, opened, window, shown } = await drawn()
    await press('show')
    await press('show')
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
})
