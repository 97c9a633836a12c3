import type { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import * as v from 'valibot'
import { isOAuthProvider } from '../domain/accounts.ts'
import type { Prove } from '../domain/admissions.ts'
import type { ProviderTokens } from '../domain/oauth/exchange.ts'
import { badCode, type Place, type Return } from '../domain/oauth/oauth.ts'
import { withParameters } from '../domain/oauth/return-address.ts'
import { Refusal } from '../domain/refusal.ts'
import type { ServerContext, ServerEnv, Services } from './context.ts'
import { type Call, post, postAsUser } from './post.ts'
import { linkRoute, loginRoute, mode, transferRoute, unlinkRoute } from './proofs.ts'
import { beforeStart } from './start.ts'

const CALLBACK = '/api/v1/oauth/callback'
const LARGEST_FORM = 65_536

/** The address that providers must know as this backend's. @param apiOrigin such as `https://api.example.com` */
export const oauthCallbackUrl = (apiOrigin: string) => apiOrigin + CALLBACK

/** `google` … `apple`, or `privy:<app id>` (wire 2.4). */
const provider = v.pipe(
  v.string(),
  v.transform((text): Place | undefined => {
    if (text.startsWith('privy:')) return { app: text.slice('privy:'.length) }
    return isOAuthProvider(text) ? text : undefined
  }),
  v.check((place) => place !== undefined),
  v.transform((place) => place as Place),
)
const nameOf = (place: Place) => (typeof place === 'string' ? place : `privy:${place.app}`)

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
export function oauthReturn(api: Hono<ServerEnv>, { oauth }: Services): void {
  async function comeBack(c: ServerContext, fields: URLSearchParams): Promise<Response> {
    const found = await oauth.comeBack(fields)
    if (!found) return c.html(lostPage, 400, lostHeaders)
    // A window that passes through here must stay its opener's: the page it comes to reports to that (wire 6.2).
    c.header('cross-origin-opener-policy', 'unsafe-none')
    return c.redirect(addressOf(found), 303)
  }
  api.get(CALLBACK, (c) => comeBack(c, new URL(c.req.url).searchParams))
  // Apple posts a form (OAuth 2.0 Form Post Response Mode).
  api.post(CALLBACK, bodyLimit({ maxSize: LARGEST_FORM }), async (c) =>
    comeBack(c, new URLSearchParams(await c.req.text())),
  )
}

/** Wire 6.1: all three parameters, whatever happened; a denial is the text `undefined`. */
function addressOf({ to, place, state, answer, keepFragment }: Return): string {
  const code = typeof answer === 'object' ? answer.code : answer === 'denied' ? 'undefined' : 'error'
  return withParameters(
    to,
    { privy_oauth_code: code, privy_oauth_state: state, privy_oauth_provider: nameOf(place) },
    { keepFragment },
  )
}

/** Login with OAuth and with another app's account, wire 2.4. */
export function oauthRoutes(api: Hono<ServerEnv>, services: Services): void {
  const { oauth, oneTime, database } = services

  function prove({ app, body }: Call<CodeBody>, purpose: 'login' | 'link'): Prove {
    const { authorization_code: code, state_code: state, code_verifier: verifier } = body
    if (!code || !state) throw badCode()
    if (body.code_type)
      throw new Refusal(
        'not_supported',
        'A code of the provider itself is not taken; log in through the browser.',
      )
    if (!verifier || !/^[\w.~-]{43,128}$/.test(verifier))
      throw new Refusal('invalid_pkce_parameters', 'The code verifier is missing or not valid.')
    const given = { code, state, verifier, place: body.provider ?? undefined }
    const judge = oauth.prove(app, given, purpose)
    return async (tx) => {
      const proved = await judge(tx)
      if ('refused' in proved) return proved
      const { proof, place, tokens } = proved
      return { ...proof, ...(tokens && { extra: { oauth_tokens: tokensView(place, tokens) } }) }
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
          throw new Refusal('invalid_pkce_parameters', 'Only S256 is taken.')
        const url = await oauth.begin(app, {
          ...{ place: body.provider, redirectTo: body.redirect_to },
          ...{ state: body.state_code, challenge: body.code_challenge },
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
          throw new Refusal('invalid_credentials', 'This transfer is not valid any more.', { status: 401 })
        return { type: type.output.type, subject: userInfo.subject }
      },
    }),
  )

  api.post(
    '/api/v1/oauth/unlink',
    unlinkRoute(services, {
      body: v.object({ provider, subject: v.string() }),
      account: async ({ body: { provider: place, subject } }) =>
        typeof place === 'string'
          ? { type: place, subject }
          : { type: 'cross-app', subject: `${place.app}:${subject}` },
    }),
  )
}

/** The side of the app at which people of others log in (wire 2.12): its page asks, and tells the answer here. */
export function oauthProviderRoutes(api: Hono<ServerEnv>, services: Services): void {
  const { oauth, crossApp, apiOrigin } = services

  api.post(
    '/oauth/authorization_code',
    postAsUser(services, {
      body: v.object({
        redirect_to: v.string(),
        state: v.string(),
        code_challenge: v.string(),
        /** Whom the page has named to the user. */
        requester_app_id: maybeText,
      }),
      async handle({ app, bearer, body }) {
        const asked = {
          ...{ redirectTo: body.redirect_to, state: body.state, challenge: body.code_challenge },
          requester: body.requester_app_id ?? undefined,
        }
        const pending = await oauth.pending(body.state)
        const url = await crossApp.allow(app, bearer, asked, {
          pending,
          callbackUrl: oauthCallbackUrl(apiOrigin),
        })
        return { body: { url } }
      },
    }),
  )
}

/** Wire 4.4. */
const tokensView = (place: Place, tokens: ProviderTokens) => ({
  provider: nameOf(place),
  access_token: tokens.accessToken,
  ...(tokens.expiresIn !== undefined && { access_token_expires_in_seconds: tokens.expiresIn }),
  ...(tokens.refreshToken !== undefined && { refresh_token: tokens.refreshToken }),
  ...(tokens.refreshExpiresIn !== undefined && { refresh_token_expires_in_seconds: tokens.refreshExpiresIn }),
  ...(tokens.scopes && { scopes: tokens.scopes }),
})

const lostHeaders = {
  'content-security-policy':
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
}
const lostPage = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Login</title></head>
<body><h1>This login is over</h1>
<p>It took too long, or it was finished before. Close this page, go back to the app and log in again.</p></body></html>`
