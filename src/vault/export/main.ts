/** The page of the export frame, wire 8. */
// biome-ignore-all assist/source/organizeImports: the first module takes the fragment before any other is evaluated
import { fragment } from './fragment.ts'
import { systemClock } from '../../core/clock.ts'
import { createContext } from '../context.ts'
import { databaseStore } from '../database.ts'
import { embeddingAllowed } from '../door.ts'
import { tabLocks } from '../locks.ts'
import { readSettings } from '../settings.ts'
import { sturdyStore } from '../store.ts'
import { runExport } from './export.ts'

const settings = readSettings(document.getElementById('settings')?.textContent)
if (settings && embeddingAllowed(window, settings.allowedOrigins)) {
  const cx = createContext({
    settings,
    fetch: (input, init) => fetch(input, init),
    clock: systemClock,
    store: sturdyStore(
      databaseStore(() => indexedDB),
      systemClock,
    ),
    locks: tabLocks(() => navigator.locks, systemClock),
  })
  // Whatever goes wrong is drawn, and told to the page.
  void runExport(window, fragment, cx)
}
