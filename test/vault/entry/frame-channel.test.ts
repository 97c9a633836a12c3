import { describe, expect, test } from 'vitest'
import { frameEvents } from '../../../src/protocol/frame/calls.ts'
import { embeddingAllowed, openFrameChannel } from '../../../src/vault/entry/frame-channel.ts'
import type { Vault } from '../../../src/vault/entry/vault.ts'
import { vaultLimits } from '../../../src/vault/limits.ts'
import { settings } from '../support/device.ts'
import { openPage } from '../support/frame-channel.ts'
import { createPage, hostOrigin } from '../support/page.ts'

const origins = settings.allowedOrigins
const ready = (id: string) => ({ id, event: frameEvents.ready, data: {} })
const create = (id: string) => ({ id, event: frameEvents.createWallet, data: { accessToken: 't' } })

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

  test('in a sandbox without an origin of its own', async () => {
    const { page } = createPage()
    expect(embeddingAllowed({ ...page, origin: 'null' }, origins)).toBe(false)
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
    for (let i = 0; i < vaultLimits.rememberedIds; i++) await deliver(ready(`id-${i}`))
    await deliver(ready('id-0'))
    expect(asked).toHaveLength(vaultLimits.rememberedIds)
    await deliver(ready('one more'))
    await deliver(ready('id-0'))
    expect(asked).toHaveLength(vaultLimits.rememberedIds + 2)
  })

  test('no kind of spoofed message has an effect', async () => {
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
      ['10 MB of text', (door) => door.deliver(`{"id":"15","data":"${'x'.repeat(1e7)}"}`)],
      ['100,000 lists within one another', (door) => door.deliver(deep(100_000))],
      ['the same as text', (door) => door.deliver('['.repeat(1e5) + ']'.repeat(1e5))],
      ['a list of a million', (door) => door.deliver({ ...create('17'), data: { list: new Array(1e6) } })],
      ['a million fields', (door) => door.deliver({ ...create('18'), data: wide(1e6) })],
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

  test('requests out of order, twice and in pieces: each whole one is answered once, by its own id', async () => {
    const page = createPage()
    const waiting: (() => void)[] = []
    const vault: Vault = {
      answer: ({ id, event }) =>
        new Promise((resolve) => waiting.push(() => resolve({ id, event, data: { mine: id } }))),
    }
    openFrameChannel(page.page, origins, vault)
    const ids = Array.from({ length: 500 }, (_, i) => `id-${i}`)
    const pieces = ids.map((id) => JSON.stringify(create(id)).slice(0, -(1 + (id.length % 3))))
    // The handshake comes second: what is before it is lost, and may be sent again.
    const sent = [create('id-0'), ready('hello'), ...shuffled([...ids, ...ids].map(create)), ...pieces]
    const delivered = sent.map((message) => page.deliver(message))
    for (const answer of shuffled(waiting)) answer()
    await Promise.all(delivered)
    const answers = page.posted.map(({ message }) => message as { id: string; event: string; data: object })
    expect(answers.map(({ id }) => id).sort()).toEqual([...ids, 'hello'].sort())
    for (const { id, event, data } of answers) {
      expect(data).toEqual({ mine: id })
      expect(event).toBe(id === 'hello' ? frameEvents.ready : frameEvents.createWallet)
    }
  })

  test('Object.prototype stays unchanged by any message', async () => {
    const door = openPage()
    await door.deliver(ready('first'))
    const before = Object.getOwnPropertyNames(Object.prototype)
    for (const key of ['__proto__', 'constructor', 'prototype'])
      for (const text of [
        `{"${key}":{"polluted":1},"id":"a","event":"privy:wallet:create","data":{}}`,
        `{"id":"a","event":"privy:wallet:create","data":{"${key}":{"polluted":1}}}`,
        `{"id":"a","event":"privy:wallets:rpc","data":{"request":{"method":"x","params":[[{"${key}":1}]]}}}`,
      ]) {
        await door.deliver(text)
        await door.deliver(JSON.parse(text))
      }
    expect(door.asked).toHaveLength(1)
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before)
    expect({}).not.toHaveProperty('polluted')
  })

  test('an answer that is due when the channel closes is not sent', async () => {
    const page = createPage()
    let finish = () => {}
    const waiting = new Promise<void>((resolve) => {
      finish = resolve
    })
    const vault: Vault = { answer: async ({ id, event }) => waiting.then(() => ({ id, event, data: {} })) }
    const close = openFrameChannel(page.page, origins, vault)
    const delivered = page.deliver(ready('1'))
    close()
    finish()
    await delivered
    expect(page.posted).toHaveLength(0)
  })
})

/** The same every time, and in no order. */
function shuffled<T>(items: readonly T[]): T[] {
  const order = (i: number) => (i * 7_919) % 104_729
  return items
    .map((item, i) => ({ item, at: order(i) }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

function deep(levels: number): unknown {
  let value: unknown = []
  for (let i = 0; i < levels; i++) value = [value]
  return value
}

const wide = (fields: number) => Object.fromEntries(Array.from({ length: fields }, (_, i) => [`f${i}`, 1]))
