import { describe, expect, test, vi } from 'vitest'
import { parsePlain, readPlain } from '../../../src/lib/plain.ts'
import { frameEvents, framePath, frameUrl, readCall } from '../../../src/protocol/frame/calls.ts'
import { frameLimits } from '../../../src/protocol/frame/limits.ts'
import {
  frameErrorTypes,
  readAnswer,
  readRequest,
  toFrameErrorType,
} from '../../../src/protocol/frame/messages.ts'
import { protocolLimits } from '../../../src/protocol/limits.ts'
import { unsupportedEvents } from '../support/unsupported-events.ts'

const size = frameLimits.messageSize
const request = { id: 'id-1', event: frameEvents.connectWallet, data: { accessToken: 't' } }
const dangerous = ['__proto__', 'constructor', 'prototype']
/** The value under a key, at a depth, as JSON text: an object literal would not make an own `__proto__`. */
const nested = (key: string, depth: number) =>
  `${'{"a":'.repeat(depth)}{"${key}":{"isAdmin":true}}${'}'.repeat(depth)}`

describe('reading plain data', () => {
  test('copies what JSON and bigint can say, without a prototype', () => {
    const read = readPlain({ a: [1, 'x', null, true, 12n], b: { c: undefined, d: {} } }, 1_000)
    expect(JSON.parse(JSON.stringify(read, (_, v) => (typeof v === 'bigint' ? String(v) : v)))).toEqual({
      a: [1, 'x', null, true, '12'],
      b: { d: {} },
    })
    expect(Object.getPrototypeOf(read)).toBeNull()
  })

  test('keys that reach for a prototype are refused at every depth, and nothing is polluted', () => {
    for (const key of dangerous)
      for (let depth = 0; depth <= 40; depth++) {
        expect(parsePlain(nested(key, depth), size)).toBeUndefined()
        expect(readRequest(`{"id":"1","event":"privy:x","data":${nested(key, depth)}}`)).toBeUndefined()
        expect(
          readRequest(JSON.parse(`{"id":"1","event":"privy:x","data":${nested(key, depth)}}`)),
        ).toBeUndefined()
      }
    expect(({} as Record<string, unknown>).isAdmin).toBeUndefined()
  })

  test('a polluted Object.prototype does not fill gaps', () => {
    const prototype = Object.prototype as unknown as Record<string, unknown>
    const planted = {
      id: 'x',
      event: frameEvents.ready,
      data: {},
      accessToken: 't',
      userId: 'u',
      entropyId: 'e',
    }
    try {
      for (const [key, value] of Object.entries(planted))
        Object.defineProperty(prototype, key, { value, configurable: true, writable: true })
      expect(readRequest({})).toBeUndefined()
      expect(readRequest('{}')).toBeUndefined()
      expect(readCall({ id: 'x', event: frameEvents.clearMfa, data: Object.create(null) })).toBe('invalid')
      expect(readCall({ id: 'x', event: frameEvents.createWallet, data: Object.create(null) })).toBe(
        'invalid',
      )
    } finally {
      for (const key of Object.keys(planted)) delete prototype[key]
    }
  })

  test('what is not data is refused without a throw', () => {
    const cyclic: Record<string, unknown> = {}
    cyclic.self = cyclic
    const list: unknown[] = []
    list.push(list)
    const trap = new Proxy({}, { ownKeys: () => expect.unreachable('caught') })
    const getter = Object.defineProperty({}, 'x', {
      enumerable: true,
      get: () => expect.unreachable('caught'),
    })
    const odd = [
      cyclic,
      list,
      trap,
      getter,
      new Map(),
      new Date(),
      new Uint8Array(4),
      new ArrayBuffer(4),
      () => 1,
    ]
    const values = [
      ...odd,
      Symbol('x'),
      Number.NaN,
      Number.POSITIVE_INFINITY,
      2n ** 256n,
      undefined,
      new Array(20_000),
    ]
    for (const value of values) {
      expect(readPlain(value, size)).toBeUndefined()
      if (value !== undefined) expect(readPlain({ value: [value] }, size)).toBeUndefined()
    }
  })

  test('levels, entries and size, one below, at and above the limit', () => {
    const deep = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels))
    expect([39, 40, 41].map((levels) => readPlain(deep(levels), size) !== undefined)).toEqual([
      true,
      true,
      false,
    ])
    const long = (n: number) => new Array(n).fill(1)
    expect([9_999, 10_000, 10_001].map((n) => readPlain(long(n), size) !== undefined)).toEqual([
      true,
      true,
      false,
    ])
    const padded = (length: number) => {
      const empty = { id: 'id-1', event: 'privy:x', data: { list: [1, true, null, -2.5, {}], text: '' } }
      const rest = length - JSON.stringify(empty).length
      return { ...empty, data: { ...empty.data, text: 'x'.repeat(rest) } }
    }
    for (const [length, fits] of [
      [size - 1, true],
      [size, true],
      [size + 1, false],
    ] as const) {
      const message = padded(length)
      expect(readRequest(message) !== undefined).toBe(fits)
      expect(JSON.stringify(message)).toHaveLength(length)
      expect(readRequest(JSON.stringify(message)) !== undefined).toBe(fits)
    }
  })

  test('10 MB are refused without being read, and more keys than characters fit', () => {
    const many = Object.fromEntries(Array.from({ length: size + 1 }, (_, i) => [`k${i}`, i]))
    const huge = [{ id: '1', event: 'privy:x', data: { text: 'x'.repeat(1e7) } }, 'x'.repeat(1e7)]
    const parse = vi.spyOn(JSON, 'parse')
    for (const message of huge) expect(readRequest(message)).toBeUndefined()
    expect(parse).not.toHaveBeenCalled()
    expect(readRequest({ id: '1', event: 'privy:x', data: many })).toBeUndefined()
  })
})

