import { openDatabase } from '../database.ts'
import type { KeyPair } from './key.ts'
import type { KeyStore } from './key-store.ts'

const KEYS = 'device-keys'

/** The device keys in IndexedDB of the vault's origin. Rejects where the browser refuses it. */
export function databaseKeys(factory: () => IDBFactory): KeyStore {
  const database = openDatabase(factory)
  return {
    async keyOf(app, make) {
      const there = readPair(await database.transact<unknown>(KEYS, 'readonly', (keys) => keys.get(app)))
      if (there) return there
      const made = await make()
      // Looking and writing are one transaction: a key that another tab has written meanwhile stays, and is used here too.
      const earlier = await database.transact<unknown>(KEYS, 'readwrite', (keys) => {
        const found = keys.get(app)
        found.onsuccess = () => {
          if (!readPair(found.result)) keys.put({ app, ...made })
        }
        return found
      })
      return readPair(earlier) ?? made
    },
  }
}

/** A key that is half written, or of a newer version, counts as none. */
function readPair(value: unknown): KeyPair | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { privateKey, publicKey } = value as Partial<KeyPair>
  return privateKey instanceof CryptoKey && publicKey instanceof CryptoKey
    ? { privateKey, publicKey }
    : undefined
}
