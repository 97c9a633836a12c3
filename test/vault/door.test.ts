import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bounds } from '../../src/vault/bounds.ts'
import { embeddingAllowed, openDoor } from '../../src/vault/door.ts'
import type { Vault } from '../../src/vault/vault.ts'
import { frameEvents } from '../../src/wire/frame/calls.ts'
import { type FrameRequest, readRequest } from '../../src/wire/frame/messages.ts'
import { createBackend, makeToken } from './support/backend.ts'
import { createPage, hostOrigin } from './support/page.ts'
import { createDevice, openTab, settings } from './support/rig.ts'

const origins = settings.allowedOrigins
const ready = (id: string) => ({ id, event: frameEvents.ready, data: {} })
const create = (id: string) => ({ id, event: frameEvents.createWallet, data: { accessToken: 't' } })

/** A vault that notes what it is asked, behind an open door. */
function openPage(page = createPage()) {
  const asked: FrameRequest[] = []
  const vault: Vault = {
    async answer(request) {
      asked.push(request)
      return { id: request.id, event: request.event, data: {} }
    },
  }
  return { ...page, asked, close: openDoor(page.page, origins, vault) }
}

describe('embedding', () => {
  const layouts: [string, readonly string[] | null, boolean][] = [
    ['allowed', [hostOrigin], true],
    ['allowed in allowed', [hostOrigin, hostOrigin], true],
    ['another allowed port', ['http://localhost:5173'], true],
    ['a browser without ancestorOrigins', null, true],
    ['evil', ['https://evil.example'], false],
    ['evil inside allowed', ['https://evil.example', hostOrigin], false],
    ['allowed inside evil', [hostOrigin, 'https://evil.example'], false],
    ['http instead of https', ['http://host.example'], false],
    ['another port', ['https://host.example:8443'], false],
    ['allowed name as a label of evil', ['https://host.example.evil.example'], false],
    ['evil label before the allowed name', ['https://evil.host.example'], false],
    ['joined name', ['https://evilhost.example'], false],
    ['userinfo', ['https://host.example@evil.example'], false],
    ['opaque: sandbox, data:, srcdoc', ['null'], false],
    ['opaque in the middle', [hostOrigin, 'null', hostOrigin], false],
    ['nobody above', [], false],
  ]
  test.each(layouts)('%s', async (_, above, allowed) => {
    const { page, deliver, posted, asked, hearing } = openPage(createPage(above))
    expect(embeddingAllowed(page, origins)).toBe(allowed)
    await deliver(ready('1'), { origin: above?.[0] ?? hostOrigin })
    expect(asked).toHaveLength(allowed ? 1 : 0)
    expect(posted).toHaveLength(allowed ? 1 : 0)
    expect(hearing.size).toBe(allowed ? 1 : 0)
  })

  test('without ancestorOrigins the origin of the message decides', async () => {
    const { deliver, posted, asked } = openPage(createPage(null))
    for (const origin of [
      'https://evil.example',
      'http://host.example',
      'https://host.example:8443',
      'null',
      '',
    ])
      await deliver(ready(origin), { origin })
    expect([asked.length, posted.length]).toEqual([0, 0])
    await deliver(ready('good'))
    expect(posted).toMatchObject([{ targetOrigin: hostOrigin }])
  })

  test('top level: the page is its own parent', async () => {
    const { page } = createPage()
    const alone = Object.assign(page, { parent: page })
    expect(embeddingAllowed(alone, origins)).toBe(false)
  })
})

