import { describe, expect, test } from 'vitest'
import { systemClock } from '../../../src/lib/clock.ts'
import { databaseStore } from '../../../src/vault/shares/database.ts'
import { pageLocks, tabLocks } from '../../../src/vault/shares/locks.ts'
import { newSealingKey } from '../../../src/vault/shares/sealing-key.ts'
import { type DeviceRecord, fallbackStore, memoryStore, type Store } from '../../../src/vault/shares/store.ts'
import { createBackend, makeToken } from '../support/backend.ts'
import { openTab, person, quickClock } from '../support/device.ts'
import { user } from '../support/person.ts'

const never = () => new Promise<never>(() => {})
const refuse = () => Promise.reject(new DOMException('refused', 'SecurityError'))
const full = () => Promise.reject(new DOMException('full', 'QuotaExceededError'))

async function record(more: Partial<DeviceRecord> = {}): Promise<DeviceRecord> {
  const key = await newSealingKey()
  const ids = { app: 'a', user: 'u', walletId: 'w', setId: 's' }
  const first = { kind: 'entropy', chainType: 'ethereum', address: '0x' } as const
  return { ...ids, ...first, share: 'x', deviceKey: key, authKey: key, committed: false, madeAt: 1, ...more }
}

describe('a store that fails', () => {
  const stores: [string, Store][] = [
    ['refuses everything', { list: refuse, put: refuse, remove: refuse }],
    ['hangs', { list: never, put: never, remove: never }],
    ['is full', { ...memoryStore(), put: full }],
    ['hangs when written', { ...memoryStore(), put: never }],
    [
      'IndexedDB that may not be touched',
      databaseStore(() => {
        throw new DOMException('no', 'SecurityError')
      }),
    ],
    ['IndexedDB that never opens', databaseStore(() => ({ open: () => ({}) }) as unknown as IDBFactory)],
    ['no IndexedDB', databaseStore(() => indexedDBOf({}))],
  ]
  test.each(stores)(
    '%s: a wallet is created, connected and signs; a new page recovers it',
    async (_, durable) => {
      const backend = createBackend()
      const token = makeToken(user)
      const open = () =>
        person(openTab(backend, { store: fallbackStore(durable, quickClock), locks: pageLocks() }), token)
      const me = open()
      const { address = '' } = await me.create()
      expect(address).toBe(backend.rootOf(user).wallets[0]?.address)
      expect(await me.connect(address)).toEqual({ entropyId: address })
      expect(await me.sign(address, 'x')).toHaveProperty('response')

      const later = open()
      expect((await later.connect(address)).error?.type).toBe('wallet_not_on_device')
      expect(await later.recover(address)).toEqual({ entropyId: address })
      expect(await later.sign(address, 'x')).toHaveProperty('response')
    },
  )

  test('one that hangs is asked once: the wait is paid once', async () => {
    let asked = 0
    const hangs = () => {
      asked++
      return never()
    }
    const store = fallbackStore({ list: hangs, put: hangs, remove: hangs }, quickClock)
    await store.put(await record())
    expect(await store.list('a', 'u')).toHaveLength(1)
    await store.remove(await record())
    expect(await store.list('a', 'u')).toHaveLength(0)
    expect(asked).toBe(1)
  })

  test('what memory holds comes before what storage holds; both are listed; a later write goes to storage again', async () => {
    const durable = memoryStore()
    let isFull = false
    const store = fallbackStore(
      { ...durable, put: (one) => (isFull ? full() : durable.put(one)) },
      quickClock,
    )
    await store.put(await record({ setId: 'one' }))
    isFull = true
    await store.put(await record({ setId: 'one', committed: true }))
    await store.put(await record({ setId: 'two' }))
    const listed = await store.list('a', 'u')
    expect(listed.map(({ setId, committed }) => [setId, committed])).toEqual([
      ['one', true],
      ['two', false],
    ])
    isFull = false
    await store.put(await record({ setId: 'two', committed: true }))
    expect((await durable.list('a', 'u')).map(({ setId }) => setId)).toEqual(['one', 'two'])
    expect(await store.list('a', 'someone else')).toEqual([])
    expect(await store.list('another app', 'u')).toEqual([])
  })
})

const indexedDBOf = (page: { indexedDB?: IDBFactory }) => page.indexedDB as IDBFactory

describe('locks', () => {
  /** Web Locks of a browser: one holder at a time, the signal ends the wait. */
  function lockManager(): LockManager {
    const locks = pageLocks()
    const request = (name: string, { signal }: LockOptions, work: () => Promise<void>) =>
      new Promise<void>((resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason))
        locks.run(name, async () => (signal?.aborted ? undefined : work())).then(resolve, reject)
      })
    return { request } as unknown as LockManager
  }
  const trace: string[] = []
  const work = (name: string, ms: number) => async () => {
    trace.push(`${name} in`)
    await systemClock.sleep(ms)
    trace.push(`${name} out`)
    return name
  }

  test('two tabs take turns; failing work gives the lock back', async () => {
    trace.length = 0
    const manager = lockManager()
    const [one, two] = [tabLocks(() => manager, quickClock), tabLocks(() => manager, quickClock)]
    const failing = one.run('x', async () => {
      throw new Error('failed')
    })
    const both = Promise.all([one.run('x', work('one', 10)), two.run('x', work('two', 10))])
    await expect(failing).rejects.toThrow('failed')
    expect(await both).toEqual(['one', 'two'])
    expect(trace.join(' ')).toMatch(/^(one in one out two in two out|two in two out one in one out)$/)
  })

  test('who waits too long goes ahead', async () => {
    trace.length = 0
    const manager = lockManager()
    const forever = tabLocks(() => manager, quickClock).run('x', never)
    expect(await tabLocks(() => manager, quickClock).run('x', work('late', 0))).toBe('late')
    expect(await Promise.race([forever, 'still held'])).toBe('still held')
  })

  test('without Web Locks, or with broken ones, one page still takes turns', async () => {
    const managers: (() => LockManager | undefined)[] = [
      () => undefined,
      () => {
        throw new DOMException('no', 'SecurityError')
      },
      () => ({ request: refuse }) as unknown as LockManager,
      () => ({ request: never }) as unknown as LockManager,
    ]
    for (const manager of managers) {
      trace.length = 0
      const locks = tabLocks(manager, quickClock)
      await Promise.all([locks.run('x', work('one', 5)), locks.run('x', work('two', 5))])
      expect(trace).toEqual(['one in', 'one out', 'two in', 'two out'])
    }
  })
})
