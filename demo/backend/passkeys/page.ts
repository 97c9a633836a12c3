import { originAllowed } from '../../../src/lib/origin.ts'
import { Refusal } from '../lib/refusal.ts'
import type { App } from '../settings/app.ts'
import type { Expected } from './verification.ts'

/** The page that a ceremony runs on, and the domain that its passkeys are made for. */
export interface Page {
  origin: string
  rpId: string
}

/**
 * Which page asks.
 * @param named the page's origin by its own account
 * @param asking the `Origin` that the browser sent, if one did
 * @throws Refusal `invalid_data` unless it is a page of the app, and the one that asks
 */
export function pageOf(app: App, named: string | null | undefined, asking: string | undefined): Page {
  const origin = named == null ? asking : originOf(named)
  if (!origin || (asking !== undefined && asking !== origin) || !originAllowed(origin, app.allowedDomains))
    throw new Refusal('invalid_data', 'relying_party must be the origin of the page, and one of the app.')
  const host = new URL(origin).hostname
  const shared = app.passkeyDomain
  return { origin, rpId: shared && (host === shared || host.endsWith(`.${shared}`)) ? shared : host }
}

/** What the result of a ceremony must say that a page has begun. */
export function expectedOf(app: App, { origin, rpId }: Page, challenge: string): Expected {
  const framedBy = (top: string | undefined) => top !== undefined && originAllowed(top, app.allowedDomains)
  return { challenge, origin, rpId, framedBy }
}

/** An address as the origin that it is; `undefined` for anything that says more, or less. */
function originOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { origin, href } = new URL(text)
  return origin !== 'null' && (text === origin || text === href) && href === `${origin}/` ? origin : undefined
}
