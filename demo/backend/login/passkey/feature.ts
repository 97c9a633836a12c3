import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Hono } from 'hono'
import * as v from 'valibot'
import { loadUser, type User } from '../../accounts/user.ts'
import type { Feature } from '../../http/definition.ts'
import { type Call, post } from '../../http/post.ts'
import type { ServerContext, ServerEnv } from '../../http/services.ts'
import { postAsUser } from '../../sessions/post-as-user.ts'
import { linkRoute, loginRoute, unlinkRoute } from '../routes.ts'
import type { LoginServices } from '../services.ts'
import { beforeStart, requireMethod } from '../start.ts'
import { createPasskeys, type NewPasskey, type Page, type Passkeys } from './passkeys.ts'
import { passkeys as passkeyTable } from './tables.ts'
import { passkeyAlgorithms } from './verification.ts'

const maybeText = v.nullish(v.string())
const relying_party = v.nullish(v.pipe(v.string(), v.url()))
const start = v.strictObject({ token: maybeText, relying_party })

/** A credential as browsers give it. More than is said here may come, and is not looked at. */
const credential = {
  id: v.pipe(v.string(), v.regex(/^[\w-]{1,1364}$/)),
  raw_id: v.string(),
  type: v.literal('public-key'),
  authenticator_attachment: maybeText,
  client_extension_results: v.nullish(v.record(v.string(), v.unknown())),
}
const enrollResponse = v.pipe(
  v.object({
    ...credential,
    response: v.object({
      client_data_json: v.string(),
      attestation_object: v.string(),
      transports: v.nullish(v.array(v.unknown())),
    }),
  }),
  v.transform(({ id, raw_id, type, response }) => ({
    ...{ id, rawId: raw_id, type, clientExtensionResults: {} },
    response: {
      clientDataJSON: response.client_data_json,
      attestationObject: response.attestation_object,
      transports: (response.transports ?? []).filter(isTransport),
    },
  })),
)
const verifyResponse = v.pipe(
  v.object({
    ...credential,
    response: v.object({
      client_data_json: v.string(),
      authenticator_data: v.string(),
      signature: v.string(),
      user_handle: maybeText,
    }),
  }),
  v.transform(({ id, raw_id, type, response }) => ({
    ...{ id, rawId: raw_id, type, clientExtensionResults: {} },
    response: {
      clientDataJSON: response.client_data_json,
      authenticatorData: response.authenticator_data,
      signature: response.signature,
      ...(response.user_handle && { userHandle: response.user_handle }),
    },
  })),
)

type Transport = NonNullable<RegistrationResponseJSON['response']['transports']>[number]
/** As they are given back to the browser; one that a newer browser made up is kept too. */
const isTransport = (value: unknown): value is Transport =>
  typeof value === 'string' && /^[a-z-]{1,32}$/.test(value)

const authenticateBody = v.pipe(
  v.strictObject({ relying_party, challenge: v.string(), authenticator_response: verifyResponse }),
  v.transform((body) => ({ ...body, mode: 'no-signup' as const })),
)
const registerBody = v.pipe(
  v.strictObject({ relying_party, authenticator_response: enrollResponse }),
  v.transform((body) => ({ ...body, mode: 'login-or-sign-up' as const })),
)

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
  const pageOf = ({ c, app, body }: Asked): Page =>
    passkeys.pageOf(app, body.relying_party, c.req.header('origin'))
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
          ...{ challenge, rp_id: page.rpId, allow_credentials: [] },
          ...{ timeout: limits.passkeyTimeout, user_verification: 'required' },
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
      body: v.object({ relying_party }),
      async handle(call) {
        const { app, bearer } = call
        requireMethod(app, 'passkey')
        const page = pageOf(call)
        const made = await passkeys.beginLink(app, page, bearer)
        const user = await loadUser(database, app.id, bearer.userId)
        const options = enrollOptions(page, app.name, (user && nameOf(user)) ?? app.name, made)
        return { body: { ...named(call), options } }
      },
    }),
  )
  api.post(
    '/api/v1/passkeys/link',
    linkRoute(services, {
      body: v.strictObject({ relying_party, authenticator_response: enrollResponse }),
      method: 'passkey',
      prove: async (call) =>
        passkeys.registration(call.app, {
          page: pageIfNamed(call),
          response: call.body.authenticator_response,
          userAgent: userAgent(call.c),
          bearer: call.bearer,
        }),
    }),
  )
  api.post(
    '/api/v1/passkeys/unlink',
    unlinkRoute(services, {
      body: v.object({ credential_id: v.string(), remove_as_mfa: v.nullish(v.boolean()) }),
      account: async ({ body }) => ({ type: 'passkey', subject: body.credential_id }),
    }),
  )
}

/** The person's other accounts, for the list that their device shows. */
function nameOf({ accounts }: User): string | undefined {
  for (const account of accounts) {
    if (account.type === 'email' || account.type === 'phone') return account.subject
    if ('details' in account && 'email' in account.details && account.details.email)
      return account.details.email
    if ('details' in account && 'username' in account.details && account.details.username)
      return account.details.username
  }
  return undefined
}
