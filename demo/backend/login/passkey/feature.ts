import { eq } from 'drizzle-orm'
import type { Hono } from 'hono'
import * as v from 'valibot'
import { findAccount } from '../../accounts/account-rows.ts'
import { loadUser, shownName } from '../../accounts/user.ts'
import { noteOwn } from '../../audit/audit.ts'
import type { Feature } from '../../http/definition.ts'
import { type Call, post } from '../../http/post.ts'
import type { ServerContext, ServerEnv } from '../../http/services.ts'
import { Refusal } from '../../lib/refusal.ts'
import { enrollResponse, relyingParty, verifyResponse } from '../../passkeys/bodies.ts'
import { pageOf as namedPage, type Page } from '../../passkeys/page.ts'
import { passkeys as passkeyTable } from '../../passkeys/tables.ts'
import { passkeyAlgorithms } from '../../passkeys/verification.ts'
import { postAsUser } from '../../sessions/post-as-user.ts'
import type { App } from '../../settings/app.ts'
import { accounts } from '../../users/tables.ts'
import { linkRoute, loginRoute, unlinkRoute, userReply } from '../routes.ts'
import type { LoginServices } from '../services.ts'
import { beforeStart, requireMethod } from '../start.ts'
import { createPasskeys, type NewPasskey, type Passkeys } from './passkeys.ts'

const maybeText = v.nullish(v.string())
const start = v.strictObject({ token: maybeText, relying_party: relyingParty })

/** What a person calls a passkey: a line that can be read. */
const passkeyName = v.pipe(
  v.string(),
  v.transform((text) => text.normalize('NFC').trim()),
  v.check((text) => [...text].length >= 1 && [...text].length <= 64),
  v.regex(/^[^\p{C}\p{Zl}\p{Zp}]*$/u),
)

const authenticateBody = v.pipe(
  v.strictObject({
    relying_party: relyingParty,
    challenge: v.string(),
    authenticator_response: verifyResponse,
  }),
  v.transform((body) => ({ ...body, mode: 'no-signup' as const })),
)
const registerBody = v.pipe(
  v.strictObject({ relying_party: relyingParty, authenticator_response: enrollResponse }),
  v.transform((body) => ({ ...body, mode: 'login-or-sign-up' as const })),
)

/**
 * Whether people have passkeys in this app: to log in with, or as a second factor.
 * @throws Refusal `disallowed_login_method`
 */
function requirePasskeys(app: App): void {
  if (!app.mfaMethods.includes('passkey')) requireMethod(app, 'passkey')
}

/** Login, sign-up and linking with passkeys. */
export const passkeyFeature: Feature<LoginServices> = {
  tables: [passkeyTable],
  start(services) {
    const passkeys = createPasskeys(services)
    return { routes: (api) => passkeyRoutes(api, services, passkeys) }
  },
}

