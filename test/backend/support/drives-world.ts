import { randomBytes } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import type { AppSettings } from '../../../demo/backend/settings/demo-apps.ts'
import { createGoogleDrive } from '../../../demo/world/drive/drive.ts'
import { createIcloud } from '../../../demo/world/icloud/icloud.ts'
import { createOAuthProviders } from '../../../demo/world/oauth/oauth.ts'
import { serveOn } from '../../support/serve.ts'
import { type Answer, Client, type ClientOptions } from './client.ts'
import { type Begun, type CameBack, callback, readReturn, s256 } from './oauth-world.ts'
import { ProviderBrowser } from './provider-browser.ts'
import { apiUrl, newAddress, type Store, site, startWorld, vaultOrigin, type World } from './world.ts'

export const drivesApp = 'latchkey-test-drives-0001'
/** The same where the vault's window runs the sign-in. */
export const strictDrivesApp = 'latchkey-test-drives-0002'
export const bareApp = 'latchkey-test-nodrive-001'
export const driveCallback = `${apiUrl}/api/v1/recovery/oauth/callback`

/** Google with its drives, and iCloud, over HTTP. */
async function startDrives() {
  const { app, ...server } = await serveOn(async (origin) => {
    const providers = await createOAuthProviders({
      base: `${origin}/oauth`,
      clients: { redirectUri: callback, driveRedirectUri: driveCallback },
    })
    const returnTo = `${vaultOrigin}/embedded-wallets/return`
    const icloud = await createIcloud({ base: `${origin}/icloud`, returnTo })
    const drive = await createGoogleDrive({ holder: providers.googleHolder })
    const { fetch } = new Hono<{ Bindings: HttpBindings }>()
      .route('/oauth', providers.app)
      .route('/drive', drive.app)
      .route('/icloud', icloud.app)
    return { fetch, providers, icloud }
  }, 'localhost')
  const { providers, icloud } = app
  return {
    ...server,
    returning: icloud.returning,
    app: {
      googleDrive: providers.credentials.google,
      icloud: icloud.credentials,
    } satisfies Partial<AppSettings>,
    outside: {
      oauth: { google: providers.endpoints.google },
      googleDriveUrl: `${server.origin}/drive`,
      cloudKitUrl: `${server.origin}/icloud`,
      cloudKitAuthUrl: `${server.origin}/icloud`,
    },
  }
}
export type Drives = Awaited<ReturnType<typeof startDrives>>

export interface DrivesWorld extends World {
  drives: Drives
}

/** A backend and the drives that it knows. The clock begins now: the drives have their own. */
export async function startDrivesWorld(
  store: Store,
  settings: Parameters<typeof startWorld>[1] = {},
): Promise<DrivesWorld> {
  const drives = await startDrives()
  const common = {
    allowedDomains: ['http://localhost:3000', 'https://app.example'],
    redirectUrls: ['http://localhost:3000/*', 'https://app.example/*'],
  }
  const world = await startWorld(store, {
    moreApps: [
      { ...common, ...drives.app, id: drivesApp, name: 'Drives', vault: 'compatible' },
      { ...common, ...drives.app, icloud: drives.returning, id: strictDrivesApp, name: 'Strict Drives' },
      { ...common, id: bareApp, name: 'No Drives', vault: 'compatible' },
    ],
    outside: drives.outside,
    ...settings,
  })
  world.clock.now = Date.now()
  return {
    ...world,
    drives,
    async stop() {
      await world.stop()
      await drives.stop()
    },
  }
}

export const random = () => randomBytes(36).toString('base64url')

/** A page that lets the vault into somebody's drive, as an unmodified client does. */
export class DrivesClient extends Client {
  constructor(world: World, options: ClientOptions = {}) {
    super(world, { appId: drivesApp, ...options })
  }

  async loggedIn(email = newAddress()): Promise<this> {
    const answer = await this.login(email)
    if (answer.status !== 200) throw new Error(`No login: ${answer.status} ${answer.text}`)
    return this
  }

  init(more: Record<string, unknown> = {}): Promise<Answer> {
    return this.post('recovery/oauth/init', {
      redirect_to: `${site}/home?tab=a%20b#top`,
      state_code: random(),
      code_challenge: s256(random()),
      ...more,
    })
  }

  async begin(): Promise<Begun> {
    const [state, verifier] = [random(), random()]
    const answer = await this.init({ state_code: state, code_challenge: s256(verifier) })
    if (answer.status !== 200) throw new Error(`No start: ${answer.status} ${answer.text}`)
    return { url: answer.body.url, state, verifier }
  }

  async comeBack(url: string): Promise<CameBack> {
    const { pathname, search } = new URL(url)
    const answer = await this.request(pathname + search, { method: 'GET', headers: {} }, false)
    return readReturn(answer)
  }

  /** From Google's page to the app's, with its code. */
  async walk({ url }: Begun, login: string | null): Promise<CameBack> {
    return this.comeBack((await new ProviderBrowser().visit(url, login)).url)
  }

  authenticate(begun: Begun, back: { code: string }, more: Record<string, unknown> = {}): Promise<Answer> {
    return this.post('recovery/oauth/authenticate', {
      authorization_code: back.code,
      state_code: begun.state,
      code_verifier: begun.verifier,
      provider: 'google-drive',
      ...more,
    })
  }
}
