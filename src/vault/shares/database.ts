import { openDatabase } from '../database.ts'
import type { DeviceRecord, RecordKey, Store } from './store.ts'

const SHARES = 'device-shares'

/** The store in IndexedDB of the vault's origin. Every operation rejects where the browser refuses it. */
export function databaseStore(factory: () => IDBFactory): Store {
  const database = openDatabase(factory)
  return {
    async list(app, user) {
      const range = IDBKeyRange.bound([app, user], [app, user, []])
      const found: unknown[] = await database.transact(SHARES, 'readonly', (shares) => shares.getAll(range))
      return found.flatMap(readRecord)
    },
    async put(record) {
      await database.transact(SHARES, 'readwrite', (shares) => shares.put(record))
    },
    async remove(key) {
      await database.transact(SHARES, 'readwrite', (shares) => shares.delete(keyOf(key)))
    },
  }
}

const keyOf = ({ app, user, walletId, setId }: RecordKey) => [app, user, walletId, setId]

/**
 * Reads a record. One of a newer version, or half written, counts as none; the first version knew Ethereum
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
