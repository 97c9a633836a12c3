import { createHash } from 'node:crypto'
import type { Handler } from 'hono'
import type * as v from 'valibot'
import { Refusal } from '../lib/refusal.ts'
import type { App } from '../settings/app.ts'
import { tally } from '../store/rate-limits.ts'
import { parseBody, readBody } from './body.ts'
import { refusalReply, send } from './errors.ts'
import type { StoredReply } from './idempotency.ts'
import type { CoreServices, ServerContext, ServerEnv } from './services.ts'
import { usesCookie } from './session-mode.ts'

/** What a handler of a POST gets: everything is checked already. */
export interface Call<Body> {
  c: ServerContext
  app: App
  body: Body
}
/** An answer; 200 unless it says otherwise. */
export interface Reply {
  body: unknown
  status?: number
  setCookie?: string | readonly string[] | undefined
}

export interface PostOptions<Body, C extends Call<Body>> {
  body: v.GenericSchema<unknown, Body>
  /**
   * Who an idempotency key belongs to; a repetition by anybody else is not answered. `undefined`: the call
   * is not kept at all. Without this function: the user of the token, if the call needs one.
   */
  actor?: (call: C) => Promise<string | undefined>
  handle: (call: C) => Promise<Reply>
}

/** A POST for everybody may look at its headers before anything is kept, or given out of what is kept. */
export interface PublicPostOptions<Body> extends PostOptions<Body, Call<Body>> {
  /** Resolves with whose action it is. @throws Refusal */
  identify?: ((c: ServerContext) => Promise<string>) | undefined
}

/** For calls that change nothing and give out what is secret: their answers are not kept, not even sealed. */
export const notKept = async () => undefined

/** A POST for everybody. */
export function post<Body>(services: CoreServices, options: PublicPostOptions<Body>): Handler<ServerEnv> {
  return async (c) => {
    const actor = (await options.identify?.(c)) ?? ''
    const bytes = await readBody(c)
    const call = { c, app: c.get('app'), body: parseBody(bytes, options.body) }
    return performPost(services, options, call, bytes, actor, 'anybody')
  }
}

/**
 * Answers a POST whose body has been read, once for all requests with the same idempotency key.
 * @param bytes the body as it came
 * @param user whose action it is where the options name no actor; `''` for nobody's
 * @param caller `anybody` where no access token was required
 */
export async function performPost<Body, C extends Call<Body>>(
  services: CoreServices,
  options: PostOptions<Body, C>,
  call: C,
  bytes: Uint8Array,
  user: string,
  caller: 'user' | 'anybody' = 'user',
): Promise<Response> {
  const { c, app } = call
  const key = c.req.header('idempotency-key')
  if (key !== undefined && !/^[\x21-\x7e]{1,255}$/.test(key))
    throw new Refusal('invalid_request', 'The idempotency key must have 1 to 255 visible characters.')
  const actor = key === undefined ? undefined : options.actor ? await options.actor(call) : user
  if (key === undefined || actor === undefined) return send(c, asKept(await options.handle(call)))

  // A key of one's own making identifies nobody, but a refresh token does.
  const isAnonymous = caller === 'anybody' && !options.actor
  if (isAnonymous) await limitAnonymous(services, c)
  const digest = createHash('sha256').update(bytes).digest('base64url')
  const content = JSON.stringify([actor, usesCookie(c), digest])
  const request = { appId: app.id, path: new URL(c.req.url).pathname, key, content }
  return send(c, await services.idempotency.once(request, () => judged(options.handle(call), !isAnonymous)))
}

const asKept = ({ status = 200, body, setCookie }: Reply): StoredReply => ({
  status,
  body,
  ...(setCookie && { setCookie }),
})

/** Limits how many answers of one source are kept, since anybody can ask for them. @throws Refusal `too_many_requests` */
async function limitAnonymous(services: CoreServices, c: ServerContext): Promise<void> {
  const { database, limits, clock, clientIp } = services
  const ip = clientIp(c)
  if (ip !== undefined) await tally(database, `kept ${ip}`, clock(), limits.keptAnswersPerIpHour)
}

/**
 * Keeps a refusal like any other answer, except `too_many_requests`, which asks for the same again later, and except
 * refusals of calls that nobody has to be known for.
 */
async function judged(
  answer: Promise<Reply>,
  keepRefusals: boolean,
): Promise<{ answer: StoredReply; keep: boolean }> {
  try {
    return { answer: asKept(await answer), keep: true }
  } catch (cause) {
    if (!(cause instanceof Refusal) || cause.code === 'too_many_requests') throw cause
    return { answer: refusalReply(cause), keep: keepRefusals }
  }
}
