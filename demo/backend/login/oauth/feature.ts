import type { Hono } from 'hono'
import * as v from 'valibot'
import type { Prove } from '../../accounts/accounts.ts'
import { readForm, readQuery } from '../../http/body.ts'
import type { Feature } from '../../http/definition.ts'
import { type Call, post } from '../../http/post.ts'
import type { ServerContext, ServerEnv } from '../../http/services.ts'
import { Refusal } from '../../lib/refusal.ts'
import { createKeySets } from '../../outside/key-sets.ts'
import { isOAuthProvider } from '../../settings/names.ts'
import { createVisits } from '../../visits/visits.ts'
import { CALLBACK_PATH, oauthCallbackUrl } from '../cross-app/callback.ts'
import { createCrossApp } from '../cross-app/cross-app.ts'
import { badCode, withParameters } from '../return-address.ts'
import { linkRoute, loginRoute, mode, transferRoute, unlinkRoute } from '../routes.ts'
import type { LoginServices } from '../services.ts'
import { beforeStart } from '../start.ts'
import { createExchange } from './exchange.ts'
import { createOAuthLogin, type LoginSource, type OAuthLogin, type Return } from './login.ts'
import type { ProviderTokens } from './tokens.ts'

/** Login at social providers and with the accounts of other apps. */
export const oauthFeature: Feature<LoginServices> = {
  start(services) {
    const callbackUrl = oauthCallbackUrl(services.apiOrigin)
    const exchange = createExchange({ ...services, keySets: createKeySets(services) })
    const crossApp = createCrossApp({ ...services, callbackUrl })
    const visits = createVisits(services)
    const oauth = createOAuthLogin({ ...services, exchange, crossApp, visits, callbackUrl })
    return {
      publicRoutes: (api) => callbackRoutes(api, oauth),
      routes: (api) => oauthRoutes(api, services, oauth),
    }
  },
}

/** `google` … `apple`, or `privy:<app id>`. */
const provider = v.pipe(
  v.string(),
  v.transform((text): LoginSource | undefined => {
    if (text.startsWith('privy:')) return { app: text.slice('privy:'.length) }
    return isOAuthProvider(text) ? text : undefined
  }),
  v.check((source) => source !== undefined),
  v.transform((source) => source as LoginSource),
)
const nameOf = (source: LoginSource) => (typeof source === 'string' ? source : `privy:${source.app}`)

const maybeText = v.nullish(v.string())
const codeFields = {
  authorization_code: maybeText,
  state_code: maybeText,
  code_verifier: maybeText,
  code_type: v.nullish(v.literal('raw')),
  provider: v.nullish(provider),
}
const linkBody = v.object(codeFields)
type CodeBody = v.InferOutput<typeof linkBody>
const userInfo = v.object({ subject: v.string() })

/** Where providers send people back to. It knows no app: the state says whose login it is. */
function callbackRoutes(api: Hono<ServerEnv>, oauth: OAuthLogin): void {
  async function handleCallback(c: ServerContext, fields: URLSearchParams): Promise<Response> {
    const found = await oauth.handleCallback(fields)
    if (!found) return c.html(expiredPage, 400, expiredHeaders)
    // A window that passes through here must stay its opener's: the page it comes to reports to that.
    c.header('cross-origin-opener-policy', 'unsafe-none')
    return c.redirect('vaultPage' in found ? found.vaultPage : addressOf(found), 303)
  }
  api.get(CALLBACK_PATH, (c) => handleCallback(c, readQuery(c)))
  // Apple posts a form (OAuth 2.0 Form Post Response Mode).
  api.post(CALLBACK_PATH, async (c) => handleCallback(c, await readForm(c)))
}

/** All three parameters in every case; a denial is the text `undefined`. */
function addressOf({ to, source, state, answer, keepFragment }: Return): string {
  const code = typeof answer === 'object' ? answer.code : answer === 'denied' ? 'undefined' : 'error'
  return withParameters(
    to,
    { privy_oauth_code: code, privy_oauth_state: state, privy_oauth_provider: nameOf(source) },
    { keepFragment },
  )
}

