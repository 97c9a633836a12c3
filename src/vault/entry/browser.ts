import { systemClock } from '../../lib/clock.ts'
import type { VaultParts } from '../context.ts'
import { databaseKeys } from '../device/database.ts'
import { fallbackKeys } from '../device/key-store.ts'
import { channelLogouts } from '../logouts.ts'
import { databaseStore } from '../shares/database.ts'
import { tabLocks } from '../shares/locks.ts'
import { fallbackStore } from '../shares/store.ts'
import type { VaultSettings } from './settings.ts'

/** What the vault's pages are made of in a browser: both have the same shares before them. */
export const browserParts = (settings: VaultSettings): VaultParts => ({
  settings,
  fetch: (input, init) => fetch(input, init),
  clock: systemClock,
  store: fallbackStore(
    databaseStore(() => indexedDB),
    systemClock,
  ),
  keys: fallbackKeys(
    databaseKeys(() => indexedDB),
    systemClock,
  ),
  locks: tabLocks(() => navigator.locks, systemClock),
  logouts: channelLogouts(settings.appId, () => new BroadcastChannel('latchkey-vault')),
})
