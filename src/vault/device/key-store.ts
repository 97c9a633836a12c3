import { type Clock, within } from '../../lib/clock.ts'
import { vaultLimits } from '../limits.ts'
import type { KeyPair } from './key.ts'

/** Where the device keys are kept, one for each app. */
export interface KeyStore {
  /**
   * The key of an app. Where there is none yet it is made by `make`; of several tabs that make one at once, all get the
   * same.
   */
  keyOf(app: string, make: () => Promise<KeyPair>): Promise<KeyPair>
}

/** Keys that end with the page. */
export function memoryKeys(): KeyStore {
  const keys = new Map<string, Promise<KeyPair>>()
  return {
    keyOf(app, make) {
      const key = keys.get(app) ?? make()
      keys.set(app, key)
      return key
    },
  }
}

/**
 * Keys where the browser refuses its storage, or does not answer for 3 s: this page then has a key of its own, and the
 * next one is a new device to the server.
 */
export function fallbackKeys(durable: KeyStore, clock: Clock, memory = memoryKeys()): KeyStore {
  return {
    async keyOf(app, make) {
      try {
        return await within(clock, vaultLimits.storageWait, () => durable.keyOf(app, make))
      } catch {
        return memory.keyOf(app, make)
      }
    },
  }
}
