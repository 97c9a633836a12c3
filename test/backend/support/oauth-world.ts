import { createHash, randomBytes } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import type { AppSettings } from '../../../demo/backend/settings/demo-apps.ts'
import { createOAuthProviders, type OAuthProviders } from '../../../demo/world/oauth/oauth.ts'
import type { ProviderName } from '../../../demo/world/oauth/originals.ts'
import { serveOn } from '../../support/serve.ts'
import { type Answer, Client, type ClientOptions } from './client.ts'
import { ProviderBrowser, type Returned } from './provider-browser.ts'
import { apiUrl, type Store, site, startWorld, type World } from './world.ts'

export const everyApp = 'latchkey-test-oauth-every'
export const callback = `${apiUrl}/api/v1/oauth/callback`
/** In another order than the lists of the product have. */
export const all: ProviderName[] = [
  'google',
  'discord',
  'github',
  'linkedin',
  'twitter',
  'spotify',
  'instagram',
  'tiktok',
  'apple',
]

/** The nine providers over HTTP. */
export async function startProviders(redirectUri = callback) {
  const { app, stop } = await serveOn(async (origin) => {
    const providers = await createOAuthProviders({ base: `${origin}/oauth`, clients: { redirectUri } })
    const { fetch } = new Hono<{ Bindings: HttpBindings }>().route('/oauth', providers.app)
    return { providers, fetch }
  }, 'localhost')
  return { ...app.providers, stop }
}
export type Providers = Awaited<ReturnType<typeof startProviders>>

export const oauthApp = (providers: Pick<OAuthProviders, 'credentials'>, more: Partial<AppSettings> = {}) =>
  ({
    id: everyApp,
    name: 'Every Way',
    allowedDomains: ['http://localhost:3000', 'https://app.example'],
    redirectUrls: ['http://localhost:3000/*', 'https://app.example/*'],
    methods: ['email', 'guest', ...all],
    oauth: providers.credentials,
    ...more,
  }) satisfies AppSettings

export interface OAuthWorld extends World {
  providers: Providers
}

/** A backend and the nine providers that it knows. The clock begins now: the providers have their own. */
export async function startOAuthWorld(
  store: Store,
  moreApps: (providers: Providers) => AppSettings[] = () => [],
  settings: Parameters<typeof startWorld>[1] = {},
): Promise<OAuthWorld> {
  const providers = await startProviders()
  const world = await startWorld(store, {
    apps: [oauthApp(providers), ...moreApps(providers)],
    outside: { oauth: providers.endpoints },
    ...settings,
  })
  world.clock.now = Date.now()
  return {
    ...world,
    providers,
    async stop() {
      await world.stop()
      await providers.stop()
    },
  }
}

export interface Begun {
  url: string
  state: string
  verifier: string
}
export interface CameBack {
  status: number
  /** Where the browser is sent; `undefined` for a page of the backend's own. */
  to: URL | undefined
  code: string
  state: string
  provider: string
  text: string
  headers: Headers
}

/** Reads where a callback of a provider sends the browser, and with which fields. */
export function readReturn({ status, text, headers }: Answer): CameBack {
  const location = headers.get('location')
  const to = location ? new URL(location) : undefined
  const field = (name: string) => to?.searchParams.get(`privy_oauth_${name}`) ?? ''
  return {
    status,
    to,
    text,
    headers,
    code: field('code'),
    state: field('state'),
    provider: field('provider'),
  }
}

export const s256 = (text: string) => createHash('sha256').update(text).digest('base64url')
export const random = () => randomBytes(36).toString('base64url')

/** A page that logs in as an unmodified client does: init, the provider, back, authenticate. */
export class OAuthClient extends Client {
  constructor(world: Pick<World, 'backend' | 'mailbox'>, options: ClientOptions = {}) {
    super(world, { appId: everyApp, ...options })
  }

  init(provider: string, more: Record<string, unknown> = {}): Promise<Answer> {
    return this.post('oauth/init', {
      provider,
      redirect_to: `${site}/home?tab=a%20b#top`,
      state_code: random(),
      code_challenge: s256(random()),
      ...more,
    })
  }

  async begin(provider: string, more: Record<string, unknown> = {}): Promise<Begun> {
    const [state, verifier] = [random(), random()]
    const answer = await this.init(provider, { state_code: state, code_challenge: s256(verifier), ...more })
    if (answer.status !== 200) throw new Error(`No start: ${answer.status} ${answer.text}`)
    return { url: answer.body.url, state, verifier }
  }

  /** The provider's answer reaches the backend. */
  async comeBack({ method, url, fields }: Returned): Promise<CameBack> {
    const { pathname, search } = new URL(url)
    const answer = await this.request(
      pathname + search,
      method === 'GET'
        ? { method, headers: {} }
        : {
            method,
            body: fields.toString(),
            headers: { 'content-type': 'application/x-www-form-urlencoded' },
          },
      false,
    )
    return readReturn(answer)
  }

  /** From the provider's page to the app's, with its code. */
  async walk({ url }: Begun, login: string | null): Promise<CameBack> {
    return this.comeBack(await new ProviderBrowser().visit(url, login))
  }

  authenticate(begun: Begun, back: { code: string }, more: Record<string, unknown> = {}): Promise<Answer> {
    return this.post('oauth/authenticate', {
      authorization_code: back.code,
      state_code: begun.state,
      code_verifier: begun.verifier,
      ...more,
    })
  }

  /** A whole login; the token is used from then on. */
  async logInWith(provider: string, login: string, more: Record<string, unknown> = {}): Promise<Answer> {
    const begun = await this.begin(provider)
    const answer = await this.authenticate(begun, await this.walk(begun, login), more)
    if (answer.status === 200) this.token = answer.body.token
    return answer
  }
}

let names = 0
/** An account name that nobody had before. */
export const newName = (prefix = 'person') => `${prefix}${++names}.${randomBytes(3).toString('hex')}`
