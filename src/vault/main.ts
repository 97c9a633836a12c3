/** The vault's entry: binds it to its own page, which the backend serves in a frame. Wire 7.1. */
import { systemClock } from '../core/clock.ts'
import { databaseStore } from './database.ts'
import { openDoor } from './door.ts'
import { tabLocks } from './locks.ts'
import { readSettings } from './settings.ts'
import { sturdyStore } from './store.ts'
import { createVault } from './vault.ts'

const settings = readSettings(document.getElementById('settings')?.textContent)
if (settings) {
  const vault = createVault({
    settings,
    fetch: (input, init) => fetch(input, init),
    clock: systemClock,
    store: sturdyStore(
      databaseStore(() => indexedDB),
      systemClock,
    ),
    locks: tabLocks(() => navigator.locks, systemClock),
  })
  const close = openDoor(window, settings.allowedOrigins, vault)
  // A page that goes into the back-forward cache comes back, and its vault with it.
  window.addEventListener('pagehide', (event) => {
    if (!event.persisted) close()
  })
}