function oauthRoutes(api: Hono<ServerEnv>, services: LoginServices, oauth: OAuthLogin): void {
  const { oneTime, database } = services

  function prove({ app, body }: Call<CodeBody>, purpose: 'login' | 'link'): Prove {
    const { authorization_code: code, state_code: state, code_verifier: verifier } = body
    if (!code || !state) throw badCode()
    if (body.code_type)
      throw new Refusal(
        'not_supported',
        'Codes from the provider itself are not accepted; log in through the browser.',
      )
    if (!verifier || !/^[\w.~-]{43,128}$/.test(verifier))
      throw new Refusal('invalid_pkce_parameters', 'The code verifier is missing or not valid.')
    const given = { code, state, verifier, source: body.provider ?? undefined }
    const judge = oauth.prove(app, given, purpose)
    return async (tx) => {
      const proved = await judge(tx)
      if ('refused' in proved) return proved
      const { proof, source, tokens } = proved
      return { ...proof, ...(tokens && { extra: { oauth_tokens: tokensView(source, tokens) } }) }
    }
  }

  api.post(
    '/api/v1/oauth/init',
    post(services, {
      body: v.object({
        provider,
        redirect_to: v.string(),
        token: maybeText,
        state_code: maybeText,
        code_challenge: maybeText,
        code_challenge_method: v.nullish(v.string()),
      }),
      async handle(call) {
        const { app, body } = call
        await beforeStart(
          services,
          call,
          typeof body.provider === 'string' ? body.provider : undefined,
          body.token,
        )
        if (body.code_challenge_method && body.code_challenge_method !== 'S256')
          throw new Refusal('invalid_pkce_parameters', 'Only S256 is supported.')
        const url = await oauth.begin(app, {
          source: body.provider,
          redirectTo: body.redirect_to,
          state: body.state_code,
          challenge: body.code_challenge,
        })
        return { body: { url } }
      },
    }),
  )

  api.post(
    '/api/v1/oauth/authenticate',
    loginRoute(services, {
      body: v.object({ ...codeFields, mode }),
      prove: async (call) => prove(call, 'login'),
    }),
  )

  api.post(
    '/api/v1/oauth/link',
    linkRoute(services, { body: linkBody, prove: async (call) => prove(call, 'link') }),
  )

  api.post(
    '/api/v1/oauth/transfer',
    transferRoute(services, {
      body: v.object({ nonce: v.string(), userInfo }),
      async account({ app, body: { nonce, userInfo } }) {
        // The request doesn't say at which provider; the offer does.
        const offer = await oneTime.peek(database, { kind: 'transfer', appId: app.id, value: nonce })
        const type = v.safeParse(v.object({ type: v.string() }), offer)
        if (!type.success || !isOAuthProvider(type.output.type))
          throw new Refusal('invalid_credentials', 'This transfer is no longer valid.', { status: 401 })
        return { type: type.output.type, subject: userInfo.subject }
      },
    }),
  )

  api.post(
    '/api/v1/oauth/unlink',
    unlinkRoute(services, {
      body: v.object({ provider, subject: v.string() }),
      account: async ({ body: { provider: source, subject } }) =>
        typeof source === 'string'
          ? { type: source, subject }
          : { type: 'cross-app', subject: `${source.app}:${subject}` },
    }),
  )
}

/** The tokens of a provider as the API shows them. */
const tokensView = (source: LoginSource, tokens: ProviderTokens) => ({
  provider: nameOf(source),
  access_token: tokens.accessToken,
  ...(tokens.expiresIn !== undefined && { access_token_expires_in_seconds: tokens.expiresIn }),
  ...(tokens.refreshToken !== undefined && { refresh_token: tokens.refreshToken }),
  ...(tokens.refreshExpiresIn !== undefined && { refresh_token_expires_in_seconds: tokens.refreshExpiresIn }),
  ...(tokens.scopes && { scopes: tokens.scopes }),
})

const expiredHeaders = {
  'content-security-policy':
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
}
const expiredPage = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Login</title></head>
<body><h1>This login is over</h1>
<p>It took too long, or it was finished before. Close this page, go back to the app and log in again.</p></body></html>`
