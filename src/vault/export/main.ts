/** The page of the export frame, wire 8. */
// biome-ignore-all assist/source/organizeImports: the first module takes the fragment before any other is evaluated
import { fragment } from './fragment.ts'
import { browserParts } from '../browser.ts'
import { createContext } from '../context.ts'
import { embeddingAllowed } from '../door.ts'
import { readSettings } from '../settings.ts'
import { runExport } from './export.ts'

const settings = readSettings(document.getElementById('settings')?.textContent)
if (settings && embeddingAllowed(window, settings.allowedOrigins)) {
  // Whatever goes wrong is drawn, and told to the page.
  void runExport(window, fragment, createContext(browserParts(settings)))
}
