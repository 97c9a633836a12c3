/** What the vault does in its own window: as flows, without a browser. In one: test/e2e/own-window.spec.ts. */
import '../../support/quick-stretching.ts'
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { createTranslate } from '../../../../src/copy/copy.ts'
import { Closed, createStage } from '../../../../src/dialog/stage.ts'
import { createStore } from '../../../../src/lib/store.ts'
import type { ApprovalPurpose, ApprovalRequests } from '../../../../src/protocol/frame/approval.ts'
import { exportKey } from '../../../../src/vault/approval/export/flow.ts'
import { importKey } from '../../../../src/vault/approval/import/flow.ts'
import { createOutcome } from '../../../../src/vault/approval/outcome.ts'
import { hearVisit } from '../../../../src/vault/approval/providers/news.ts'
import type { ApprovalContext, PurposeFlow } from '../../../../src/vault/approval/purpose.ts'
import { removeDevice } from '../../../../src/vault/approval/remove-device/flow.ts'
import { createContext } from '../../../../src/vault/create-context.ts'
import { readToken } from '../../../../src/vault/token.ts'
import { appId, type Backend, makeToken } from '../../support/backend.ts'
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
import { recoveryMethodOf, withRecoveryMethod } from '../../support/recovery-methods.ts'

type Props = Record<string, unknown>

/** Somebody in front of the flow of a purpose. */
function begin<P extends ApprovalPurpose>(
  flow: PurposeFlow<P>,
  asked: ApprovalRequests[P],
  { backend, device, token }: { backend: Backend; device: Device; token: string },
  clock = quickClock,
) {
  const vault = createContext({ settings, fetch: backend.fetch, clock, ...partsOf(device) })
  const stage = createStage({ clock })
  const windows: unknown[] = []
  const shown: unknown[] = []
  const told: unknown[] = []
  const { settle, commit } = createOutcome<P>((message) => void told.push(message))
  const cx: ApprovalContext<P> = {
    vault,
    stage,
    origin: 'https://host.example',
    asked: createStore(asked),
    t: createTranslate(),
    token: async () => readToken(token, appId, clock.now()),
    passkey: () => Promise.reject(new Error('No passkey is asked for here')),
    tokenText: async () => token,
    turn: async () => asked,
    shown: (failure) => void shown.push(failure),
    settle,
    commit,
    async approving(risk, work, why) {
      windows.push([risk, why])
      return work(stage)
    },
  }
  const outcome = flow(cx).then(
    (done) => ({ done, cause: undefined }),
    (cause: unknown) => ({ done: undefined, cause }),
  )
  /** The screen, once it waits for an answer. */
  const on = async (id: string): Promise<Props> => {
    await expect
      .poll(() => {
        const scene = stage.scene.get()
        return scene?.busy === undefined && (scene?.props as Props)?.state !== 'loading' && scene?.screen.id
      })
      .toBe(id)
    return stage.scene.get()?.props as Props
  }
  const press = async (id: string, answer: unknown): Promise<Props> => {
    const props = await on(id)
    stage.scene.get()?.answer(answer)
    return props
  }
  /** Signs in at a drive, which sends the user back with these fields. */
  const signIn = async (fields: Record<string, string>) => {
    await press('visit-provider', 'open')
    await expect.poll(() => (stage.scene.get()?.props as Props)?.phase).toBe('window')
    const props = stage.scene.get()?.props as { visit: { state: string } } | undefined
    const state = props?.visit.state ?? ''
    hearVisit(stage, { is: 'returned', state, fields: { state, ...fields } })
  }
  return { outcome, on, press, signIn, stage, windows, shown, told }
}

const request = (address: string, more: object = {}) => ({
  root: { chainType: 'ethereum' as const, address },
  chainType: 'ethereum' as const,
  walletIndex: 0,
  address,
  ...more,
})

