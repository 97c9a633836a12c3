import { type Clock, TimedOut, within } from '../../lib/clock.ts'
import { vaultLimits } from '../limits.ts'
import type { ChainType, SecretKind } from '../model.ts'

/** A device's part in a root. The two keys can't be read by any script and never leave this device. */
export interface DeviceRecord {
  readonly app: string
  readonly user: string
  /** Lower-case UUIDs. */
  readonly walletId: string
  readonly setId: string
  readonly kind: SecretKind
  /** Those of the root's first wallet, as in its share's label. */
  readonly chainType: ChainType
  readonly address: string
  /** The device share, sealed under `deviceKey`. */
  readonly share: string
  readonly deviceKey: CryptoKey
  /** Seals the auth share of the set, which the server keeps. */
  readonly authKey: CryptoKey
  /** The thumbprint of the device key that the set was made or enrolled with; older records have none. */
  readonly device?: string
  /** Whether the server is known to hold the set's other half. */
  readonly committed: boolean
  /** Milliseconds since the epoch. */
  readonly madeAt: number
}
export type RecordKey = Pick<DeviceRecord, 'app' | 'user' | 'walletId' | 'setId'>

/** Where device shares are kept, filed by app, user, wallet and set. */
export interface Store {
  /** All of one person in one app. */
  list(app: string, user: string): Promise<readonly DeviceRecord[]>
  /** Writes a record over one of the same app, user, wallet and set. */
  put(record: DeviceRecord): Promise<void>
  remove(key: RecordKey): Promise<void>
}

const nameOf = ({ app, user, walletId, setId }: RecordKey) => JSON.stringify([app, user, walletId, setId])

/** A store that ends with the page. */
export function memoryStore(): Store {
  const records = new Map<string, DeviceRecord>()
  return {
    list: async (app, user) => [...records.values()].filter((one) => one.app === app && one.user === user),
    put: async (record) => void records.set(nameOf(record), record),
    remove: async (key) => void records.delete(nameOf(key)),
  }
}

/**
 * A store that works even where the browser refuses or has lost its storage: what `durable` does not
 * take within 3 s is kept in memory. A wallet can then still be created and used, and recovered later; its device
 * share is gone when the page is, and the next visit recovers the wallet from the server's shares.
 */
export function fallbackStore(durable: Store, clock: Clock, memory = memoryStore()): Store {
  let hangs = false
  /** Whether the durable store did the work. One that hangs is not asked again: each time would cost the wait. */
  const attempt = async (work: () => Promise<void>): Promise<boolean> => {
    if (hangs) return false
    try {
      await within(clock, vaultLimits.storageWait, work)
      return true
    } catch (cause) {
      hangs = cause instanceof TimedOut
      return false
    }
  }
  return {
    async list(app, user) {
      let kept: readonly DeviceRecord[] = []
      await attempt(async () => {
        kept = await durable.list(app, user)
      })
      const own = await memory.list(app, user)
      const names = new Set(own.map(nameOf))
      return [...own, ...kept.filter((record) => !names.has(nameOf(record)))]
    },
    async put(record) {
      if (await attempt(() => durable.put(record))) await memory.remove(record)
      else await memory.put(record)
    },
    async remove(key) {
      await memory.remove(key)
      // A superseded record that can't be removed is only a leftover: the next clean-up meets it again.
      await attempt(() => durable.remove(key))
    },
  }
}
