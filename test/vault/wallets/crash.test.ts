import { describe, expect, test } from 'vitest'
import { pageLocks } from '../../../src/vault/shares/locks.ts'
import { memoryStore, type Store } from '../../../src/vault/shares/store.ts'
import { limit } from '../../support/limit.ts'
import { eachOf, soak } from '../../support/soak.ts'
import { appId, type Backend, createBackend, makeToken } from '../support/backend.ts'
import { createDevice, openTab, person } from '../support/device.ts'
import { killableTab } from '../support/killable.ts'
import { user, withWallet } from '../support/person.ts'

const token = makeToken(user)
const addressOf = (backend: Backend) => backend.rootOf(user).wallets[0]?.address ?? ''

const killed = (backend: Backend, store: Store, steps: number) =>
  killableTab({ fetch: backend.fetch, store, token }, steps)

/** Afterwards the person has one wallet, it works here, and no share is left that belongs to nothing. */
async function expectOneWallet(backend: Backend, store: Store): Promise<void> {
  const me = person(openTab(backend, { store, locks: pageLocks() }), token)
  const { address = '' } = await me.create()
  expect(backend.state.roots).toHaveLength(1)
  const root = backend.rootOf(user)
  expect(root.wallets[0]?.address).toBe(address)
  if ((await me.connect(address)).error) expect(await me.recover(address)).toEqual({ entropyId: address })
  expect(await me.sign(address, 'x')).toHaveProperty('response')
  const records = await store.list(appId, user)
  expect(records).toMatchObject([
    { committed: true, walletId: root.walletId, address: address.toLowerCase() },
  ])
  expect(root.sets.has(records[0]?.setId ?? '')).toBe(true)
}

describe('killed', () => {
  test('at every step of a creation: one wallet, no orphan', { timeout: limit(60_000) }, async () => {
    let points = 0
    for (let steps = 0; ; steps++) {
      const backend = createBackend()
      const store = memoryStore()
      const { me, died } = killed(backend, store, steps)
      const end = await Promise.race([me.create(), died])
      await expectOneWallet(backend, store)
      if (end !== 'killed') break
      points++
    }
    console.log(`Creation killed at ${points} points: 0 lost, 0 orphans`)
    expect(points).toBeGreaterThan(8)
  })

  const all = Array.from({ length: 100 }, (_, at) => [Math.floor(at / 10), at % 10] as const)
  const pairs = eachOf(all, soak(9, 1))
  test(`twice in one life: at ${pairs.length} of ${all.length} pairs of steps of two creations`, {
    timeout: limit(120_000),
  }, async () => {
    for (const pair of pairs) {
      const backend = createBackend()
      const store = memoryStore()
      for (const steps of pair) {
        const { me, died } = killed(backend, store, steps)
        await Promise.race([me.create(), died])
      }
      await expectOneWallet(backend, store)
    }
    console.log(`Two creations killed at ${pairs.length} pairs of points: 0 lost, 0 orphans`)
  })

  test('at every step of a recovery: the wallet is recovered at the next try', {
    timeout: limit(60_000),
  }, async () => {
    let points = 0
    for (let steps = 0; ; steps++) {
      const { backend, address } = await withWallet()
      const store = memoryStore()
      const { me, died } = killed(backend, store, steps)
      const end = await Promise.race([me.recover(address), died])
      await expectOneWallet(backend, store)
      if (end !== 'killed') break
      points++
    }
    console.log(`Recovery killed at ${points} points: 0 lost`)
    expect(points).toBeGreaterThan(10)
  })
})

