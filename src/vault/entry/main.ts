/** The vault's entry: binds it to its own page, which the backend serves in a frame. */
import { browserParts } from './browser.ts'
import { openFrameChannel } from './frame-channel.ts'
import { readSettings } from './settings.ts'
import { createVault } from './vault.ts'

const settings = readSettings(document.getElementById('settings')?.textContent)
if (settings) {
  const vault = createVault(browserParts(settings, 'hidden'))
  const close = openFrameChannel(window, settings.allowedOrigins, vault)
  // A page that goes into the back-forward cache comes back, and its vault with it.
  window.addEventListener('pagehide', (event) => {
    if (!event.persisted) close()
  })
}
