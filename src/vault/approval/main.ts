/** The entry of the frame in which a person approves something. */
import { createContext } from '../create-context.ts'
import { browserParts } from '../entry/browser.ts'
import { embeddingAllowed } from '../entry/frame-channel.ts'
import { readSettings } from '../entry/settings.ts'
import { purposes } from './purposes.ts'
import { runApproval } from './run.ts'

const settings = readSettings(document.getElementById('settings')?.textContent)
/** A page may say ahead what it will ask; the request itself comes by message alone. */
const ahead = location.hash.slice(1)
if (Object.hasOwn(purposes, ahead)) purposes[ahead as keyof typeof purposes]().catch(() => {})
// Every failure is drawn, or reported to the page.
if (settings && embeddingAllowed(window, settings.allowedOrigins))
  void runApproval(window, createContext({ ...browserParts(settings, 'shown'), approves: true }))
