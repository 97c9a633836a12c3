import { systemClock } from '../core/clock.ts'
import type { VaultParts } from './context.ts'
import { databaseStore } from './database.ts'
import { tabLocks } from './locks.ts'
import type { VaultSettings } from './settings.ts'
import { sturdyStore } from './store.ts'

/** What the vault's pages are made of in a browser: both have the same shares before them. */
export const browserParts = (settings: VaultSettings): VaultParts => ({
  settings,
  fetch: (input, init) => fetch(input, init),
  clock: systemClock,
  store: sturdyStore(
    databaseStore(() => indexedDB),
    systemClock,
  ),
  locks: tabLocks(() => navigator.locks, systemClock),
})