describe('requests', () => {
  test('both forms of the envelope are the same request', () => {
    expect(readRequest(request)).toEqual(readRequest(JSON.stringify(request)))
    expect({ ...readRequest(request)?.data }).toEqual(request.data)
    expect(readRequest({ id: 'id-2', event: frameEvents.ready })).toMatchObject({ id: 'id-2' })
  })

  test('an id and an event that begins with the prefix are asked for', () => {
    for (const bad of [
      null,
      5,
      'x',
      '[]',
      [],
      {},
      { ...request, id: 1 },
      { ...request, id: '' },
      { ...request, id: 'x'.repeat(129) },
      { ...request, event: 'wallets:connect' },
      { ...request, event: 7 },
      { ...request, data: 'x' },
      { ...request, data: [] },
    ])
      expect(readRequest(bad)).toBeUndefined()
  })

  test('the data of each event is read, and nothing else is let in', () => {
    const wallet = { accessToken: 't', entropyId: '0x1', entropyIdVerifier: 'v' }
    const call = (event: string, data: object) =>
      readCall(readRequest({ id: '1', event, data }) ?? expect.unreachable())
    expect(call(frameEvents.ready, {})).toEqual({ event: frameEvents.ready, data: {} })
    expect(call(frameEvents.clearMfa, { userId: 'u' })).toMatchObject({ data: { userId: 'u' } })
    expect(call(frameEvents.clearMfa, {})).toBe('invalid')
    expect(call(frameEvents.createWallet, { accessToken: 't', recoveryPin: null, mfaCode: 'x' })).toEqual({
      event: frameEvents.createWallet,
      data: { accessToken: 't' },
    })
    expect(call(frameEvents.createWallet, { accessToken: 't', recoveryPin: '123456' })).toMatchObject({
      data: { recoveryPassword: '123456' },
    })
    const both = { accessToken: 't', recoveryPin: 'old', recoveryPassword: 'new' }
    expect(call(frameEvents.createWallet, both)).toEqual({
      event: frameEvents.createWallet,
      data: { accessToken: 't', recoveryPassword: 'new' },
    })
    expect(call(frameEvents.createWallet, { accessToken: 't', recoveryMethod: 4 })).toBe('invalid')
    expect(call(frameEvents.connectWallet, wallet)).toEqual({
      event: frameEvents.connectWallet,
      data: wallet,
    })
    expect(call(frameEvents.recoverWallet, { ...wallet, entropyId: undefined })).toBe('invalid')
    const rpc = {
      ...wallet,
      chainType: 'ethereum',
      request: { method: 'personal_sign', params: ['x', '0x1'] },
    }
    for (const hdWalletIndex of [0, 0n, '0'])
      expect(call(frameEvents.walletRpc, { ...rpc, hdWalletIndex })).toMatchObject({
        data: { hdWalletIndex: 0 },
      })
    for (const hdWalletIndex of [-1, 0.5, '', 'x', null, undefined, true, [0], {}])
      expect(call(frameEvents.walletRpc, { ...rpc, hdWalletIndex })).toBe('invalid')
    for (const wrong of [null, {}, { method: 'x' }, { method: 4, params: [] }, { method: 'x', params: 'y' }])
      expect(call(frameEvents.walletRpc, { ...rpc, hdWalletIndex: 0, request: wrong })).toBe('invalid')
    for (const event of unsupportedEvents) expect(call(event, {})).toBe('unsupported')
  })
})

