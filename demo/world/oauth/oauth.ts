import { randomBytes } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { type Context, Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { createAppleKey } from './apple-key.ts'
import { type Original, type Reply, refusalOf, words } from './original.ts'
import { originals, type ProviderName, providerNames } from './originals.ts'
import { keepsDrive, type Person, personOf, readLogin } from './people.ts'
import { createServer, machinery } from './server.ts'
import { pageHeaders, problemPage, signInPage } from './sign-in-page.ts'

type Env = { Bindings: HttpBindings }

/** Addresses of one provider, as the backend takes them. */
export interface Endpoints {
  authorize: string
  token: string
  profile: string
  issuer: string
  jwks: string
}
/** Whose an access token is, and what it opens. */
export interface Holder {
  person: Person
  clientId: string
  scopes: ReadonlySet<string>
}
export interface OAuthProviders {
  /** All of them, each below its own name. It must be served by `@hono/node-server`. */
  app: Hono<Env>
  endpoints: Record<ProviderName, Endpoints>
  /** What each provider gave its one client. Apple's secret is a key, as JSON. */
  credentials: Record<ProviderName, { clientId: string; clientSecret: string }>
  /** Whose a token of Google's is, for Google's other services; `undefined` for one that is not good. */
  googleHolder(token: string): Promise<Holder | undefined>
}

/**
 * Tells `@hono/node-server` that there is nothing left to answer. Where that has put a Response of its own in place of the global one,
 * it would send this one as it is: a copy is always the platform's.
 */
const answered = () => RESPONSE_ALREADY_SENT.clone()

/**
 * Stands in for the nine social providers: real OAuth and OpenID servers in this process, each with a sign-in page of
 * its own, with the addresses, words and quirks of its original. Which accounts there are: people.ts.
 * @param settings.base where `app` is mounted, such as `http://localhost:4805/oauth`
 * @param settings.clients.redirectUri the one address that the backend lets people come back to
 * @param settings.clients.driveRedirectUri a second one, which only Google knows
 */
export async function createOAuthProviders({
  base,
  clients,
}: {
  base: string
  clients: { redirectUri: string; driveRedirectUri?: string }
}): Promise<OAuthProviders> {
  const app = new Hono<Env>()
  const made = await Promise.all(
    providerNames.map(
      async (id) => [id, await createProvider(id, `${base}/${id}`, redirectUris(id, clients))] as const,
    ),
  )
  for (const [id, { routes }] of made) app.route(`/${id}`, routes)
  const each = <T>(pick: (one: (typeof made)[number][1]) => T) =>
    Object.fromEntries(made.map(([id, one]) => [id, pick(one)])) as Record<ProviderName, T>
  const holders = each((one) => one.holder)
  return {
    app,
    endpoints: each((one) => one.endpoints),
    credentials: each((one) => one.credentials),
    googleHolder: (token) => holders.google(token),
  }
}

function redirectUris(
  id: ProviderName,
  { redirectUri, driveRedirectUri }: { redirectUri: string; driveRedirectUri?: string },
): string[] {
  return id === 'google' && driveRedirectUri ? [redirectUri, driveRedirectUri] : [redirectUri]
}

async function createProvider(id: ProviderName, issuer: string, redirectUris: string[]) {
  const original: Original = originals[id]
  const brand = { id, name: original.name }
  const clientId = `latchkey-${id}`
  /** What the server below checks; with Apple the client never sees it. */
  const secret = randomBytes(24).toString('base64url')
  const apple = id === 'apple' ? await createAppleKey(clientId, issuer) : undefined
  /** Who has signed in, by the subject that the provider gives out. */
  const people = new Map<string, Person>()
  const provider = await createServer(id, issuer, { clientId, secret, redirectUris }, people)
  const mount = new URL(issuer).pathname

  /** Lets the server below answer, which knows nothing of where it is mounted. */
  async function handOver(c: Context<Env>, path: string): Promise<Response> {
    const { incoming, outgoing } = c.env
    incoming.url = path
    Object.assign(incoming, { originalUrl: mount + path })
    await provider.callback()(incoming, outgoing)
    return answered()
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

  /** What the sign-in page shows, and which input it rejected. */
  async function shown(c: Context<Env>, failed?: string) {
    const { params } = await provider.interactionDetails(c.env.incoming, c.env.outgoing)
    const permissions = words(typeof params.scope === 'string' ? params.scope : '').flatMap(
      (scope) => original.explains?.[scope] ?? [],
    )
    return signInPage(brand, {
      action: c.req.path,
      forWhom: 'Latchkey',
      permissions,
      ...(failed !== undefined && { failed }),
    })
  }
  routes.get(`${machinery.interaction}/:uid`, async (c) => c.html(await shown(c), 200, pageHeaders))
  routes.post(`${machinery.interaction}/:uid`, async (c) => {
    const form = await c.req.parseBody()
    const login = readLogin(form.login)
    const denied = form.answer === 'deny'
    if (!denied && login === undefined) {
      const failed = typeof form.login === 'string' ? form.login.slice(0, 100) : ''
      return c.html(await shown(c, failed), 422, pageHeaders)
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
    return answered()
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

  async function holder(text: string): Promise<Holder | undefined> {
    const token = await provider.AccessToken.find(text)
    const person = people.get(token?.accountId ?? '')
    if (!token?.clientId || !person || token.isExpired) return undefined
    const granted = words(token.scope ?? '').filter(
      (scope) => !original.explains?.[scope] || !keepsDrive(person.login),
    )
    return { person, clientId: token.clientId, scopes: new Set(granted) }
  }

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
    holder,
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
