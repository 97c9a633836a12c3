import { systemClock } from '../../lib/clock.ts'
import { memoryStorage, webStorage } from '../../lib/storage.ts'
import type { VaultParts } from '../context.ts'
import { databaseKeys } from '../device/database.ts'
import { fallbackKeys, memoryKeys } from '../device/key-store.ts'
import { channelLogouts } from '../logouts.ts'
import { databaseStore } from '../shares/database.ts'
import { tabLocks } from '../shares/locks.ts'
import { fallbackStore, memoryStore } from '../shares/store.ts'
import { readClient } from './client.ts'
import type { VaultSettings } from './settings.ts'
import { borrowMemory, lendMemory } from './shared-memory.ts'

/**
 * What the vault's pages are made of in a browser. All have the same shares, the same key and the same proofs of second factors before
 * them, also where the browser keeps nothing: the hidden frame, which is there for as long as the page around it, then keeps them for
 * the others.
 */
export function browserParts(settings: VaultSettings, frame: 'hidden' | 'shown'): VaultParts {
  const { appId } = settings
  const memory =
    frame === 'hidden'
      ? { keys: memoryKeys(), store: memoryStore(), tab: memoryStorage() }
      : borrowMemory(window, appId, systemClock)
  const keys = fallbackKeys(
    databaseKeys(() => indexedDB),
    systemClock,
    memory.keys,
  )
  if (frame === 'hidden') lendMemory(window, appId, { ...memory, keys })
  const tab = webStorage(() => sessionStorage)
  return {
    settings,
    keys,
    client: readClient(location.search),
    fetch: (input, init) => fetch(input, init),
    clock: systemClock,
    store: fallbackStore(
      databaseStore(() => indexedDB),
      systemClock,
      memory.store,
    ),
    locks: tabLocks(() => navigator.locks, systemClock),
    logouts: channelLogouts(appId, () => new BroadcastChannel('latchkey-vault')),
    tabStorage: tab.persistent ? tab : memory.tab,
  }
}
