import { isLoopbackHost, originAllowed } from '../../../src/lib/origin.ts'
import { Refusal } from '../lib/refusal.ts'
import type { App } from '../settings/app.ts'

const LONGEST = 4_096

/**
 * Whether a login may return to an address: one that the app's settings name, letter for letter or by a pattern. Plain
 * http is for this machine only.
 */
export function mayReturnTo(app: App, address: string): boolean {
  const url = parseAddress(address)
  return (
    url !== undefined &&
    app.redirectUrls.some((named) => (named.includes('*') ? fits(url, address, named) : named === address))
  )
}

/**
 * Whether a page that carries no secret may lead to an address: one that logins may return to, or a page on an origin where the app is
 * embedded.
 */
export function mayLeadTo(app: App, address: string): boolean {
  const url = parseAddress(address)
  return url !== undefined && (originAllowed(url.origin, app.allowedDomains) || mayReturnTo(app, address))
}

/** An address that everybody reads alike, and that only this machine may have over plain http. */
function parseAddress(address: string): URL | undefined {
  // Browsers and servers read these differently, so that a check of one says nothing about the other.
  if (address.length > LONGEST || /[^\x21-\x7e]|\\/.test(address) || !URL.canParse(address)) return undefined
  const url = new URL(address)
  if (!/^https?:$/.test(url.protocol) || url.username || url.password) return undefined
  // As a browser writes it, and no other spelling of the same.
  if (!address.startsWith(url.origin)) return undefined
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname) && !url.hostname.endsWith('.localhost'))
    return undefined
  return url
}

/**
 * What a page says of the way back from a provider, if it is in order: where that leads, the challenge that keeps a code useless
 * to others (S256 only, and never without), and the page's own name for the visit.
 * @throws Refusal `invalid_data`, `invalid_pkce_parameters`
 */
export function requireWayBack(
  app: App,
  { redirectTo, challenge, state }: WayBack,
): { redirectTo: string; challenge: string; clientState: string | undefined } {
  if (!mayReturnTo(app, redirectTo))
    throw new Refusal('invalid_data', 'The address to return to is not allowed for this app.')
  if (!challenge || !/^[\w-]{43}$/.test(challenge))
    throw new Refusal('invalid_pkce_parameters', 'A code challenge (S256) is required.')
  if (state && !/^[\x21-\x7e]{1,512}$/.test(state))
    throw new Refusal('invalid_data', 'Invalid or missing: state_code')
  return { redirectTo, challenge, clientState: state || undefined }
}
interface WayBack {
  redirectTo: string
  challenge?: string | null | undefined
  state?: string | null | undefined
}

/** A pattern speaks of the path only as a browser writes it: `/a/../b` is not below `/a/`. */
function fits(url: URL, address: string, pattern: string): boolean {
  const [origin = '', path = ''] = /^([^/]+\/\/[^/]+)(\/.*)$/.exec(pattern)?.slice(1) ?? []
  if (!originAllowed(url.origin, [origin])) return false
  if (!path.endsWith('*')) return address.slice(url.origin.length) === path
  return (address === url.origin ? '/' : url.pathname).startsWith(path.slice(0, -1))
}

/**
 * The address with more parameters in its query. Everything else stays unchanged, byte for byte; parameters of
 * the same names are dropped.
 * @param keepFragment `false`: a fragment that the browser brings along is cut off
 */
export function withParameters(
  address: string,
  parameters: Readonly<Record<string, string>>,
  { keepFragment = true } = {},
): string {
  const [beforeFragment = '', fragment] = splitOnce(address, '#')
  const [path = '', query] = splitOnce(beforeFragment, '?')
  const kept = (query ?? '').split('&').filter((pair) => pair !== '' && !(nameOf(pair) in parameters))
  const added = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  const tail = fragment === undefined ? (keepFragment ? '' : '#') : `#${fragment}`
  return `${path}?${[...kept, ...added].join('&')}${tail}`
}

function splitOnce(text: string, mark: string): [string, string?] {
  const at = text.indexOf(mark)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}

function nameOf(pair: string): string {
  const name = pair.split('=', 1)[0] ?? ''
  return new URLSearchParams(`${name}=`).keys().next().value ?? name
}

/** One answer for every code that is not good. */
export const badCode = () =>
  new Refusal('invalid_credentials', 'This login is no longer valid.', { status: 401 })

/** A field that is there exactly once: of two, nobody can say which one others have looked at. */
export function single(fields: URLSearchParams, name: string): string | undefined {
  const values = fields.getAll(name)
  return values.length === 1 && values[0] ? values[0] : undefined
}
