/** How a browser that the server does not know comes to count for a person, and what it is not given before. */
import '../../support/quick-stretching.ts'
import { describe, expect, test } from 'vitest'
import type { VaultContext } from '../../../../src/vault/context.ts'
import { createContext } from '../../../../src/vault/create-context.ts'
import { enrolWithCode, enrolWithDrive, enrolWithPassword } from '../../../../src/vault/device/enrol.ts'
import { fallbackKeys, type KeyStore, memoryKeys } from '../../../../src/vault/device/key-store.ts'
import { fetchFactors, type RecoveryFactor, sendEnrolmentCode } from '../../../../src/vault/server/devices.ts'
import { readToken } from '../../../../src/vault/token.ts'
import { appId, type Backend, createBackend, makeToken, sentCode } from '../../support/backend.ts'
import {
  createDevice,
  type Device,
  openTab,
  partsOf,
  person,
  quickClock,
  settings,
} from '../../support/device.ts'
import { user, withWallet } from '../../support/person.ts'
import { password, recoveryMethodOf, withRecoveryMethod } from '../../support/recovery-methods.ts'

const required = { type: 'enrolment_required', message: expect.any(String) }
const never = () => new Promise<never>(() => {})
const by = (backend: Backend) => backend.state.devices.map(({ enrolledBy }) => enrolledBy)

/** What the approvals of a vault on this device work with. */
function contextOf(backend: Backend, text: string, device: Device = createDevice()) {
  const parts = { settings, fetch: backend.fetch, clock: quickClock, ...partsOf(device) }
  const cx: VaultContext = createContext(parts)
  return { cx, token: readToken(text, appId, Date.now()) }
}
async function recoveryFactorOf(cx: VaultContext, token: Parameters<typeof fetchFactors>[1]) {
  const factors = await fetchFactors(cx, token)
  return factors.find(({ type }) => type === 'recovery') as RecoveryFactor
}

/** A browser without anything of the person's, where their login is too old to be enough. */
async function elsewhere(method = 'automatic') {
  const world = await withRecoveryMethod(recoveryMethodOf(method))
  world.backend.state.options.loginEnrols = false
  const device = createDevice()
  return { ...world, ...contextOf(world.backend, world.token, device), there: world.openDevice(device).me }
}

describe('the first device', () => {
  test('is enrolled by the login, and asked for nothing', async () => {
    const { backend } = await withWallet()
    expect(by(backend)).toEqual(['login'])
  })

  test('is enrolled once by calls at the same time', async () => {
    const backend = createBackend()
    const me = person(openTab(backend), makeToken(user))
    await Promise.all([me.create(), me.importKey('ethereum', '17'.repeat(32))])
    const enrolments = backend.asked.filter(({ call }) => call.path === '/devices/enroll')
    expect(enrolments.filter(({ answer }) => answer === 'done')).toHaveLength(1)
  })
})

