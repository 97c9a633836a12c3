/** The vault's store on a browser's own IndexedDB. */
import { expect } from '@open-wc/testing'
import { databaseStore } from '../../../src/vault/shares/database.ts'
import { newSealingKey } from '../../../src/vault/shares/sealing-key.ts'
import type { DeviceRecord } from '../../../src/vault/shares/store.ts'

const name = 'latchkey-vault'
const ids = (records: readonly DeviceRecord[]) =>
  records.map(({ walletId, setId }) => `${walletId}/${setId}`).sort()

async function record(more: Partial<DeviceRecord> = {}): Promise<DeviceRecord> {
  const [deviceKey, authKey] = await Promise.all([newSealingKey(), newSealingKey()])
  const file = { app: 'a', user: 'u', walletId: 'w', setId: 's', address: '0x1', share: 'x' }
  const root = { kind: 'key', chainType: 'solana' } as const
  return { ...file, ...root, deviceKey, authKey, committed: false, madeAt: 1, ...more }
}
const settled = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

describe('device shares in IndexedDB', () => {
  beforeEach(async () => {
    await settled(indexedDB.deleteDatabase(name))
  })

  it('keeps records and keys over a reload; the keys still can’t be read, and still fit', async () => {
    const kept = await record()
    const iv = new Uint8Array(12)
    const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, kept.deviceKey, Uint8Array.of(7))
    await databaseStore(() => indexedDB).put(kept)
    const [found] = await databaseStore(() => indexedDB).list('a', 'u')
    if (!found) throw new Error('not found')
    expect(found).to.deep.include({ walletId: 'w', setId: 's', committed: false })
    expect(found.deviceKey.extractable).to.equal(false)
    const opened = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, found.deviceKey, sealed)
    expect([...new Uint8Array(opened)]).to.deep.equal([7])
  })

  it('files by app, user, wallet and set; writes over the same one; removes one', async () => {
    const store = databaseStore(() => indexedDB)
    for (const more of [
      {},
      { setId: 't' },
      { walletId: 'v' },
      { user: 'other' },
      { app: 'b' },
      { user: 'u2' },
    ])
      await store.put(await record(more))
    expect(ids(await store.list('a', 'u'))).to.deep.equal(['v/s', 'w/s', 'w/t'])
    expect(ids(await store.list('a', 'other'))).to.deep.equal(['w/s'])
    expect(await store.list('a', '')).to.deep.equal([])
    await store.put(await record({ committed: true }))
    expect((await store.list('a', 'u')).filter(({ committed }) => committed)).to.have.length(1)
    await store.remove(await record())
    expect(ids(await store.list('a', 'u'))).to.deep.equal(['v/s', 'w/t'])
  })

  it('passes over what is no record of ours', async () => {
    const store = databaseStore(() => indexedDB)
    await store.put(await record())
    await store.put({ ...(await record({ setId: 'half' })), deviceKey: 'no key' } as unknown as DeviceRecord)
    await store.put({ ...(await record({ setId: 'new' })), committed: 'maybe' } as unknown as DeviceRecord)
    const newer = { ...(await record({ setId: 'newer' })), kind: 'seed of a kind to come' }
    await store.put(newer as unknown as DeviceRecord)
    expect(ids(await store.list('a', 'u'))).to.deep.equal(['w/s'])
  })

  it('reads what the first version kept: entropies of Ethereum wallets', async () => {
    const store = databaseStore(() => indexedDB)
    const { kind, chainType, ...old } = await record()
    await store.put(old as unknown as DeviceRecord)
    const [found] = await store.list('a', 'u')
    expect([kind, chainType]).to.deep.equal(['key', 'solana'])
    expect([found?.kind, found?.chainType]).to.deep.equal(['entropy', 'ethereum'])
  })

  it('continues after the database was deleted under it', async () => {
    const store = databaseStore(() => indexedDB)
    await store.put(await record())
    await settled(indexedDB.deleteDatabase(name))
    expect(await store.list('a', 'u')).to.deep.equal([])
    await store.put(await record())
    expect(await store.list('a', 'u')).to.have.length(1)
  })

  it('rejects where the browser refuses, and tries again the next time', async () => {
    let refuses = true
    const store = databaseStore(() => {
      if (refuses) throw new DOMException('no', 'SecurityError')
      return indexedDB
    })
    const outcome = await store.put(await record()).then(
      () => 'stored',
      (cause: DOMException) => cause.name,
    )
    expect(outcome).to.equal('SecurityError')
    refuses = false
    await store.put(await record())
    expect(await store.list('a', 'u')).to.have.length(1)
  })
})