describe('a key', () => {
  test('is shown, hidden and copied as the person likes, and the page hears no more than that', async () => {
    const { backend, device, token, address } = await withWallet()
    const { press, on, outcome, windows } = begin(exportKey, request(address), { backend, device, token })
    expect(await on('show-key')).toMatchObject({ address, phrase: true, path: "m/44'/60'/0'/0/0" })
    await press('show-key', { show: 'key' })
    const { shown } = await press('show-key', 'hide')
    const { what, text } = shown as { what: string; text: `0x${string}` }
    expect([what, privateKeyToAccount(text).address.toLowerCase()]).toEqual(['key', address.toLowerCase()])
    expect(await press('show-key', { copy: 'phrase' })).toMatchObject({ hidden: true })
    const { copied } = await press('show-key', 'taken')
    const phrase = (copied as { text: string }).text
    expect(mnemonicToAccount(phrase).address.toLowerCase()).toBe(address.toLowerCase())
    const last = await press('show-key', 'close')
    expect([last.shown, last.copied]).toEqual([undefined, undefined])
    expect(await outcome).toEqual({ done: { exported: true }, cause: undefined })
    expect(windows).toEqual([['high', { purpose: 'export', stake: address }]])
  })

  test('hides after a minute by itself', async () => {
    const { backend, device, token, address } = await withWallet()
    const { press, on, outcome } = begin(exportKey, request(address), { backend, device, token })
    await press('show-key', { show: 'key' })
    expect(await on('show-key')).toHaveProperty('shown')
    await expect.poll(async () => (await on('show-key')).hidden).toBe(true)
    expect(await on('show-key')).not.toHaveProperty('shown')
    await press('show-key', 'close')
    expect((await outcome).done).toEqual({ exported: true })
  })

  test('that nobody has looked at was not exported, and a closed window that showed it was', async () => {
    const { backend, device, token, address } = await withWallet()
    const one = begin(exportKey, request(address), { backend, device, token })
    await one.press('show-key', 'close')
    expect((await one.outcome).done).toEqual({ exported: false })
    const two = begin(exportKey, request(address), { backend, device, token })
    await two.press('show-key', { show: 'key' })
    await two.on('show-key')
    two.stage.close()
    expect((await two.outcome).done).toEqual({ exported: true })
    const three = begin(exportKey, request(address), { backend, device, token })
    await three.on('show-key')
    three.stage.close()
    expect((await three.outcome).cause).toBeInstanceOf(Closed)
  })

  test('of a wallet with a password is shown once that is proved, and the server is told of the export', async () => {
    const password = 'correct horse battery'
    const { backend, device, token, address } = await withWallet({ recoveryPassword: password })
    const [enrolled] = backend.state.devices
    enrolled?.present.clear()
    const { press, on, outcome, shown } = begin(exportKey, request(address), { backend, device, token })
    await press('password-recovery', { password: 'another one' })
    expect(await press('password-recovery', { password })).toHaveProperty('error')
    await on('show-key')
    await press('show-key', 'close')
    expect((await outcome).done).toEqual({ exported: false })
    expect(shown).toHaveLength(1)
    expect(backend.calls.filter(({ path }) => path === '/export/redeem')).toHaveLength(2)
    expect(backend.state.tickets.size).toBe(1)
  })

  test.each(['Google Drive', 'iCloud'])(
    'export: a wallet whose recovery is %s is shown after a sign-in at the right drive',
    async (name) => {
      const { backend, drives, device, token, address } = await withRecoveryMethod(recoveryMethodOf(name))
      const isGoogle = name === 'Google Drive'
      const back = (account?: string) =>
        isGoogle ? { code: drives.googleToken(account) } : { ckWebAuthToken: drives.icloudToken(account) }
      for (const enrolled of backend.state.devices) enrolled.present.clear()
      const { press, signIn, stage, outcome } = begin(exportKey, request(address), {
        backend,
        device,
        token,
      })
      await signIn(back('two'))
      await expect.poll(() => (stage.scene.get()?.props as Props)?.phase).toBe('other')
      await signIn(back())
      await press('show-key', 'close')
      expect((await outcome).done).toEqual({ exported: false })
    },
  )

  test('of a wallet that a key of the page recovers is not shown, and the page hears why', async () => {
    const { backend, device, token, address } = await withRecoveryMethod(recoveryMethodOf('own key'))
    for (const enrolled of backend.state.devices) enrolled.present.clear()
    const { outcome, stage } = begin(exportKey, request(address), { backend, device, token })
    expect((await outcome).cause).toMatchObject({ type: 'recovery_method_not_supported' })
    expect(stage.scene.get()?.props).toMatchObject({ state: 'loading' })
  })

  test('is asked for by another address than the wallet’s: there is no window, and nothing is noted', async () => {
    const { backend, device, token, address } = await withWallet()
    const other = `0x${'4'.repeat(40)}`
    const { outcome, windows } = begin(exportKey, request(address, { address: other }), {
      backend,
      device,
      token,
    })
    expect((await outcome).cause).toMatchObject({ type: 'invalid_request_arguments' })
    expect(windows).toEqual([])
    expect(backend.calls.filter(({ path }) => path.includes('export'))).toEqual([])
  })

  test('that is not on this device is for the page to recover, without a window', async () => {
    const { backend, token, address } = await withWallet()
    const { outcome, windows } = begin(exportKey, request(address), {
      backend,
      device: createDevice(),
      token,
    })
    expect((await outcome).cause).toMatchObject({ type: 'wallet_not_on_device' })
    expect(windows).toEqual([])
  })
})

