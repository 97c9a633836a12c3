/** Who may speak to the frame in which a person approves something, and what of it is heard. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type ApprovalLook,
  type ApprovalRequests,
  approvalHello,
  readApprovalToFrame,
} from '../../../src/protocol/frame/approval.ts'
import { connect } from '../../../src/vault/approval/connection.ts'
import { readFromWindow, readHello } from '../../../src/vault/approval/window/messages.ts'
import { limit } from '../../support/limit.ts'
import { counted, soak } from '../../support/soak.ts'
import { quickClock, settings } from '../support/device.ts'
import { createPage } from '../support/page.ts'

const address = `0x${'12'.repeat(20)}`
const request: ApprovalRequests['sign'] = {
  root: { chainType: 'ethereum', address },
  kind: 'message',
  walletIndex: 0,
  address,
  message: '0x6869',
}
const look: ApprovalLook = {
  theme: 'light',
  dir: 'ltr',
  textScale: 1,
  radius: 1,
  drawer: false,
  closable: true,
}
const open = { type: 'open', purpose: 'sign', request, look }

interface FakePort {
  onmessage: ((event: { data: unknown }) => void) | null
  postMessage(message: unknown): void
  sent: unknown[]
}
function createPort(): FakePort {
  const sent: unknown[] = []
  return { onmessage: null, sent, postMessage: (message) => void sent.push(message) }
}

/** A frame that waits for its page. */
function waiting() {
  const door = createPage()
  const connected = connect(door.page, { settings, clock: quickClock, aheadBy: () => undefined })
  let isConnected = false
  connected.then(() => {
    isConnected = true
  })
  return { ...door, connected, isConnected: () => isConnected }
}
/** A frame whose page has said what it wants. */
async function opened() {
  const door = waiting()
  const port = createPort()
  await door.deliver(approvalHello, { ports: [port] })
  const say = (data: unknown) => port.onmessage?.({ data })
  say(open)
  const connection = await door.connected
  const state = () => JSON.stringify([connection.asked.get(), connection.look.get(), connection.purpose])
  return { ...door, port, say, connection, state }
}

const cyclic: Record<string, unknown> = { type: 'update', request: {} }
cyclic.request = cyclic
const reaching = (key: string) => JSON.parse(`{"type":"update","request":{"${key}":{"isAdmin":true}}}`)
const other = { ...request, message: '0x00' }

describe('twelve kinds of messages that are not the page’s have no effect', () => {
  test.each<[string, object]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['the right origin and another window', { source: {} }],
    ['a frame beside it', { source: { parent: 'the same' } }],
    ['an opener', { source: globalThis }],
    ['no source at all', { source: null }],
    ['an origin that is none', { origin: 'null' }],
    ['no port', { ports: [] }],
    ['two ports', { ports: [createPort(), createPort()] }],
  ])('a hello from %s', async (_, more) => {
    const door = waiting()
    const port = createPort()
    await door.deliver(approvalHello, { ports: [port], ...more })
    port.onmessage?.({ data: open })
    expect(door.isConnected()).toBe(false)
    expect(port).toMatchObject({ onmessage: null, sent: [] })
    expect(door.posted).toEqual([])
    expect(door.hearing.size).toBe(1)
  })

  test.each<[string, unknown]>([
    ['a second request', { ...open, request: other }],
    ['a request of another purpose', { type: 'update', request: { purpose: 'export', address } }],
    ['keys that reach for a prototype', reaching('__proto__')],
    ['the same, of the constructor', reaching('constructor')],
    ['10 MB', { type: 'update', request: { ...request, more: 'x'.repeat(1e7) } }],
    ['a thing that holds itself', cyclic],
    ['what only the frame says', { type: 'done', answer: { signed: '0x00' } }],
    ['what only the window says', { type: 'answer', step: 1, answer: 'sign' }],
    ['a token that nobody has asked for', { type: 'token', accessToken: 'another' }],
    ['a look with words in it', { type: 'look', look: { ...look, theme: 'url(https://evil.example)' } }],
    ['text', JSON.stringify({ type: 'update', request: other })],
  ])('over the port: %s', async (_, data) => {
    const { say, state, port, connection } = await opened()
    const before = state()
    say(data)
    expect(state()).toBe(before)
    expect(port.sent).toEqual([])
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined()
    expect(connection.origin).toBe('https://host.example')
  })

  test('a second hello, also one that comes while the first is new', async () => {
    const { deliver, state, hearing } = await opened()
    const before = state()
    const second = createPort()
    await deliver(approvalHello, { ports: [second] })
    expect(second.onmessage).toBeNull()
    expect(hearing.size).toBe(0)
    expect(state()).toBe(before)
  })
})

test('a window is heard with its nonce alone, and says what a person has answered and nothing else', () => {
  for (const raw of ['nonce', { nonce: 4 }, { nonce: '' }, [], null, reaching('__proto__')])
    expect(readHello(raw)).toBeUndefined()
  for (const raw of [
    { type: 'done' },
    { type: 'answer' },
    { type: 'answer', answer: 'sign' },
    'gone',
    cyclic,
  ])
    expect(readFromWindow(raw)).toBeUndefined()
})

const messages = soak(1_000, 100_000)
test(`${counted(messages)} random messages to an approval throw nothing and have no effect`, {
  timeout: limit(240_000),
}, async () => {
  const { say, state, deliver, port } = await opened()
  const before = state()
  const text = fc.string({ maxLength: 12 })
  const valid = fc.record({
    type: fc.constantFrom('open', 'update', 'look', 'token', 'done', 'answer', 'scene', 'rejected'),
    purpose: fc.constantFrom('sign', 'export', '__proto__', 'toString'),
    request: fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant(request)),
    look: fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.constant({ ...look, textScale: 9 })),
    accessToken: text,
  })
  const anything = fc.anything({
    maxDepth: 3,
    withBigInt: true,
    withDate: true,
    withMap: true,
    withTypedArray: true,
  })
  // Of all that the page may say, this alone is heard once a request is open.
  const isHeard = (data: unknown) => {
    const read = readApprovalToFrame(data)
    return (
      read?.type === 'ping' || read?.type === 'look' || (read?.type === 'update' && isRequest(read.request))
    )
  }
  const isRequest = (raw: unknown) => JSON.stringify(raw)?.includes('personal_sign') === true
  const overPort = fc.oneof(valid, anything, fc.json({ maxDepth: 2 })).filter((data) => !isHeard(data))
  const toWindow = fc.tuple(
    fc.oneof(fc.constant(approvalHello), anything, valid),
    fc.oneof(
      fc.record({ origin: fc.oneof(text, fc.webUrl(), fc.constantFrom('null', '*', '')) }),
      fc.record({ source: fc.constantFrom({}, null, undefined, globalThis) }),
      fc.record({ ports: fc.array(fc.constant({}), { maxLength: 2 }) }),
    ),
  )
  let count = 0
  await fc.assert(
    fc.asyncProperty(fc.oneof(overPort, toWindow), async (input) => {
      count++
      if (Array.isArray(input) && input.length === 2) await deliver(input[0], input[1] as object)
      say(input)
      return state() === before && port.sent.length === 0
    }),
    { numRuns: messages, seed: 20_260_101, endOnFailure: true },
  )
  console.log(`Random messages to an approval: ${count}, 0 thrown, 0 effects`)
})