describe('failed', () => {
  test('the answer to a creation is lost: the next start adopts the share that was stored', async () => {
    const backend = createBackend()
    const device = createDevice()
    const me = person(openTab(backend, device), token)
    backend.faults.after = () => Promise.reject(new TypeError('connection reset'))
    expect((await me.create()).error?.type).toBe('error')
    expect(await device.store.list(appId, user)).toMatchObject([{ committed: false }])
    backend.faults.after = undefined
    const address = addressOf(backend)
    expect(await person(openTab(backend, device), token).connect(address)).toEqual({ entropyId: address })
    expect(await device.store.list(appId, user)).toMatchObject([{ committed: true }])
    await expectOneWallet(backend, device.store)
  })

  test('the server never hears of a creation: its share is dropped by the next one', async () => {
    const backend = createBackend()
    const device = createDevice()
    const me = person(openTab(backend, device), token)
    backend.faults.before = () => new Response('{}', { status: 401 })
    for (let i = 0; i < 20; i++) expect((await me.create()).error?.type).toBe('error')
    expect((await device.store.list(appId, user)).length).toBeLessThanOrEqual(8)
    backend.faults.before = undefined
    await expectOneWallet(backend, device.store)
  })

  test('storage is wiped: recovered', async () => {
    const { backend, device, me, address } = await withWallet()
    for (const record of await device.store.list(appId, user)) await device.store.remove(record)
    expect((await me.sign(address, 'x')).error?.type).toBe('wallet_not_on_device')
    expect(await me.recover(address)).toEqual({ entropyId: address })
    await expectOneWallet(backend, device.store)
  })
})

describe('at once', () => {
  test.each([
    ['with a common lock', true],
    ['without any lock', false],
  ])('two tabs create, %s: one wallet', async (_, common) => {
    for (let round = 0; round < 10; round++) {
      const backend = createBackend()
      const device = createDevice()
      const tabs = [1, 2, 3].map(() =>
        person(openTab(backend, common ? device : { ...device, locks: pageLocks() }), token),
      )
      const made = await Promise.all(tabs.map((tab) => tab.create()))
      const addresses = new Set(made.map(({ address }) => address))
      expect(addresses).toEqual(new Set([addressOf(backend)]))
      for (const tab of tabs) expect(await tab.sign([...addresses][0] ?? '', 'x')).toHaveProperty('response')
      await expectOneWallet(backend, device.store)
    }
  })

  test('without any lock, and the answer to the tab that won comes last: both tabs agree', async () => {
    const backend = createBackend()
    const device = createDevice()
    let release = () => {}
    const late = new Promise<void>((resolve) => {
      release = resolve
    })
    backend.faults.after = () => (backend.calls.length === 1 ? late : undefined)
    const first = person(openTab(backend, { ...device, locks: pageLocks() }), token).create()
    while (backend.state.roots.length === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    const second = await person(openTab(backend, { ...device, locks: pageLocks() }), token).create()
    release()
    expect(await first).toEqual(second)
    expect(second).toEqual({ address: addressOf(backend) })
    await expectOneWallet(backend, device.store)
  })

  test('storage is wiped while the server works: the share is stored again', async () => {
    const backend = createBackend()
    const device = createDevice()
    backend.faults.after = async () => {
      for (const record of await device.store.list(appId, user)) await device.store.remove(record)
    }
    const { address = '' } = await person(openTab(backend, device), token).create()
    backend.faults.after = undefined
    expect(await person(openTab(backend, device), token).connect(address)).toEqual({ entropyId: address })
  })

  test('two devices create: one wallet, and the slower device recovers it', async () => {
    const backend = createBackend()
    const devices = [createDevice(), createDevice()]
    const made = await Promise.all(devices.map((device) => person(openTab(backend, device), token).create()))
    expect(new Set(made.map(({ address }) => address)).size).toBe(1)
    for (const device of devices) await expectOneWallet(backend, device.store)
  })

  test.each([
    ['with a common lock', true],
    ['without any lock', false],
  ])('two tabs recover, %s: the wallet works', async (_, common) => {
    const { backend, address } = await withWallet()
    const device = createDevice()
    const tabs = [1, 2].map(() =>
      person(openTab(backend, common ? device : { ...device, locks: pageLocks() }), token),
    )
    for (const answer of await Promise.all(tabs.map((tab) => tab.recover(address))))
      expect(answer).toEqual({ entropyId: address })
    if (common) expect(await device.store.list(appId, user)).toHaveLength(1)
    await expectOneWallet(backend, device.store)
  })
})