describe('an import', () => {
  const key = `0x${'17'.repeat(32)}` as const

  test('asks until it is a key, and gives the page the address alone', async () => {
    const { backend, device, token } = await withWallet()
    const { press, outcome, windows } = begin(
      importKey,
      { chainType: 'ethereum' },
      { backend, device, token },
    )
    await press('import-key', { privateKey: 'no key' })
    expect(await press('import-key', { privateKey: key })).toMatchObject({ error: 'invalid' })
    const { done } = await outcome
    expect(done?.address.toLowerCase()).toBe(privateKeyToAccount(key).address.toLowerCase())
    expect(windows).toEqual([['high', { purpose: 'import', stake: 'Ethereum' }]])
    expect(JSON.stringify(backend.calls.map(({ body }) => body))).not.toContain(key.slice(2))
  })

  test('that fails says so and may be tried again; one that is cancelled imports nothing', async () => {
    const { backend, device, token } = await withWallet()
    const { press, on, outcome, shown } = begin(
      importKey,
      { chainType: 'ethereum' },
      { backend, device, token },
    )
    backend.faults.before = () => new Response('{}', { status: 500 })
    await press('import-key', { privateKey: key })
    expect(await on('import-key')).toMatchObject({ error: 'failed' })
    await press('import-key', 'cancel')
    expect((await outcome).cause).toBeInstanceOf(Closed)
    expect(shown).toHaveLength(1)
    expect(backend.rootsOf(user)).toHaveLength(1)
  })
})

