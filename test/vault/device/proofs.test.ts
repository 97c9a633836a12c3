/** What the vault proves to the server with each call, read by a library that has nothing of the vault's in it. */
import { createHash } from 'node:crypto'
import { calculateJwkThumbprint, decodeProtectedHeader, EmbeddedJWK, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../../src/lib/clock.ts'
import { createContext } from '../../../src/vault/create-context.ts'
import { memoryKeys } from '../../../src/vault/device/key-store.ts'
import { appId, type Backend, createBackend, makeToken } from '../support/backend.ts'
import { createDevice, openTab, partsOf, person, quickClock, settings } from '../support/device.ts'
import { user, withWallet } from '../support/person.ts'
import { nonceAt } from '../support/server/devices.ts'

const proofOf = (headers: Headers) => headers.get('dpop') ?? expect.unreachable('no proof')
const answers = (backend: Backend) => backend.asked.map(({ answer }) => answer)
const clockOff = (ms: number) => ({ ...quickClock, now: () => systemClock.now() + ms })

describe('a proof', () => {
  test('names the call, the login, the time and the nonce, and is signed by the key that it carries', async () => {
    const { backend, token, me, address } = await withWallet()
    await me.connect(address)
    const seen = new Set<unknown>()
    const keys = new Set<string>()
    const given = backend.asked.filter(({ answer }) => answer !== 'use_dpop_nonce')
    expect(given.length).toBeGreaterThan(2)
    for (const { call } of given) {
      const jwt = proofOf(call.headers)
      const { payload, protectedHeader } = await jwtVerify(jwt, EmbeddedJWK, {
        typ: 'dpop+jwt',
        algorithms: ['ES256'],
      })
      expect(Object.keys(protectedHeader).sort()).toEqual(['alg', 'jwk', 'typ'])
      expect(Object.keys(protectedHeader.jwk ?? {}).sort()).toEqual(['crv', 'kty', 'x', 'y'])
      expect(payload).toEqual({
        htm: 'POST',
        htu: String(call.url),
        iat: expect.any(Number),
        jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
        ath: createHash('sha256').update(token).digest('base64url'),
        nonce: expect.any(String),
      })
      expect(Math.abs((payload.iat ?? 0) * 1000 - Date.now())).toBeLessThan(60_000)
      seen.add(payload.jti)
      keys.add(await calculateJwkThumbprint(protectedHeader.jwk ?? {}))
    }
    expect(seen.size).toBe(given.length)
    expect([...keys]).toEqual(backend.state.devices.map(({ thumbprint }) => thumbprint))
  })

  test('of a call without a login names none, and of an address none of its query', async () => {
    const calls: { url: string; headers: Headers }[] = []
    const cx = createContext({
      settings,
      clock: quickClock,
      ...partsOf(createDevice()),
      async fetch(url, init) {
        calls.push({ url, headers: new Headers(init?.headers) })
        return Response.json({})
      },
    })
    await cx.api(undefined, '/passwordless/authenticate?x=1', {})
    const { payload } = await jwtVerify(proofOf(calls[0]?.headers ?? new Headers()), EmbeddedJWK)
    expect(payload).not.toHaveProperty('ath')
    expect(payload.htu).toBe(`${settings.apiUrl}/api/v1/passwordless/authenticate`)
    expect(calls[0]?.headers.has('authorization')).toBe(false)
  })

  test('is made anew for each attempt of one call, whose idempotency key stays', async () => {
    const { backend, me, address } = await withWallet()
    const from = backend.calls.length
    let lost = 0
    backend.faults.after = () => (lost++ < 2 ? Promise.reject(new TypeError('connection reset')) : undefined)
    expect(await me.connect(address)).toEqual({ entropyId: address })
    const attempts = backend.calls.slice(from)
    expect(attempts).toHaveLength(3)
    expect(new Set(attempts.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1)
    expect(new Set(attempts.map(({ headers }) => proofOf(headers))).size).toBe(3)
  })

  test('with the nonce that came with the page is taken at once', async () => {
    const backend = createBackend()
    const given = { proofNonce: nonceAt(backend.state, 0) }
    const me = person(openTab(backend, createDevice(), quickClock, given), makeToken(user))
    expect(await me.create()).toHaveProperty('address')
    // The device is not known yet, which is told once; nothing else is refused.
    const refused = answers(backend).filter((answer) => answer !== 'taken' && answer !== 'done')
    expect(refused).toEqual(['device_not_enrolled'])
  })

  test('with a nonce of a page that was left open for too long is made once more', async () => {
    const backend = createBackend()
    const given = { proofNonce: nonceAt(backend.state, -9) }
    const me = person(openTab(backend, createDevice(), quickClock, given), makeToken(user))
    expect(await me.create()).toHaveProperty('address')
    expect(answers(backend).filter((answer) => answer === 'use_dpop_nonce')).toHaveLength(1)
  })

  test('with a nonce that has expired is made once more with the new one', async () => {
    const { backend, me, address } = await withWallet()
    const from = backend.asked.length
    backend.state.nonceKey.fill(7)
    expect(await me.connect(address)).toEqual({ entropyId: address })
    expect(answers(backend).slice(from)).toEqual(['use_dpop_nonce', 'taken'])
    const [first, second] = backend.asked.slice(from).map(({ call }) => call.headers.get('idempotency-key'))
    expect(first).toBe(second)
  })

  test('that the server goes on refusing is not made a third time', async () => {
    const { backend, me, address } = await withWallet()
    const from = backend.asked.length
    backend.state.now = () => Date.now() + Math.random() * 1e12
    expect((await me.connect(address)).error?.type).toBe('error')
    expect(answers(backend).slice(from)).toHaveLength(2)
  })

  test.each([
    ['five minutes behind', -5 * 60_000],
    ['five minutes ahead', 5 * 60_000],
    ['a day ahead', 86_400_000 / 2],
  ])('is good where the clock of the device is %s', async (_, off) => {
    const backend = createBackend()
    const me = person(openTab(backend, createDevice(), clockOff(off)), makeToken(user))
    const { address = '' } = await me.create()
    expect(await me.connect(address)).toEqual({ entropyId: address })
    expect(answers(backend).filter((answer) => answer === 'invalid_dpop_proof')).toEqual([])
  })

  const hour = 3_600_000
  test.each<readonly [string, number]>([
    ...[1, 2, 13, 24, 24 * 366].map((hours) => [`${hours} h ahead`, hours * hour] as const),
    ...[1, 2, 13, 24, 24 * 366].map((hours) => [`${hours} h behind`, -hours * hour] as const),
    ['seven minutes ahead', 420_000],
    ['seven minutes behind', -420_000],
  ])('vault: a wallet is created and signs with a token of an hour, device clock %s', async (_, off) => {
    const backend = createBackend()
    const token = makeToken(user, { exp: Math.floor(Date.now() / 1000) + 3600 })
    const me = person(openTab(backend, createDevice(), clockOff(off)), token)
    const { address = '', error } = await me.create()
    expect(error).toBeUndefined()
    expect(await me.connect(address)).toEqual({ entropyId: address })
    const calls = backend.calls.length
    expect(await me.sign(address, 'x')).toHaveProperty('response')
    // Whether the release is still good is not for the device's clock either.
    expect(backend.calls).toHaveLength(calls)
  })

  test('vault: a token that has expired is refused, device clock an hour behind', async () => {
    const backend = createBackend()
    const [good, expired] = [600, -60].map((more) =>
      makeToken(user, { exp: Math.floor(Date.now() / 1000) + more }),
    )
    const vault = openTab(backend, createDevice(), clockOff(-hour))
    const { address = '' } = await person(vault, good ?? '').create()
    expect((await person(vault, expired ?? '').connect(address)).error?.message).toBe(
      'The access token has expired',
    )
  })

  test('is learned again after the clock of the device was set', async () => {
    const backend = createBackend()
    let off = 0
    const clock = { ...quickClock, now: () => systemClock.now() + off }
    const me = person(openTab(backend, createDevice(), clock), makeToken(user))
    const { address = '' } = await me.create()
    off = 5 * 60_000
    expect(await me.connect(address)).toEqual({ entropyId: address })
    expect(answers(backend).slice(-2)).toEqual(['invalid_dpop_proof', 'taken'])
  })
})

describe('the device key', () => {
  test('is one for all tabs, even if they make it at once, and no script can read it', async () => {
    const backend = createBackend()
    const device = createDevice()
    const token = makeToken(user)
    const tabs = [1, 2, 3].map(() => person(openTab(backend, device), token))
    await Promise.all(tabs.map((tab) => tab.create()))
    expect(backend.state.devices).toHaveLength(1)
    const { privateKey } = await partsOf(device).keys.keyOf(appId, () => expect.unreachable('a second key'))
    expect(privateKey.extractable).toBe(false)
    await expect(crypto.subtle.exportKey('jwk', privateKey)).rejects.toThrow()
  })

  test('is another one for each app', async () => {
    const keys = memoryKeys()
    const device = { ...createDevice(), keys }
    const thumbprints = []
    for (const more of [{}, { appId: 'clatchkeytestapp000000002' }]) {
      const context = createContext({
        settings: { ...settings, ...more },
        fetch: () => expect.unreachable('no call'),
        clock: quickClock,
        ...partsOf(device),
      })
      thumbprints.push((await context.device()).thumbprint)
    }
    expect(new Set(thumbprints).size).toBe(2)
  })

  test('that could not be made is made at the next call', async () => {
    const backend = createBackend()
    const keys = memoryKeys()
    let broken = true
    const me = person(
      openTab(backend, {
        ...createDevice(),
        keys: { keyOf: (app, make) => (broken ? Promise.reject(new Error('no')) : keys.keyOf(app, make)) },
      }),
      makeToken(user),
    )
    expect((await me.create()).error?.type).toBe('error')
    broken = false
    expect(await me.create()).toHaveProperty('address')
  })

  test('decodes to nothing but a public key', async () => {
    const { backend } = await withWallet()
    for (const { call } of backend.asked)
      expect(decodeProtectedHeader(proofOf(call.headers)).jwk).not.toHaveProperty('d')
  })
})
