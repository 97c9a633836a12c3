/** The device's key on a browser's own IndexedDB. */
import { expect } from '@open-wc/testing'
import { databaseKeys } from '../../../src/vault/device/database.ts'
import { newKeyPair, openKeyPair } from '../../../src/vault/device/key.ts'
import { databaseStore } from '../../../src/vault/shares/database.ts'
import { newSealingKey } from '../../../src/vault/shares/sealing-key.ts'

const name = 'latchkey-vault'
const settled = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
const thumbprintOf = async (keys: ReturnType<typeof databaseKeys>, app = 'a') =>
  (await openKeyPair(await keys.keyOf(app, newKeyPair))).thumbprint

describe('device keys in IndexedDB', () => {
  beforeEach(async () => {
    await settled(indexedDB.deleteDatabase(name))
  })

  it('are made once for each app, and are the same after a reload', async () => {
    const first = await thumbprintOf(databaseKeys(() => indexedDB))
    expect(await thumbprintOf(databaseKeys(() => indexedDB))).to.equal(first)
    expect(
      await thumbprintOf(
        databaseKeys(() => indexedDB),
        'b',
      ),
    ).not.to.equal(first)
  })

  it('can’t be read by any script, and sign all the same', async () => {
    const keys = databaseKeys(() => indexedDB)
    await thumbprintOf(keys)
    const { privateKey, publicKey } = await databaseKeys(() => indexedDB).keyOf('a', newKeyPair)
    expect(privateKey.extractable).to.equal(false)
    for (const format of ['jwk', 'pkcs8', 'raw'] as const) {
      const outcome = await crypto.subtle.exportKey(format, privateKey).then(
        () => 'exported',
        (cause: DOMException) => cause.name,
      )
      expect(outcome).to.be.oneOf(['InvalidAccessError', 'NotSupportedError'])
    }
    const text = new TextEncoder().encode('a proof')
    const signature = await (await openKeyPair({ privateKey, publicKey })).sign('a proof')
    const raw = Uint8Array.from(atob(signature.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0))
    const how = { name: 'ECDSA', hash: 'SHA-256' }
    expect(await crypto.subtle.verify(how, publicKey, raw, text)).to.equal(true)
  })

  it('are one key for tabs that make theirs at the same time', async () => {
    const tabs = await Promise.all(
      Array.from({ length: 8 }, () => thumbprintOf(databaseKeys(() => indexedDB))),
    )
    expect(new Set(tabs).size).to.equal(1)
    expect(await thumbprintOf(databaseKeys(() => indexedDB))).to.equal(tabs[0])
  })

  it('come to the database of the first version, whose shares stay', async () => {
    const [deviceKey, authKey] = await Promise.all([newSealingKey(), newSealingKey()])
    const old = indexedDB.open(name, 1)
    old.onupgradeneeded = () =>
      old.result.createObjectStore('device-shares', { keyPath: ['app', 'user', 'walletId', 'setId'] })
    const database = await settled(old)
    const writing = database.transaction('device-shares', 'readwrite').objectStore('device-shares')
    await settled(
      writing.put({
        app: 'a',
        user: 'u',
        walletId: 'w',
        setId: 's',
        address: '0x1',
        share: 'x',
        deviceKey,
        authKey,
        committed: true,
        madeAt: 1,
      }),
    )
    // Another tab still has it open, as it was; it lets go of it for the newer version.
    database.onversionchange = () => database.close()

    const first = await thumbprintOf(databaseKeys(() => indexedDB))
    const kept = await databaseStore(() => indexedDB).list('a', 'u')
    expect(kept.map(({ walletId, share, kind }) => [walletId, share, kind])).to.deep.equal([
      ['w', 'x', 'entropy'],
    ])
    const iv = new Uint8Array(12)
    const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, deviceKey, Uint8Array.of(7))
    const found = kept[0]?.deviceKey as CryptoKey
    const opened = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, found, sealed)
    expect([...new Uint8Array(opened)]).to.deep.equal([7])
    expect(await thumbprintOf(databaseKeys(() => indexedDB))).to.equal(first)
  })

  it('are made anew where what is kept is no key', async () => {
    const first = await thumbprintOf(databaseKeys(() => indexedDB))
    const database = await settled(indexedDB.open(name))
    const keys = database.transaction('device-keys', 'readwrite').objectStore('device-keys')
    await settled(keys.put({ app: 'a', privateKey: 'half a key' }))
    database.close()
    const next = await thumbprintOf(databaseKeys(() => indexedDB))
    expect(next).not.to.equal(first)
    expect(await thumbprintOf(databaseKeys(() => indexedDB))).to.equal(next)
  })
})