describe('the removal of a device', () => {
  test('is asked about by what the server says of it, and takes it from that device', async () => {
    const { backend, device, token, address } = await withWallet()
    const other = createDevice()
    expect(await person(openTab(backend, other), token).recover(address)).not.toHaveProperty('error')
    const [, second] = backend.state.devices
    const { press, outcome, windows } = begin(
      removeDevice,
      { id: second?.id ?? '' },
      { backend, device, token },
    )
    expect(await press('remove-device', 'remove')).toMatchObject({
      name: 'Browser 1',
      place: '203.0.113.0/24',
      current: false,
      createdAt: 1_000,
      lastUsedAt: 2_000,
    })
    expect((await outcome).done).toEqual({ removed: true })
    expect(windows).toEqual([['high', { purpose: 'device', stake: 'Browser 1' }]])
    expect(backend.state.devices.map(({ removed }) => removed)).toEqual([false, true])
  })

  test('of somebody with a recovery password is removed once that is proved, and a wrong one is asked for again', async () => {
    const password = 'correct horse battery'
    const { backend, device, token, address } = await withWallet({ recoveryPassword: password })
    const [own] = backend.state.devices
    own?.present.clear()
    const asked = { id: own?.id ?? '', root: { chainType: 'ethereum' as const, address } }
    const { press, on, outcome } = begin(removeDevice, asked, { backend, device, token })
    await press('remove-device', 'remove')
    expect(await on('password-recovery')).toMatchObject({ purpose: 'present', address })
    expect(own?.removed).toBe(false)
    await press('password-recovery', { password: 'another one' })
    expect(await press('password-recovery', { password })).toHaveProperty('error')
    expect((await outcome).done).toEqual({ removed: true })
    expect(own?.removed).toBe(true)
  })

  test('stays where its person turns back from the password, or the page names no wallet of theirs', async () => {
    const { backend, device, token, address } = await withWallet({
      recoveryPassword: 'correct horse battery',
    })
    const [own] = backend.state.devices
    own?.present.clear()
    const root = { chainType: 'ethereum' as const, address }
    const one = begin(removeDevice, { id: own?.id ?? '', root }, { backend, device, token })
    await one.press('remove-device', 'remove')
    await one.press('password-recovery', 'back')
    expect((await one.outcome).cause).toBeInstanceOf(Closed)
    const two = begin(removeDevice, { id: own?.id ?? '' }, { backend, device, token })
    await two.press('remove-device', 'remove')
    expect((await two.outcome).cause).toMatchObject({ type: 'recovery_proof_required' })
    expect(own?.removed).toBe(false)
  })

  test.each(['Google Drive', 'iCloud'])(
    'remove device: a user whose recovery is %s signs in at the drive first, and nothing is removed without',
    async (name) => {
      const { backend, drives, device, token, address } = await withRecoveryMethod(recoveryMethodOf(name))
      const back =
        name === 'Google Drive' ? { code: drives.googleToken() } : { ckWebAuthToken: drives.icloudToken() }
      const [own] = backend.state.devices
      own?.present.clear()
      const asked = { id: own?.id ?? '', root: { chainType: 'ethereum' as const, address } }
      const bare = begin(removeDevice, asked, { backend, device, token })
      await bare.press('remove-device', 'remove')
      await bare.press('visit-provider', 'back')
      expect((await bare.outcome).cause).toBeInstanceOf(Closed)
      expect(own?.removed).toBe(false)
      const shown = begin(removeDevice, asked, { backend, device, token })
      await shown.press('remove-device', 'remove')
      await shown.signIn(back)
      expect((await shown.outcome).done).toEqual({ removed: true })
    },
  )

  test('that somebody says no to removes nothing', async () => {
    const { backend, device, token } = await withWallet()
    const [own] = backend.state.devices
    const { press, outcome } = begin(removeDevice, { id: own?.id ?? '' }, { backend, device, token })
    expect(await press('remove-device', 'cancel')).toMatchObject({ current: true })
    expect((await outcome).cause).toBeInstanceOf(Closed)
    expect(own?.removed).toBe(false)
  })

  test('of another person’s device, or of none, is refused before a window opens', async () => {
    const { backend, device, token } = await withWallet()
    const stranger = makeToken('did:privy:two')
    await person(openTab(backend, createDevice()), stranger).create()
    const theirs = backend.state.devices.find((one) => one.user === 'did:privy:two')
    for (const id of [theirs?.id ?? '', 'none']) {
      const { outcome, windows } = begin(removeDevice, { id }, { backend, device, token })
      expect((await outcome).cause).toMatchObject({ type: 'invalid_request_arguments' })
      expect(windows).toEqual([])
    }
    expect(theirs?.removed).toBe(false)
  })
})
