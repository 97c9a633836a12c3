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

/** The `Set-Cookie` header that stores a refresh token. @param until Unix milliseconds */
export function storeCookie(
  c: ServerContext,
  app: App,
  token: string,
  until: number,
  { clock }: SessionServices,
): string {
  return setCookie(c, app, token, Math.max(0, Math.floor((until - clock()) / 1_000)))
}

/** The `Set-Cookie` header that removes it. */
export const clearCookie = (c: ServerContext, app: App) => setCookie(c, app, '', 0)

function setCookie(c: ServerContext, app: App, value: string, maxAge: number): string {
  const near = ['same-origin', 'same-site'].includes(c.req.header('sec-fetch-site') ?? '')
  return serialize(nameFor(app), value, {
    path: '/api/v1/sessions',
    httpOnly: true,
    secure: true,
    maxAge,
    ...(near ? { sameSite: 'Strict' } : { sameSite: 'None', partitioned: true }),
  })
}
