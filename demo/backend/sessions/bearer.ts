import type { ServerContext } from '../http/services.ts'
import { Refusal } from '../lib/refusal.ts'
import type { SessionServices } from './services.ts'
import type { Bearer } from './tokens.ts'

/** Whom the request's access token speaks for, if it has a good one. @param options.expired its time may be over */
export async function readBearer(
  c: ServerContext,
  { tokens }: SessionServices,
  options?: { expired?: boolean },
): Promise<Bearer | undefined> {
  const token = tokenOf(c)
  return token === undefined ? undefined : tokens.read(c.get('app'), token, options)
}

/** The access token of a request, whatever it may be. */
export const tokenOf = (c: ServerContext): string | undefined =>
  /^Bearer ([\w.-]{1,8192})$/i.exec(c.req.header('authorization') ?? '')?.[1]

/** The user of a valid access token whose session is active. For calls that don't need one. */
export async function activeBearer(c: ServerContext, services: SessionServices): Promise<Bearer | undefined> {
  const bearer = await readBearer(c, services)
  return bearer && (await services.sessions.isActive(c.get('app').id, bearer)) ? bearer : undefined
}

/** @throws Refusal `missing_or_invalid_token` unless a valid token belongs to an active session */
export async function requireBearer(c: ServerContext, services: SessionServices): Promise<Bearer> {
  const bearer = await activeBearer(c, services)
  if (bearer) return bearer
  throw new Refusal('missing_or_invalid_token', 'The access token is missing, expired or not valid.')
}
