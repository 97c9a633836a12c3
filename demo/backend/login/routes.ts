import type { Handler } from 'hono'
import { routePath } from 'hono/route'
import * as v from 'valibot'
import type { Prove } from '../accounts/accounts.ts'
import { type LoginMode, loadUser } from '../accounts/user.ts'
import { userView } from '../accounts/user-view.ts'
import { appearanceOf } from '../devices/describe.ts'
import { type Call, type PublicPostOptions, post, type Reply } from '../http/post.ts'
import { nameInLog } from '../http/request-id.ts'
import type { ServerContext, ServerEnv } from '../http/services.ts'
import { usesCookie } from '../http/session-mode.ts'
import { Refusal } from '../lib/refusal.ts'
import { activeBearer } from '../sessions/bearer.ts'
import { type AuthorisedCall, postAsUser } from '../sessions/post-as-user.ts'
import { sessionReply } from '../sessions/reply.ts'
import type { Bearer } from '../sessions/tokens.ts'
import type { App } from '../settings/app.ts'
import type { ProvedType } from '../users/account.ts'
import type { LoginServices } from './services.ts'
import { requireMethod } from './start.ts'

/** The field `mode` of every `authenticate`. */
export const mode = v.nullish(v.picklist(['no-signup', 'login-or-sign-up']), 'login-or-sign-up')

interface ProofOptions<Body, C extends Call<Body>> {
  body: v.GenericSchema<unknown, Body>
  /** The method that must be on, if it can be told beforehand. */
  method?: App['methods'][number] | undefined
  /** Reads the request, calls outside services, and returns what is done inside the transaction. */
  prove: (call: C) => Promise<Prove>
}

/** Proves an account. Where an earlier attempt of the request has come as far as that, nobody outside is asked again. */
async function proveOf<Body, C extends Call<Body>>(
  { idempotency }: LoginServices,
  { prove }: ProofOptions<Body, C>,
  call: C,
): Promise<Prove> {
  if (!idempotency.hasOutcome()) return prove(call)
  return () => Promise.reject(new Error('The account has been proved already'))
}

/** POST …/authenticate: a proved account becomes a session. */
export function loginRoute<Body extends { mode?: LoginMode | null | undefined }>(
  services: LoginServices,
  options: ProofOptions<Body, Call<Body>> & {
    identify?: PublicPostOptions<Body>['identify']
    /** Tells of what the login has brought with it. */
    opened?: (call: Call<Body>, bearer: Bearer) => void
  },
): Handler<ServerEnv> {
  return post(services, {
    body: options.body,
    identify: options.identify,
    async handle(call) {
      const { c, app, body } = call
      const logIn = async () => {
        if (options.method) requireMethod(app, options.method)
        const prove = await proveOf(services, options, call)
        const bearer = await activeBearer(c, services)
        const who = { mode: body.mode ?? 'login-or-sign-up', bearer, ...appearanceOf(c, services) }
        return services.accounts.logIn(app, who, prove)
      }
      const inCookie = usesCookie(c)
      const { isNewUser, extra, ...opened } = await logIn().catch((cause: unknown) => {
        logFailedLogin(services, c, cause)
        throw cause
      })
      options.opened?.(call, opened)
      const reply = await sessionReply(services, c, app, opened, { inCookie, isNewUser })
      return { ...reply, body: { ...(reply.body as object), ...extra } }
    },
  })
}

/**
 * Writes why a login was refused, so that the operator can explain it: the user's answer says no more than that it was. Nothing
 * personal is in it; the request's id is in the answer too.
 */
function logFailedLogin({ log }: LoginServices, c: ServerContext, cause: unknown): void {
  if (!(cause instanceof Refusal)) return
  const { code, details } = cause
  const reason = details.reason ?? code
  log(`Login failed: ${routePath(c, -1)} app=${c.get('app').id} reason=${reason} request=${nameInLog(c)}`)
}

/** POST …/link: a proved account is added to the user of the token. */
export function linkRoute<Body>(
  services: LoginServices,
  options: ProofOptions<Body, AuthorisedCall<Body>>,
): Handler<ServerEnv> {
  return postAsUser(services, {
    body: options.body,
    async handle(call) {
      const { app, bearer } = call
      if (options.method) requireMethod(app, options.method)
      const { extra } = await services.accounts.link(call, await proveOf(services, options, call))
      const reply = await userReply(services, app, bearer)
      return { ...reply, body: { ...(reply.body as object), ...extra } }
    },
  })
}

/** POST …/update: a proved account takes the place of another one of the same kind. */
export function updateRoute<Body>(
  services: LoginServices,
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
      await services.accounts.update(call, old, await proveOf(services, options, call))
      return userReply(services, app, bearer)
    },
  })
}

/** POST …/transfer: an account of somebody else becomes the user's. */
export function transferRoute<Body extends { nonce: string }>(
  services: LoginServices,
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
      const account = await options.account(call)
      await services.accounts.transfer(call, { nonce: body.nonce, ...account })
      return userReply(services, app, bearer)
    },
  })
}

/**
 * POST …/unlink: an account is taken away from the user; the last way in only where `even_if_sole` says that they were
 * warned and want that.
 */
export function unlinkRoute<Body extends object>(
  services: LoginServices,
  options: {
    body: v.GenericSchema<unknown, Body>
    account: (call: AuthorisedCall<Body>) => Promise<{ type: ProvedType; subject: string }>
  },
): Handler<ServerEnv> {
  return postAsUser(services, {
    body: v.intersect([options.body, v.object({ even_if_sole: v.nullish(v.boolean(), false) })]),
    async handle(call) {
      const account = await options.account(call)
      await services.accounts.unlink(call, account, call.body.even_if_sole)
      return userReply(services, call.app, call.bearer)
    },
  })
}

/** The answer of whatever changes somebody's accounts. */
export async function userReply(services: LoginServices, app: App, bearer: Bearer): Promise<Reply> {
  const user = await loadUser(services.database, app.id, bearer.userId)
  if (!user) throw new Refusal('missing_or_invalid_token', 'This user no longer exists.')
  return { body: userView(user) }
}
