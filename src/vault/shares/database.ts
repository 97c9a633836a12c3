import type { DeviceRecord, RecordKey, Store } from './store.ts'

const NAME = 'latchkey-vault'
const SHARES = 'device-shares'

/**
 * The store in IndexedDB of the vault's origin. `factory` is a function because merely touching
 * `window.indexedDB` may throw. Every operation rejects where the browser refuses it.
 */
export function databaseStore(factory: () => IDBFactory): Store {
  let opened: Promise<IDBDatabase> | undefined

  /** Runs one transaction; after a failure the next one reopens the database. */
  async function transact<T>(
    mode: IDBTransactionMode,
    work: (shares: IDBObjectStore) => IDBRequest<T>,
  ): Promise<T> {
    try {
      opened ??= open(factory(), () => {
        opened = undefined
      })
      const transaction = (await opened).transaction(SHARES, mode, { durability: 'strict' })
      const request = work(transaction.objectStore(SHARES))
      await new Promise<void>((resolve, reject) => {
        transaction.oncomplete = () => resolve()
        transaction.onabort = () => reject(transaction.error)
      })
      return request.result
    } catch (cause) {
      opened = undefined
      throw cause
    }
  }

  return {
    async list(app, user) {
      const range = IDBKeyRange.bound([app, user], [app, user, []])
      const found: unknown[] = await transact('readonly', (shares) => shares.getAll(range))
      return found.flatMap(readRecord)
    },
    async put(record) {
      await transact('readwrite', (shares) => shares.put(record))
    },
    async remove(key) {
      await transact('readwrite', (shares) => shares.delete(keyOf(key)))
    },
  }
}

const keyOf = ({ app, user, walletId, setId }: RecordKey) => [app, user, walletId, setId]

function open(factory: IDBFactory, gone: () => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = factory.open(NAME, 1)
    request.onupgradeneeded = () =>
      request.result.createObjectStore(SHARES, { keyPath: ['app', 'user', 'walletId', 'setId'] })
    request.onerror = () => reject(request.error)
    request.onsuccess = () => {
      const database = request.result
      database.onclose = gone
      database.onversionchange = () => {
        database.close()
        gone()
      }
      resolve(database)
    }
  })
}

/**
 * Reads a record. One of a newer version, or one half written, is as good as none; the first version knew Ethereum
 * wallets of an entropy only.
 */
function readRecord(value: unknown): DeviceRecord[] {
  if (typeof value !== 'object' || value === null) return []
  const record = { kind: 'entropy', chainType: 'ethereum', ...value } as Record<string, unknown>
  const texts = ['app', 'user', 'walletId', 'setId', 'address', 'share']
  const sound =
    texts.every((name) => typeof record[name] === 'string') &&
    (record.kind === 'entropy' || record.kind === 'key') &&
    (record.chainType === 'ethereum' || record.chainType === 'solana') &&
    typeof record.committed === 'boolean' &&
    typeof record.madeAt === 'number' &&
    record.deviceKey instanceof CryptoKey &&
    record.authKey instanceof CryptoKey
  return sound ? [record as unknown as DeviceRecord] : []
}
