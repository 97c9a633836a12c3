import { randomBytes } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { type Context, Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { exportJWK, exportPKCS8, generateKeyPair, type JWK, jwtVerify } from 'jose'
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'
import { Provider } from 'oidc-provider/lib/provider.js'
import { createMemory } from './memory.ts'
import { type Original, type Reply, refusalOf } from './original.ts'
import { originals, type ProviderName, providerNames } from './originals.ts'
import { type Person, personOf, readLogin } from './people.ts'
import { formPostHeaders, formPostPage, pageHeaders, problemPage, signInPage } from './sign-in-page.ts'

type Env = { Bindings: HttpBindings }

/** Addresses of one provider, as the backend takes them. */
export interface Endpoints {
  authorize: string
  token: string
  profile: string
  issuer: string
  jwks: string
}
export interface OAuthProviders {
  /** All of them, each below its own name. It must be served by `@hono/node-server`. */
  app: Hono<Env>
  endpoints: Record<ProviderName, Endpoints>
  /** What each provider gave its one client. Apple's secret is a key, as JSON. */
  credentials: Record<ProviderName, { clientId: string; clientSecret: string }>
}

/** Paths of the machinery below a provider, apart from those of its original. */
const machinery = { token: '/-/token', userinfo: '/-/userinfo', jwks: '/-/jwks', interaction: '/-/sign-in' }

/**
 * Stands in for the nine social providers: real OAuth and OpenID servers in this process, each with a sign-in page of
 * its own, with the addresses, words and quirks of its original. Which accounts there are: people.ts.
 * @param settings.base where `app` is mounted, such as `http://localhost:4805/oauth`
 * @param settings.clients.redirectUri the one address that the backend lets people come back to
 */
export async function createOAuthProviders({
  base,
  clients,
}: {
  base: string
  clients: { redirectUri: string }
}): Promise<OAuthProviders> {
  const app = new Hono<Env>()
  const made = await Promise.all(
    providerNames.map(
      async (id) => [id, await createProvider(id, `${base}/${id}`, clients.redirectUri)] as const,
    ),
  )
  for (const [id, { routes }] of made) app.route(`/${id}`, routes)
  const each = <T>(pick: (one: (typeof made)[number][1]) => T) =>
    Object.fromEntries(made.map(([id, one]) => [id, pick(one)])) as Record<ProviderName, T>
  return { app, endpoints: each((one) => one.endpoints), credentials: each((one) => one.credentials) }
}

async function createProvider(id: ProviderName, issuer: string, redirectUri: string) {
  const original = originals[id]
  const brand = { id, name: original.name }
  const clientId = `latchkey-${id}`
  /** What the server below checks; with Apple the client never sees it. */
  const secret = randomBytes(24).toString('base64url')
  const apple = id === 'apple' ? await createAppleKey(clientId, issuer) : undefined
  /** Who has signed in, by the subject that the provider gives out. */
  const people = new Map<string, Person>()
  const provider = await createServer(id, issuer, { clientId, secret, redirectUri }, people)
  const mount = new URL(issuer).pathname

  /** Lets the server below answer, which knows nothing of where it is mounted. */
  async function handOver(c: Context<Env>, path: string): Promise<Response> {
    const { incoming, outgoing } = c.env
    incoming.url = path
    Object.assign(incoming, { originalUrl: mount + path })
    await provider.callback()(incoming, outgoing)
    return RESPONSE_ALREADY_SENT
  }
  const send = (c: Context<Env>, { status = 200, headers = {}, body }: Reply) =>
    c.json(body, status as ContentfulStatusCode, { 'cache-control': 'no-store', ...headers })

  const routes = new Hono<Env>()
  routes.get(original.authorize, (c) => {
    const query = new URL(c.req.url).searchParams
    const wrong = original.onAuthorize?.(query)
    if (wrong) return c.html(problemPage(brand, `The request is not valid: ${wrong}.`), 400, pageHeaders)
    // Who is signed in from earlier doesn't count: each login begins with the question who it is.
    query.set('prompt', 'login')
    return handOver(c, `${original.authorize}?${query}`)
  })

  routes.get(`${machinery.interaction}/:uid`, async (c) => {
    await provider.interactionDetails(c.env.incoming, c.env.outgoing)
    return c.html(signInPage(brand, { action: c.req.path, forWhom: 'Latchkey' }), 200, pageHeaders)
  })
  routes.post(`${machinery.interaction}/:uid`, async (c) => {
    const form = await c.req.parseBody()
    const login = readLogin(form.login)
    const denied = form.answer === 'deny'
    if (!denied && login === undefined) {
      const failed = typeof form.login === 'string' ? form.login.slice(0, 100) : ''
      return c.html(signInPage(brand, { action: c.req.path, forWhom: 'Latchkey', failed }), 422, pageHeaders)
    }
    const { incoming, outgoing } = c.env
    const who = personOf(id, login ?? '')
    const accountId = String(original.claims?.(who).sub ?? who.id)
    if (!denied) people.set(accountId, who)
    await provider.interactionFinished(
      incoming,
      outgoing,
      denied
        ? { error: original.denied ?? 'access_denied', error_description: 'The user denied the request.' }
        : { login: { accountId, remember: false } },
      { mergeWithLastSubmission: false },
    )
    return RESPONSE_ALREADY_SENT
  })

  routes.post(original.token, async (c) => {
    const form = new URLSearchParams(await c.req.text())
    original.onToken?.(form)
    if (original.pkce === 'refused' && form.has('code_verifier'))
      return send(c, { status: 401, body: { error: 'invalid_client' } })
    const code = await provider.AuthorizationCode.find(form.get('code') ?? '')
    const who = people.get(code?.accountId ?? '')
    const refused = original.claims && who && refusalOf(original, who)
    if (refused) return send(c, refused)
    if (apple)
      form.set('client_secret', (await apple.isSecret(form.get('client_secret') ?? '')) ? secret : 'wrong')
    const authorization = c.req.header('authorization')
    const answer = await fetch(issuer + machinery.token, {
      method: 'POST',
      body: form,
      ...(authorization && { headers: { authorization } }),
    })
    const reply: Reply = { status: answer.status, body: await answer.json() }
    return send(c, original.tokenReply?.(reply, who) ?? reply)
  })

  const { profile, profileReply } = original
  if (profile && profileReply)
    for (const path of id === 'github' ? [profile, `${profile}/emails`] : [profile])
      routes.get(path, async (c) => {
        const bearer = /^Bearer (\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1]
        const token = await provider.AccessToken.find(bearer ?? '')
        const who = people.get(token?.accountId ?? '')
        if (!token || !who || token.isExpired)
          return send(c, { status: 401, body: { error: 'invalid_token', message: 'Bad credentials' } })
        const query = new URL(c.req.url).searchParams
        const scopes = new Set((token.scope ?? '').split(' '))
        return send(c, refusalOf(original, who) ?? profileReply(who, scopes, path, query))
      })

  routes.onError((error, c) => {
    if (error.name === 'SessionNotFound')
      return c.html(problemPage(brand, 'This sign-in is over. Please start again.'), 400, pageHeaders)
    throw error
  })
  routes.all('*', (c) => handOver(c, (c.env.incoming.url ?? '').slice(mount.length) || '/'))

  return {
    routes,
    endpoints: {
      authorize: issuer + original.authorize,
      token: issuer + original.token,
      profile: issuer + (original.profile ?? ''),
      issuer,
      jwks: issuer + (original.jwks ?? machinery.jwks),
    },
    credentials: { clientId, clientSecret: apple?.clientSecret ?? secret },
  }
}

/** The server itself, by the standard. */
async function createServer(
  id: ProviderName,
  issuer: string,
  client: { clientId: string; secret: string; redirectUri: string },
  people: ReadonlyMap<string, Person>,
) {
  const original: Original = originals[id]
  const openid = original.claims !== undefined
  // Only OpenID providers sign anything that a client sees.
  const algorithm = openid ? 'RS256' : 'ES256'
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true })
  const key: JWK = { ...(await exportJWK(privateKey)), alg: algorithm, use: 'sig', kid: `${id}-1` }

  const configuration: Configuration = {
    adapter: createMemory(),
    clients: [
      {
        client_id: client.clientId,
        client_name: 'Latchkey',
        client_secret: client.secret,
        redirect_uris: [client.redirectUri],
        grant_types: ['authorization_code', ...(original.refreshable ? ['refresh_token'] : [])],
        token_endpoint_auth_method: original.clientAuth,
        id_token_signed_response_alg: algorithm,
      },
    ],
    jwks: { keys: [key as never] },
    routes: {
      authorization: original.authorize,
      jwks: original.jwks ?? machinery.jwks,
      token: machinery.token,
      userinfo: machinery.userinfo,
    },
    scopes: [...original.scopes],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name', 'given_name', 'picture'],
    },
    conformIdTokenClaims: false,
    pkce: { required: () => original.pkce === 'required' },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
    cookies: {
      keys: [randomBytes(32).toString('base64url')],
      // The nine share an origin here.
      names: { interaction: `${id}_interaction`, resume: `${id}_resume`, session: `${id}_session` },
    },
    ttl: {
      ...{ AccessToken: 3_600, AuthorizationCode: 60, IdToken: 3_600, Interaction: 600 },
      ...{ Session: 600, Grant: 86_400, RefreshToken: 86_400 },
    },
    findAccount(_context, sub) {
      const who = people.get(sub)
      return who && { accountId: sub, claims: async () => ({ ...original.claims?.(who), sub }) }
    },
    interactions: {
      url: (_context, { uid }) => `${new URL(issuer).pathname}${machinery.interaction}/${uid}`,
    },
    // Whoever signs in agrees: there is no second question.
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        ...(oidc.client && { clientId: oidc.client.clientId }),
        ...(oidc.session?.accountId && { accountId: oidc.session.accountId }),
      })
      grant.addOIDCScope(original.scopes.join(' '))
      await grant.save()
      return grant
    },
    issueRefreshToken: async () => original.refreshable === true,
    renderError(context, { error, error_description }) {
      context.type = 'html'
      context.set(pageHeaders)
      context.body = problemPage({ id, name: original.name }, `${error}: ${error_description ?? ''}`)
    },
  }
  const provider = new Provider(issuer, configuration)
  provider.on('server_error', (_context, error) => console.error(`${original.name} failed:`, error))

  const met = new Set<string>()
  provider.registerResponseMode('form_post_with_user', (context: KoaContextWithOIDC, address, fields) => {
    const who = people.get(context.oidc.session?.accountId ?? '')
    const answer: Record<string, string> = {}
    for (const [name, value] of Object.entries(fields)) if (name !== 'iss') answer[name] = String(value)
    // The name is told once, in the answer that the browser carries, and never again.
    if (who && 'code' in answer && !met.has(who.id)) {
      met.add(who.id)
      const [firstName = '', ...others] = who.name.split(' ')
      answer.user = JSON.stringify({ name: { firstName, lastName: others.join(' ') }, email: who.email })
    }
    context.type = 'html'
    context.status = 200
    context.set(formPostHeaders)
    context.body = formPostPage(address, answer)
  })
  return provider
}

/** Apple's clients hold a key and sign each secret with it (ES256, for at most half a year). */
async function createAppleKey(clientId: string, issuer: string) {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  const [teamId, keyId] = ['LATCHKEYDE', 'DEMOKEY001']
  return {
    clientSecret: JSON.stringify({ teamId, keyId, privateKey: await exportPKCS8(privateKey) }),
    async isSecret(jwt: string): Promise<boolean> {
      try {
        const { protectedHeader, payload } = await jwtVerify(jwt, publicKey, {
          ...{ algorithms: ['ES256'], issuer: teamId, subject: clientId, audience: issuer },
          requiredClaims: ['iat', 'exp'],
          maxTokenAge: '180 days',
        })
        return protectedHeader.kid === keyId && (payload.exp ?? 0) - (payload.iat ?? 0) <= 15_777_000
      } catch {
        return false
      }
    },
  }
}
