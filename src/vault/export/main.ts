/** The entry of the page that shows a wallet's key. */
// biome-ignore-all assist/source/organizeImports: the first module takes the fragment before any other is evaluated
import { fragment } from './fragment.ts'
import { browserParts } from '../entry/browser.ts'
import { createContext } from '../create-context.ts'
import { embeddingAllowed } from '../entry/frame-channel.ts'
import { readSettings } from '../entry/settings.ts'
import { runExport } from './export.ts'

const settings = readSettings(document.getElementById('settings')?.textContent)
if (settings && embeddingAllowed(window, settings.allowedOrigins)) {
  // Every failure is drawn, and reported to the page.
  void runExport(window, fragment, createContext(browserParts(settings, 'shown')))
}
