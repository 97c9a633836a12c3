/** What a page's developer is told in the console, once per message. Loaded only where there is something to say. */
import type { CopyOverrides } from '../../copy/copy.ts'
import { en } from '../../copy/en/index.ts'
import type { KitError } from '../../errors/kit-error.ts'

const warned = new Set<string>()
function warnOnce(message: string): void {
  if (warned.has(message)) return
  warned.add(message)
  console.warn(`[latchkey] ${message}`)
}

/** Says why the app's settings may not have loaded. */
export function explainStart({ code, message }: KitError, app: AppOfPage): void {
  const said = reasons[code]?.(app)
  warnOnce(`The settings of the app ${app.appId} could not be loaded (${code}). ${said ?? message}`)
}

interface AppOfPage {
  readonly appId: string
  readonly apiUrl: string
  readonly origin: string
}
const reasons: Readonly<Record<string, (app: AppOfPage) => string>> = {
  network_unavailable: ({ apiUrl, origin }) =>
    `Either ${apiUrl} can't be reached; or this page's content security policy lacks it in connect-src; or the API doesn't allow the origin ${origin} (CORS), which the app's allowedDomains decide.`,
  invalid_origin: ({ origin }) => `The app doesn't allow the origin ${origin}: add it to its allowedDomains.`,
  missing_or_invalid_app_id: ({ apiUrl }) => `${apiUrl} has no app with this id.`,
}

/** Names the keys of a host's words that no text has. */
export function warnOfUnknownWords(words: CopyOverrides): void {
  for (const key of Object.keys(words))
    if (!Object.hasOwn(en, key)) warnOnce(`copy has the key "${key}", which no text of this version has`)
}
