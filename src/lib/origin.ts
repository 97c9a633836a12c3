/**
 * Whether a full origin (scheme, host and port) is covered by an allow-list. In a pattern the first label of
 * the host may be `*` (exactly one label) and the port may be `*`; a bare host name means https on the
 * default port. The host alone is never compared.
 */
export function originAllowed(origin: string, patterns: readonly string[]): boolean {
  const asked = parseOrigin(origin)
  return asked !== undefined && patterns.some((pattern) => covers(pattern, asked))
}

interface Origin {
  scheme: string
  host: string
  port: string
}

const ORIGIN = /^([a-z][a-z0-9+.-]*):\/\/([^/:?#@\\\s]+|\[[0-9a-f:.]+\])(?::(\d+|\*))?$/

function parseOrigin(text: string): Origin | undefined {
  const match = ORIGIN.exec(text.toLowerCase())
  if (!match?.[1] || !match[2]) return undefined
  return { scheme: match[1], host: match[2], port: match[3] ?? defaultPort(match[1]) }
}

const defaultPort = (scheme: string) => (scheme === 'https' ? '443' : scheme === 'http' ? '80' : '')

function covers(pattern: string, asked: Origin): boolean {
  const allowed = parseOrigin(pattern.includes('://') ? pattern : `https://${pattern}`)
  if (!allowed || allowed.scheme !== asked.scheme) return false
  if (allowed.port !== '*' && allowed.port !== asked.port) return false
  if (!allowed.host.startsWith('*.')) return allowed.host === asked.host
  const base = allowed.host.slice(1)
  const label = asked.host.slice(0, -base.length)
  return asked.host.endsWith(base) && label.length > 0 && !label.includes('.')
}

/** Hosts on which plain http is accepted. */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1'
}

/**
 * Reads a base URL that a host page set: its origin and path without a trailing slash. Returns `undefined` if
 * it is no URL, carries credentials, or is plain http on a host that is not loopback.
 */
export function parseBaseUrl(text: string): string | undefined {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    return undefined
  }
  // Nothing else may be in it: no credentials, no query, no fragment.
  if (url.href !== url.origin + url.pathname) return undefined
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopbackHost(url.hostname)))
    return undefined
  return (url.origin + url.pathname).replace(/\/+$/, '')
}
