const NAME = 'latchkey-vault'
const VERSION = 2
/** What is filed by what. */
const stores = {
  'device-shares': ['app', 'user', 'walletId', 'setId'],
  'device-keys': 'app',
} as const

/** The vault's database. */
export interface Database {
  /** Runs one transaction on one store; after a failure the next one reopens the database. */
  transact<T>(
    store: keyof typeof stores,
    mode: IDBTransactionMode,
    work: (store: IDBObjectStore) => IDBRequest<T>,
  ): Promise<T>
}

/**
 * The database in IndexedDB of the vault's origin. `factory` is a function because merely touching
 * `window.indexedDB` may throw. Every transaction rejects where the browser refuses it.
 */
export function openDatabase(factory: () => IDBFactory): Database {
  let opened: Promise<IDBDatabase> | undefined
  return {
    async transact(store, mode, work) {
      try {
        opened ??= open(factory(), () => {
          opened = undefined
        })
        const transaction = (await opened).transaction(store, mode, { durability: 'strict' })
        const request = work(transaction.objectStore(store))
        await new Promise<void>((resolve, reject) => {
          transaction.oncomplete = () => resolve()
          transaction.onabort = () => reject(transaction.error)
        })
        return request.result
      } catch (cause) {
        opened = undefined
        throw cause
      }
    },
  }
}

function open(factory: IDBFactory, gone: () => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = factory.open(NAME, VERSION)
    request.onupgradeneeded = () => {
      const { result: database } = request
      for (const [name, keyPath] of Object.entries(stores))
        if (!database.objectStoreNames.contains(name))
          database.createObjectStore(name, { keyPath: typeof keyPath === 'string' ? keyPath : [...keyPath] })
    }
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
