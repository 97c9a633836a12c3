import { getCookie } from 'hono/cookie'
import { serialize } from 'hono/utils/cookie'
import { requirePage } from '../http/origins.ts'
import type { ServerContext } from '../http/services.ts'
import type { App } from '../settings/app.ts'
import type { SessionServices } from './services.ts'

/** Replaces, in a body, the token that is in the cookie. */
export const IN_COOKIE = 'deprecated'

const nameFor = (app: App) => `privy-refresh-token-${app.id}`

/** The refresh token of a request, from its body or else from the cookie, which only a page of the app may use. */
export function presentedToken(
  c: ServerContext,
  app: App,
  inBody: string | null | undefined,
): { token: string; fromCookie: boolean } | undefined {
  if (inBody && inBody !== IN_COOKIE) return { token: inBody, fromCookie: false }
  const token = getCookie(c, nameFor(app))
  if (!token) return undefined
  requirePage(c, app)
  return { token, fromCookie: true }
}

/** The `Set-Cookie` headers that store a refresh token. @param until Unix milliseconds */
export function storeCookie(
  c: ServerContext,
  app: App,
  token: string,
  until: number,
  services: SessionServices,
): readonly string[] {
  const maxAge = Math.max(0, Math.floor((until - services.clock()) / 1_000))
  // The vault's frame doesn't say in whose page it stands. Of both kinds the browser keeps what that page's calls will bring.
  if (services.vaultOrigins.includes(c.req.header('origin') ?? ''))
    return [near, far].map((kind) => cookie(app, token, maxAge, kind))
  const kind = kindFor(c)
  return [cookie(app, token, maxAge, kind), ...otherCleared(c, app, kind)]
}

/** The `Set-Cookie` headers that remove it. */
export function clearCookie(c: ServerContext, app: App): readonly string[] {
  const kind = kindFor(c)
  return [cookie(app, '', 0, kind), ...otherCleared(c, app, kind)]
}

/** For pages of the API's own site. */
const near = { sameSite: 'Strict' } as const
/** For pages of other sites: one for each of them. */
const far = { sameSite: 'None', partitioned: true } as const
type Kind = typeof near | typeof far

const kindFor = (c: ServerContext): Kind =>
  ['same-origin', 'same-site'].includes(c.req.header('sec-fetch-site') ?? '') ? near : far

/** A page that brings both kinds keeps one: else the other would outlive its token, and be read in its place. */
function otherCleared(c: ServerContext, app: App, kept: Kind): readonly string[] {
  const sent = (c.req.header('cookie') ?? '')
    .split(';')
    .filter((pair) => pair.trim().startsWith(`${nameFor(app)}=`))
  return sent.length > 1 ? [cookie(app, '', 0, kept === near ? far : near)] : []
}

const cookie = (app: App, value: string, maxAge: number, kind: Kind): string =>
  serialize(nameFor(app), value, {
    path: '/api/v1/sessions',
    httpOnly: true,
    secure: true,
    maxAge,
    ...kind,
  })