describe('messages', () => {
  test('each request is answered once, as an object, to the exact origin', async () => {
    const { deliver, posted } = openPage()
    await deliver(ready('a'))
    await deliver(ready('b'))
    await deliver(JSON.stringify(ready('c')))
    await deliver(ready('b'))
    expect(posted.map(({ message }) => message)).toEqual(['a', 'b', 'c'].map((id) => ready(id)))
    expect(new Set(posted.map(({ targetOrigin }) => targetOrigin))).toEqual(new Set([hostOrigin]))
  })

  test('an id is remembered for thousands of requests, and memory does not grow for ever', async () => {
    const { deliver, asked } = openPage()
    for (let i = 0; i < bounds.rememberedIds; i++) await deliver(ready(`id-${i}`))
    await deliver(ready('id-0'))
    expect(asked).toHaveLength(bounds.rememberedIds)
    await deliver(ready('one more'))
    await deliver(ready('id-0'))
    expect(asked).toHaveLength(bounds.rememberedIds + 2)
  })

  test('12 kinds of spoofed messages have no effect', async () => {
    const cyclic: Record<string, unknown> = { ...create('cyclic') }
    cyclic.data = cyclic
    const opener = { postMessage: () => {} }
    const sibling = { postMessage: () => {} }
    type Spoof = [string, (door: ReturnType<typeof openPage>) => Promise<void>]
    const spoofs: Spoof[] = [
      ['wrong origin', (door) => door.deliver(create('1'), { origin: 'https://evil.example' })],
      ['another allowed origin', (door) => door.deliver(create('2'), { origin: 'http://localhost:5173' })],
      ['right origin, wrong window', (door) => door.deliver(create('3'), { source: {} })],
      ['sibling frame', (door) => door.deliver(create('4'), { source: sibling })],
      ['opener', (door) => door.deliver(create('5'), { source: opener })],
      ['replayed id', (door) => door.deliver(ready('first'))],
      ['id collision', (door) => door.deliver(create('first'))],
      [
        'prototype keys',
        (door) => door.deliver('{"id":"8","event":"privy:wallet:create","data":{"__proto__":{}}}'),
      ],
      ['10 MB', (door) => door.deliver({ ...create('9'), data: { accessToken: 'x'.repeat(1e7) } })],
      ['cyclic', (door) => door.deliver(cyclic)],
      ['transferables', (door) => door.deliver(create('11'), { ports: [{}] })],
      ['transferred buffer', (door) => door.deliver({ ...create('12'), data: new ArrayBuffer(8) })],
      ['no window', (door) => door.deliver(create('13'), { source: null })],
      ['opaque origin', (door) => door.deliver(create('14'), { origin: 'null' })],
    ]
    let accepted = 0
    for (const [name, spoof] of spoofs) {
      const door = openPage()
      await door.deliver(ready('first'))
      await spoof(door)
      if (door.asked.length !== 1 || door.posted.length !== 1) accepted++
      expect([name, door.asked.length, door.posted.length]).toEqual([name, 1, 1])
    }
    const early = openPage()
    await early.deliver(create('before ready'))
    await early.deliver(JSON.stringify(create('before ready, as text')))
    expect(early.posted).toHaveLength(0)
    const late = openPage()
    await late.deliver(ready('first'))
    late.close()
    await late.deliver(create('after close'))
    expect(late.posted).toHaveLength(1)
    expect(late.hearing.size).toBe(0)
    console.log(`Spoofed messages: ${accepted} of ${spoofs.length + 2} kinds accepted`)
    expect(accepted).toBe(0)
  })

  test('an answer that is due when the door closes is not sent', async () => {
    const page = createPage()
    let finish = () => {}
    const waiting = new Promise<void>((resolve) => {
      finish = resolve
    })
    const vault: Vault = { answer: async ({ id, event }) => waiting.then(() => ({ id, event, data: {} })) }
    const close = openDoor(page.page, origins, vault)
    const delivered = page.deliver(ready('1'))
    close()
    finish()
    await delivered
    expect(page.posted).toHaveLength(0)
  })

  test('100,000 random messages: nothing thrown, no effect', { timeout: 240_000 }, async () => {
    const door = openPage()
    await door.deliver(ready('first'))
    const text = fc.string({ maxLength: 12 })
    const valid = fc.record({
      id: fc.string({ minLength: 1, maxLength: 20 }),
      event: fc.constantFrom(...Object.values(frameEvents)),
      data: fc.dictionary(text, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
    })
    const notTheParent = fc.oneof(
      fc.record({
        origin: fc.oneof(
          text,
          fc.webUrl(),
          fc.constantFrom('null', '*', '', `${hostOrigin}/`, 'http://localhost:1'),
        ),
      }),
      fc.record({ source: fc.constantFrom({}, null, undefined, globalThis) }),
      fc.record({ ports: fc.array(fc.constant({}), { minLength: 1, maxLength: 2 }) }),
    )
    const spoiled = fc.oneof(
      fc.anything({
        maxDepth: 3,
        withBigInt: true,
        withDate: true,
        withMap: true,
        withTypedArray: true,
        withNullPrototype: true,
      }),
      fc.json({ maxDepth: 2 }),
      text,
      valid.map((message) => ({ ...message, event: message.event.slice(1) })),
      valid.map(({ id: _, ...message }) => message),
      valid.map((message) => ({ ...message, data: [message.data] })),
      valid.map((message) => ({ ...message, more: { constructor: 1 } })),
      valid.map((message) => JSON.stringify(message).slice(0, -1)),
    )
    const messages = fc.oneof(
      fc.tuple(
        fc.oneof(
          valid,
          valid.map((message) => JSON.stringify(message)),
        ),
        notTheParent,
      ),
      fc.tuple(
        spoiled.filter((data) => readRequest(data) === undefined),
        fc.constant({}),
      ),
      fc.tuple(spoiled, notTheParent),
    )
    let count = 0
    await fc.assert(
      fc.asyncProperty(messages, async ([data, more]) => {
        count++
        await door.deliver(data, more)
        return door.asked.length === 1 && door.posted.length === 1
      }),
      { numRuns: 100_000, seed: 20_260_101, endOnFailure: true },
    )
    console.log(`Random messages: ${count}, 0 thrown, ${door.asked.length - 1} effects`)
  })

  test('well-formed requests with random data: a typed answer each, and nothing happens', {
    timeout: 120_000,
  }, async () => {
    const backend = createBackend()
    const device = createDevice()
    const vault = openTab(backend, device)
    const names = [
      'accessToken',
      'entropyId',
      'entropyIdVerifier',
      'chainType',
      'hdWalletIndex',
      'request',
      'userId',
    ]
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom(makeToken('u', { aud: 'other' }), 'ethereum', 0),
    )
    const data = fc
      .dictionary(fc.constantFrom(...names), value)
      .map((read) => Object.assign(Object.create(null), read))
    const events = Object.values(frameEvents).filter((event) => event !== frameEvents.ready)
    let failed = 0
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...events), data, async (event, read) => {
        const answer = await vault.answer({ id: '1', event, data: read })
        if (answer.error) failed++
        else expect(event).toBe(frameEvents.clearMfa)
      }),
      { numRuns: 10_000, seed: 7 },
    )
    console.log(
      `Random data in well-formed requests: 10,000, ${failed} typed errors, ${backend.calls.length} calls to the server`,
    )
    expect(backend.calls).toHaveLength(0)
  })
})
