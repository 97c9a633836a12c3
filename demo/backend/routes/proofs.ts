import type { Handler } from 'hono'
import * as v from 'valibot'
import { updateAccount } from '../domain/account-update.ts'
import type { ProvedType } from '../domain/accounts.ts'
import type { Prove } from '../domain/admissions.ts'
import type { App } from '../domain/app-settings.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Bearer } from '../domain/tokens.ts'
import { type LoginMode, loadUser } from '../domain/users.ts'
import { readBearer } from './bearer.ts'
import type { ServerContext, ServerEnv, Services } from './context.ts'
import { type AuthorisedCall, type Call, post, postAsUser, type Reply } from './post.ts'
import { usesCookie } from './refresh-cookie.ts'
import { sessionReply } from './session-reply.ts'
import { requireMethod } from './start.ts'
import { userView } from './views.ts'

/** The field `mode` of every `authenticate` (wire 2). */
export const mode = v.nullish(v.picklist(['no-signup', 'login-or-sign-up']), 'login-or-sign-up')

interface ProofOptions<Body, C extends Call<Body>> {
  body: v.GenericSchema<unknown, Body>
  /** The method that must be on, if it can be told beforehand. */
  method?: App['methods'][number] | undefined
  /** Looks at the request, asks whoever must be asked outside, and gives what is done inside the transaction. */
  prove: (call: C) => Promise<Prove>
}

/** POST …/authenticate: a proved account becomes a session (wire 2, "General answers"). */
export function loginRoute<Body extends { mode?: LoginMode | null | undefined }>(
  services: Services,
  options: ProofOptions<Body, Call<Body>>,
): Handler<ServerEnv> {
  return post(services, {
    body: options.body,
    async handle(call) {
      const { c, app, body } = call
      if (options.method) requireMethod(app, options.method)
      const inCookie = usesCookie(c)
      const prove = await options.prove(call)
      const who = { mode: body.mode ?? 'login-or-sign-up', bearer: await livingBearer(services, c) }
      const { isNewUser, extra, ...opened } = await services.admissions.logIn(app, who, prove)
      const reply = await sessionReply(services, c, app, opened, { inCookie, isNewUser })
      return { ...reply, body: { ...(reply.body as object), ...extra } }
    },
  })
}

/** POST …/link: a proved account is added to the user of the token. */
export function linkRoute<Body>(
  services: Services,
  options: ProofOptions<Body, AuthorisedCall<Body>>,
): Handler<ServerEnv> {
  return postAsUser(services, {
    body: options.body,
    async handle(call) {
      const { app, bearer } = call
      if (options.method) requireMethod(app, options.method)
      const { extra } = await services.admissions.link(app, bearer, await options.prove(call))
      const reply = await userReply(services, app, bearer)
      return { ...reply, body: { ...(reply.body as object), ...extra } }
    },
  })
}

/** POST …/update: a proved account takes the place of another one of the same kind. */
export function updateRoute<Body>(
  services: Services,
  options: ProofOptions<Body, AuthorisedCall<Body>> & {
    /** Which account gives way. */
    account: (call: AuthorisedCall<Body>) => Promise<{ type: ProvedType; subject: string }>
  },
): Handler<ServerEnv> {
  return postAsUser(services, {
    body: options.body,
    async handle(call) {
      const { app, bearer } = call
      if (options.method) requireMethod(app, options.method)
      const old = await options.account(call)
      await updateAccount(services, app, bearer, old, await options.prove(call))
      return userReply(services, app, bearer)
    },
  })
}

/** POST …/transfer: an account of somebody else becomes the user's (wire 6.7). */
export function transferRoute<Body extends { nonce: string }>(
  services: Services,
  options: {
    body: v.GenericSchema<unknown, Body>
    /** Which account the request names. */
    account: (call: AuthorisedCall<Body>) => Promise<{ type: ProvedType; subject: string }>
  },
): Handler<ServerEnv> {
  return postAsUser(services, {
    body: options.body,
    async handle(call) {
      const { app, bearer, body } = call
      await services.admissions.transfer(app, bearer, { nonce: body.nonce, ...(await options.account(call)) })
      return userReply(services, app, bearer)
    },
  })
}

/** POST …/unlink: an account is taken away from the user. */
export function unlinkRoute<Body>(
  services: Services,
  options: {
    body: v.GenericSchema<unknown, Body>
    account: (call: AuthorisedCall<Body>) => Promise<{ type: ProvedType; subject: string }>
  },
): Handler<ServerEnv> {
  return postAsUser(services, {
    body: options.body,
    async handle(call) {
      await services.admissions.unlink(call.app, call.bearer, await options.account(call))
      return userReply(services, call.app, call.bearer)
    },
  })
}

async function userReply(services: Services, app: App, bearer: Bearer): Promise<Reply> {
  const user = await loadUser(services.database, app.id, bearer.userId)
  if (!user) throw new Refusal('missing_or_invalid_token', 'This user is no longer there.')
  return { body: userView(user) }
}

/** Whose session goes on, of those who need none. */
export async function livingBearer(services: Services, c: ServerContext): Promise<Bearer | undefined> {
  const bearer = await readBearer(c, services)
  return bearer && (await services.sessions.isAlive(c.get('app').id, bearer)) ? bearer : undefined
}
