/** The vault's entry: binds it to its own page, which the backend serves in a frame. Wire 7.1. */
import { browserParts } from './browser.ts'
import { openDoor } from './door.ts'
import { readSettings } from './settings.ts'
import { createVault } from './vault.ts'

const settings = readSettings(document.getElementById('settings')?.textContent)
if (settings) {
  const vault = createVault(browserParts(settings))
  const close = openDoor(window, settings.allowedOrigins, vault)
  // A page that goes into the back-forward cache comes back, and its vault with it.
  window.addEventListener('pagehide', (event) => {
    if (!event.persisted) close()
  })
}