describe('a further device', () => {
  test('is told to prove something where the login is not enough, and is given nothing', async () => {
    const { backend, there, address, device } = await elsewhere()
    const calls = backend.calls.length
    expect((await there.connect(address)).error).toMatchObject({ type: 'wallet_not_on_device' })
    expect((await there.recover(address)).error).toEqual(required)
    expect((await there.create()).error).toEqual(required)
    expect(backend.calls).toHaveLength(calls)
    expect(await device.store.list(appId, user)).toHaveLength(1)
    expect(by(backend)).toEqual(['login'])
  })

  test('is enrolled by the code that was sent for its key, and by no other', async () => {
    const { backend, cx, token, there, address } = await elsewhere()
    const { thumbprint } = await cx.device()
    const code = sentCode(thumbprint)
    await expect(enrolWithCode(cx, token, code)).rejects.toMatchObject({ code: 'invalid_credentials' })
    expect(await sendEnrolmentCode(cx, token, 'mail-1')).toBe('a•••@example.com')
    await expect(enrolWithCode(cx, token, '000000')).rejects.toMatchObject({ code: 'invalid_credentials' })
    const other = contextOf(backend, token.text)
    await expect(enrolWithCode(other.cx, other.token, code)).rejects.toMatchObject({
      code: 'invalid_credentials',
    })
    expect((await there.recover(address)).error).toEqual(required)
    await enrolWithCode(cx, token, code)
    expect(await there.recover(address)).toEqual({ entropyId: address })
    expect(by(backend)).toEqual(['login', 'code'])
  })

  test('is enrolled by the recovery password, which never leaves the vault', async () => {
    const { backend, cx, token, there, address } = await elsewhere('password')
    const factor = await recoveryFactorOf(cx, token)
    expect(factor).toMatchObject({ method: 'user-passcode', stretching: { iterations: 1_000_000 } })
    await expect(enrolWithPassword(cx, token, factor, 'wrong-Pferd')).rejects.toMatchObject({
      type: 'invalid_recovery_pin',
    })
    expect((await there.recover(address, { recoveryPassword: password })).error).toEqual(required)
    await enrolWithPassword(cx, token, factor, password)
    expect(await there.recover(address, { recoveryPassword: password })).toEqual({ entropyId: address })
    expect(JSON.stringify(backend.asked.map(({ call }) => call.body))).not.toContain(password)
    expect(by(backend)).toEqual(['login', 'recovery'])
  })

  test.each(['Google Drive', 'iCloud'])('is enrolled by what is in the person’s %s', async (name) => {
    const { cx, token, drives, there, address, backend } = await elsewhere(name)
    const method = recoveryMethodOf(name)
    const factor = await recoveryFactorOf(cx, token)
    const access = (account?: string) =>
      name === 'iCloud' ? drives.icloudToken(account) : drives.googleToken(account)
    await expect(enrolWithDrive(cx, token, factor, access('two'))).rejects.toMatchObject({ type: 'error' })
    expect((await there.recover(address, method.use(drives))).error).toEqual(required)
    await enrolWithDrive(cx, token, factor, access())
    expect(await there.recover(address, method.use(drives))).toEqual({ entropyId: address })
    expect(by(backend)).toEqual(['login', 'recovery'])
  })

  test('knows no factor that is weaker than any vault has set, or of a newer server', async () => {
    const { cx, token, stored } = await elsewhere('password')
    stored.recovery.rounds = 1
    const factors = await fetchFactors(cx, token)
    expect(factors.map(({ type }) => type)).toEqual(['email'])
  })

  test('goes on when the server comes back between enrolment and release', async () => {
    const { backend, cx, token, there, address } = await elsewhere()
    await sendEnrolmentCode(cx, token, 'mail-1')
    await enrolWithCode(cx, token, sentCode((await cx.device()).thumbprint))
    backend.faults.before = () => Promise.reject(new TypeError('connection refused'))
    expect((await there.recover(address)).error?.message).toBe('No connection to the wallet service')
    backend.faults.before = undefined
    expect(await there.recover(address)).toEqual({ entropyId: address })
  })

  test('is told of a lost connection, not of a proof, when the server can’t be asked', async () => {
    const { backend, there, address } = await elsewhere()
    backend.faults.onDevices = () => Promise.reject(new TypeError('connection refused'))
    expect((await there.recover(address)).error).toEqual({
      type: 'error',
      message: 'No connection to the wallet service',
    })
  })
})

describe('a device that was removed', () => {
  test('is given nothing more, and gets its share when it is enrolled again', async () => {
    const { backend, device, token, address, stored } = await withWallet()
    const me = person(openTab(backend, device), token)
    expect(await me.connect(address)).toEqual({ entropyId: address })
    for (const one of backend.state.devices) one.removed = true
    for (const event of [me.connect(address), me.recover(address)])
      expect((await event).error).toEqual(required)
    expect(await device.store.list(appId, user)).toHaveLength(1)

    const { cx, token: login } = contextOf(backend, token, device)
    await sendEnrolmentCode(cx, login, 'mail-1')
    await enrolWithCode(cx, login, sentCode((await cx.device()).thumbprint))
    expect(await me.connect(address)).toEqual({ entropyId: address })
    // The server has deleted what it kept for that device: the wallet comes back by its recovery.
    stored.sets.clear()
    expect((await me.connect(address)).error?.type).toBe('wallet_not_on_device')
    expect(await me.recover(address)).toEqual({ entropyId: address })
    expect(await me.sign(address, 'x')).toHaveProperty('response')
  })
})

describe('a copied share', () => {
  test('device enrolment: a share alone enrols no other key', async () => {
    const { backend, device, token, address } = await withWallet()
    backend.state.options.loginEnrols = false
    const copied = person(openTab(backend, { ...device, keys: memoryKeys() }), token)
    expect((await copied.connect(address)).error).toEqual(required)
    expect(by(backend)).toEqual(['login'])
  })

  test('device enrolment: a share from before device keys enrols nothing', async () => {
    const { backend, device, token, address } = await withWallet()
    backend.state.options.loginEnrols = false
    backend.state.devices.length = 0
    backend.state.deviceOfSet.clear()
    for (const { device: _, ...old } of await device.store.list(appId, user)) await device.store.put(old)
    const me = person(openTab(backend, { ...device, keys: memoryKeys() }), token)
    expect((await me.connect(address)).error).toEqual(required)
    expect(by(backend)).toEqual([])
  })
})

describe('storage that refuses the key', () => {
  test.each<[string, KeyStore['keyOf']]>([
    ['refuses', () => Promise.reject(new DOMException('no', 'SecurityError'))],
    ['hangs', never],
  ])('%s: the page has a key of its own, and the next page is another device', async (_, keyOf) => {
    const backend = createBackend()
    const token = makeToken(user)
    const open = () =>
      person(openTab(backend, { ...createDevice(), keys: fallbackKeys({ keyOf }, quickClock) }), token)
    const me = open()
    const { address = '' } = await me.create()
    expect(await me.sign(address, 'x')).toHaveProperty('response')
    expect(await open().recover(address)).toEqual({ entropyId: address })
    expect(new Set(backend.state.devices.map(({ thumbprint }) => thumbprint)).size).toBe(2)
  })
})
