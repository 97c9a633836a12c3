import type { MiddlewareHandler } from 'hono'
import { originAllowed } from '../../../src/lib/origin.ts'
import { Refusal } from '../lib/refusal.ts'
import type { App } from '../settings/app.ts'
import type { CoreServices, ServerContext, ServerEnv } from './services.ts'
import { statusHeader } from './status-header.ts'

const requestHeaders = [
  'accept',
  'authorization',
  'content-type',
  'dpop',
  'farcaster-channel-token',
  'idempotency-key',
  'latchkey-mfa',
  'latchkey-session',
  statusHeader,
  'privy-app-id',
  'privy-ca-id',
  'privy-client',
  'privy-client-id',
  'privy-retry-attempt',
  'privy-ui',
  'x-native-app-identifier',
].join(', ')

const exposedHeaders = ['retry-after', 'date', 'dpop-nonce', 'x-request-id', statusHeader].join(', ')

/**
 * CORS with credentials. A preflight names no app, so an origin is let through when any app allows it;
 * the real call is judged by its own app, and its refusal can be read by such a page.
 */
export function cors({ apps, vaultOrigins }: CoreServices): MiddlewareHandler<ServerEnv> {
  const known = (origin: string) =>
    vaultOrigins.includes(origin) || apps.all.some((app) => originAllowed(origin, app.allowedDomains))

  return async (c, next) => {
    const origin = c.req.header('origin')
    const readable = origin !== undefined && known(origin)
    c.header('vary', 'Origin', { append: true })
    if (readable) {
      c.header('access-control-allow-origin', origin)
      c.header('access-control-allow-credentials', 'true')
      c.header('access-control-expose-headers', exposedHeaders)
    }
    if (c.req.method !== 'OPTIONS' || !c.req.header('access-control-request-method')) return next()
    if (readable) {
      c.header('access-control-allow-methods', 'GET, POST')
      c.header('access-control-allow-headers', requestHeaders)
      c.header('access-control-max-age', '600')
    }
    return c.body(null, 204)
  }
}

/** A page may call for the app when the app allows it; so may the vault. A call that comes from no page has no `Origin`. */
export function checkOrigin(c: ServerContext, app: App, { vaultOrigins }: CoreServices): void {
  const origin = c.req.header('origin')
  if (origin === undefined || vaultOrigins.includes(origin) || originAllowed(origin, app.allowedDomains))
    return
  throw invalidOrigin()
}

/** What the browser adds by itself (a cookie) counts only when a page of the app asked: no other can use it. */
export function requirePage(c: ServerContext, app: App): void {
  const origin = c.req.header('origin')
  if (origin === undefined) throw new Refusal('missing_origin', 'A call with a cookie must come from a page.')
  if (!originAllowed(origin, app.allowedDomains)) throw invalidOrigin()
}

/** Shares are given to the vault's own pages only. */
export function requireVault(c: ServerContext, { vaultOrigins }: CoreServices): void {
  if (!vaultOrigins.includes(c.req.header('origin') ?? '')) throw invalidOrigin()
}

const invalidOrigin = () => new Refusal('invalid_origin', 'This page may not use this app.')
