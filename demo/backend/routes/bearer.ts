import { Refusal } from '../domain/refusal.ts'
import type { Bearer } from '../domain/tokens.ts'
import type { ServerContext, Services } from './context.ts'

/** Whom the request's access token speaks for, if it has a good one. @param options.expired its time may be over */
export async function readBearer(
  c: ServerContext,
  { tokens }: Services,
  options?: { expired?: boolean },
): Promise<Bearer | undefined> {
  const token = /^Bearer ([\w.-]{1,8192})$/i.exec(c.req.header('authorization') ?? '')?.[1]
  return token === undefined ? undefined : tokens.read(c.get('app'), token, options)
}

/** @throws Refusal `missing_or_invalid_token` unless a good token belongs to a session that goes on */
export async function requireBearer(c: ServerContext, services: Services): Promise<Bearer> {
  const bearer = await readBearer(c, services)
  if (bearer && (await services.sessions.isAlive(c.get('app').id, bearer))) return bearer
  throw new Refusal('missing_or_invalid_token', 'The access token is missing, expired or not valid.')
}