describe('what creates, adds and changes wallets', () => {
  const call = (event: string, data: object) =>
    readCall(readRequest({ id: '1', event, data }) ?? expect.unreachable())
  const token = { accessToken: 't' }
  const wallet = { ...token, entropyId: '0x1', entropyIdVerifier: 'v' }
  const secrets = {
    recoveryPassword: 'p',
    recoveryAccessToken: 'a',
    recoveryKey: 'k',
    recoverySecretOverride: 's',
    iCloudRecordNameOverride: 'r',
  }
  const whole: [string, object][] = [
    [frameEvents.createWallet, { ...token, recoveryMethod: 'm', solanaAddress: 'x', ...secrets }],
    [frameEvents.createSolanaWallet, { ...token, ethereumAddress: 'x' }],
    [frameEvents.createWallets, { ...token, chainType: 'solana', recoveryMethod: 'm', ...secrets }],
    [frameEvents.addWallet, { ...wallet, chainType: 'ethereum', hdWalletIndex: 3 }],
    [frameEvents.importWallet, { ...token, chainType: 'solana', privateKey: 'x' }],
    [frameEvents.recoverWallet, { ...wallet, ...secrets }],
    [frameEvents.setRecovery, { ...wallet, recoveryMethod: 'm', existingRecoveryMethod: 'e', ...secrets }],
  ]

  test.each(whole)('%s: every field of the wire is read, and none more', (event, data) => {
    expect(call(event, { ...data, more: {} })).toEqual({ event, data })
  })

  test('what a person gives to be verified comes along with what may want that, and with nothing else', () => {
    const given = { mfaMethod: 'passkey', mfaCode: { id: 'x' }, relyingParty: 'https://host.example' }
    const unwrapped: string[] = [frameEvents.createWallet, frameEvents.importWallet]
    for (const [event, data] of whole) {
      const read = call(event, { ...data, ...given })
      expect(read).toEqual({ event, data: unwrapped.includes(event) ? data : { ...data, ...given } })
    }
    expect(call(frameEvents.verifyMfa, { ...token, mfaMethod: null, mfaCode: null })).toEqual({
      event: frameEvents.verifyMfa,
      data: token,
    })
    for (const mfaCode of [1, true, ['1']])
      expect(call(frameEvents.verifyMfa, { ...token, mfaCode })).toBe('invalid')
  })

  test.each(whole)('%s: a field of another type, and a chain that there is not, are wrong', (event, data) => {
    for (const name of Object.keys(data))
      expect([name, call(event, { ...data, [name]: {} })]).toEqual([name, 'invalid'])
    if ('chainType' in data) expect(call(event, { ...data, chainType: 'bitcoin' })).toBe('invalid')
    for (const name of ['accessToken', 'chainType', 'hdWalletIndex', 'privateKey', 'entropyId'])
      if (name in data) expect(call(event, { ...data, [name]: undefined })).toBe('invalid')
  })

  test('an index is a number up to the last one that BIP-32 has, in any form of the wire', () => {
    const at = (hdWalletIndex: unknown) =>
      call(frameEvents.addWallet, { ...wallet, chainType: 'ethereum', hdWalletIndex })
    for (const index of [2 ** 31 - 1, 2n ** 31n - 1n, '2147483647'])
      expect(at(index)).toMatchObject({ data: { hdWalletIndex: 2 ** 31 - 1 } })
    for (const index of [2 ** 31, 2n ** 31n, '2147483648', '99999999999', '0x1', '1.0', ' 1', -1, '-1'])
      expect(at(index)).toBe('invalid')
  })
})

describe('answers', () => {
  test('success and failure are read; text form and odd forms are not', () => {
    const good = { id: '1', event: frameEvents.createWallet, data: { address: '0x1' } }
    const answer = readAnswer(good)
    expect(answer).toMatchObject({ id: '1', event: frameEvents.createWallet })
    expect(answer?.error ? undefined : { ...answer?.data }).toEqual(good.data)
    for (const bad of [JSON.stringify(good), null, {}, { ...good, data: undefined }, { ...good, event: 'x' }])
      expect(readAnswer(bad)).toBeUndefined()
  })

  test('known types of error pass, unknown ones are plain errors, long words are cut', () => {
    for (const type of frameErrorTypes) expect(toFrameErrorType(type)).toBe(type)
    for (const type of ['new_type', '', null, 4, {}, 'toString']) expect(toFrameErrorType(type)).toBe('error')
    const failure = { id: '1', event: 'privy:x', error: { type: 'new_type', message: 'x'.repeat(1_000) } }
    expect(readAnswer(failure)?.error).toEqual({
      type: 'error',
      message: 'x'.repeat(protocolLimits.serverTextLength),
    })
    expect(readAnswer({ ...failure, error: {} })?.error).toEqual({ type: 'error', message: '' })
  })
})

test('the address of the frame', () => {
  expect(framePath('app')).toBe('/apps/app/embedded-wallets')
  expect(frameUrl('https://api.example', { appId: 'app', analyticsId: 'a b', clientId: 'c' })).toBe(
    'https://api.example/apps/app/embedded-wallets?caid=a+b&client_id=c',
  )
  expect(frameUrl('https://api.example', { appId: 'app' })).toBe(
    'https://api.example/apps/app/embedded-wallets?caid=&client_id=',
  )
})