function passkeyRoutes(api: Hono<ServerEnv>, services: LoginServices, passkeys: Passkeys): void {
  const { database, clock, limits } = services

  type Asked = Pick<Call<{ relying_party?: string | null | undefined }>, 'c' | 'app' | 'body'>
  const pageOf = ({ c, app, body }: Asked): Page => namedPage(app, body.relying_party, c.req.header('origin'))
  /** Of the calls that end a ceremony: it is the challenge that says which page began it. */
  const pageIfNamed = (call: Asked) =>
    call.body.relying_party || call.c.req.header('origin') ? pageOf(call) : undefined
  const named = ({ body }: Asked) => (body.relying_party ? { relying_party: body.relying_party } : {})
  const userAgent = (c: ServerContext) => c.req.header('user-agent')

  const enrollOptions = (page: Page, appName: string, name: string, made: NewPasskey) => ({
    rp: { name: appName, id: page.rpId },
    user: { id: made.userHandle, name, display_name: name },
    challenge: made.challenge,
    pub_key_cred_params: passkeyAlgorithms.map((alg) => ({ alg, type: 'public-key' })),
    timeout: limits.passkeyTimeout,
    exclude_credentials: made.known.map(({ id, transports }) => ({ id, type: 'public-key', transports })),
    authenticator_selection: {
      require_resident_key: true,
      resident_key: 'required',
      user_verification: 'required',
    },
    attestation: 'none',
  })

  api.post(
    '/api/v1/passkeys/authenticate/init',
    post(services, {
      body: start,
      async handle(call) {
        await beforeStart(services, call, 'passkey', call.body.token)
        const page = pageOf(call)
        const { challenge } = await passkeys.beginLogin(call.app, page)
        // The authenticator knows which passkeys it has; naming any would tell who has one.
        const options = {
          challenge,
          rp_id: page.rpId,
          allow_credentials: [],
          timeout: limits.passkeyTimeout,
          user_verification: 'required',
        }
        return { body: { ...named(call), options } }
      },
    }),
  )
  api.post(
    '/api/v1/passkeys/authenticate',
    loginRoute(services, {
      body: authenticateBody,
      method: 'passkey',
      prove: async (call) =>
        passkeys.login(call.app, pageIfNamed(call), call.body.challenge, call.body.authenticator_response),
    }),
  )

  api.post(
    '/api/v1/passkeys/register/init',
    post(services, {
      body: start,
      async handle(call) {
        requireMethod(call.app, 'passkey')
        await beforeStart(services, call, 'passkey-signup', call.body.token)
        const page = pageOf(call)
        const made = await passkeys.beginSignUp(call.app, page)
        // Nothing else is known about a new user: this lets them tell their passkeys for one app apart.
        const since = new Date(clock()).toISOString().slice(0, 16).replace('T', ' ')
        const options = enrollOptions(page, call.app.name, `${call.app.name} ${since}`, made)
        return { body: { ...named(call), options } }
      },
    }),
  )
  api.post(
    '/api/v1/passkeys/register',
    loginRoute(services, {
      body: registerBody,
      method: 'passkey-signup',
      prove: async (call) =>
        passkeys.registration(call.app, {
          page: pageIfNamed(call),
          response: call.body.authenticator_response,
          userAgent: userAgent(call.c),
        }),
    }),
  )

  api.post(
    '/api/v1/passkeys/link/init',
    postAsUser(services, {
      body: v.object({ relying_party: relyingParty }),
      async handle(call) {
        const { app, bearer } = call
        requirePasskeys(app)
        const page = pageOf(call)
        const made = await passkeys.beginLink(app, page, bearer)
        const user = await loadUser(database, app.id, bearer.userId)
        const options = enrollOptions(page, app.name, (user && shownName(user)) ?? app.name, made)
        return { body: { ...named(call), options } }
      },
    }),
  )
  api.post(
    '/api/v1/passkeys/link',
    linkRoute(services, {
      body: v.strictObject({ relying_party: relyingParty, authenticator_response: enrollResponse }),
      async prove(call) {
        requirePasskeys(call.app)
        return passkeys.registration(call.app, {
          page: pageIfNamed(call),
          response: call.body.authenticator_response,
          userAgent: userAgent(call.c),
          bearer: call.bearer,
        })
      },
    }),
  )
  api.post(
    '/api/v1/passkeys/unlink',
    unlinkRoute(services, {
      // The page takes no second factor away: with this field it says no more than that it could.
      body: v.object({ credential_id: v.string(), remove_as_mfa: v.nullish(v.boolean()) }),
      account: async ({ body }) => ({ type: 'passkey', subject: body.credential_id }),
    }),
  )

  api.post(
    '/api/v1/passkeys/rename',
    postAsUser(services, {
      body: v.strictObject({ credential_id: v.string(), name: passkeyName }),
      async handle({ app, bearer, body, place }) {
        await database.transaction(async (tx) => {
          const found = await findAccount(tx, app, { type: 'passkey', subject: body.credential_id })
          if (found?.userId !== bearer.userId)
            throw new Refusal('linked_account_not_found', 'There is no such passkey.')
          const details = { ...found.details, authenticatorName: body.name }
          await tx.update(accounts).set({ details }).where(eq(accounts.id, found.id))
          const by = { app, userId: bearer.userId, place }
          await noteOwn(tx, by, 'passkey-renamed', clock(), { subject: body.credential_id })
        })
        return userReply(services, app, bearer)
      },
    }),
  )
}
