import { randomBytes } from 'node:crypto'
import { s256 } from '../lib/pkce.ts'
import { Refusal } from '../lib/refusal.ts'
import { ProviderFailure } from '../login/oauth/failure.ts'
import { readProvider } from '../login/oauth/providers.ts'
import { requestTokens } from '../login/oauth/tokens.ts'
import { badCode, requireWayBack, single, withParameters } from '../login/return-address.ts'
import type { Bearer } from '../sessions/tokens.ts'
import type { App, Apps } from '../settings/app.ts'
import type { Limits } from '../settings/limits.ts'
import type { Outside } from '../settings/outside.ts'
import type { Database } from '../store/database.ts'
import type { OneTime } from '../store/one-time.ts'
import { returnAddress } from '../visits/return-address.ts'
import type { Visits } from '../visits/visits.ts'

/** A hidden folder of the app's own, and nothing else of a person's drive. */
const SCOPE = 'https://www.googleapis.com/auth/drive.appdata'

/** Where the browser goes after Google, and what it brings there. */
export interface DriveReturn {
  to: string
  /** The client's own state. */
  state: string
  answer: { code: string } | 'denied' | 'failed'
}

/** Lets the vault into the drive of somebody who is logged in: this backend between the app's page and Google. */
export interface GoogleDriveAccess {
  /** The address of Google's consent page for a visit of the vault's window. @throws Refusal */
  beginVisit(app: App, visitState: string): Promise<string>
  /** The address of Google's consent page. @throws Refusal */
  begin(
    app: App,
    bearer: Bearer,
    asked: { redirectTo: string; state?: string | null | undefined; challenge?: string | null | undefined },
  ): Promise<string>
  /**
   * Judges what Google sends back. A visit's answer goes to a page of the vault, at the given address. `undefined`: nobody waits
   * for it, so there is nowhere to go.
   */
  handleCallback(fields: URLSearchParams): Promise<DriveReturn | { vaultPage: string } | undefined>
  /** Makes the code that the client brings into the drive's access token, once. @throws Refusal */
  collect(app: App, bearer: Bearer, given: { code: string; state: string; verifier: string }): Promise<string>
}

interface GoogleRequest {
  appId: string
  /** Between this backend and Google. */
  verifier: string
}
interface PagePending extends GoogleRequest {
  userId: string
  redirectTo: string
  challenge: string
  clientState: string
}
type Pending = PagePending | (GoogleRequest & { visit: string })
type Granted = Pick<PagePending, 'userId' | 'challenge' | 'clientState'> & { accessToken: string }

const newSecret = () => randomBytes(36).toString('base64url')

/** Access to people's Google Drive; nothing is kept once the vault has its token. */
export function createGoogleDriveAccess(deps: {
  database: Database
  apps: Apps
  oneTime: OneTime
  visits: Visits
  outside: Outside
  limits: Limits
  clock: () => number
  /** The one address of this API to which Google sends people back. */
  callbackUrl: string
  log: (line: string) => void
}): GoogleDriveAccess {
  const { database, apps, oneTime, visits, outside, limits, clock, callbackUrl, log } = deps
  const google = () => readProvider('google', outside.oauth.google)
  const stateKey = (value: string) => ({ kind: 'recovery-oauth-state', appId: '', value })
  const codeKey = (appId: string, value: string) => ({ kind: 'recovery-oauth-code', appId, value })

  function clientOf({ googleDrive }: App) {
    if (googleDrive) return googleDrive
    throw new Refusal('feature_not_enabled', 'Google Drive is not set up for this app.')
  }

  /** Sends a browser to Google, and keeps what belongs to its return. */
  async function ask(app: App, request: (verifier: string) => Pending): Promise<string> {
    const { clientId } = clientOf(app)
    const [state, verifier] = [newSecret(), newSecret()]
    const data = request(verifier)
    await oneTime.put(database, { ...stateKey(state), data, life: limits.oauthStateLife })
    return withParameters(google().authorize, {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: callbackUrl,
      scope: SCOPE,
      state,
      code_challenge: s256(verifier),
      code_challenge_method: 'S256',
      // The token is used at once, and nothing may be left that works without the person.
      access_type: 'online',
      prompt: 'select_account',
    })
  }

  const begin: GoogleDriveAccess['begin'] = async (app, { userId }, asked) => {
    clientOf(app)
    const { clientState, ...back } = requireWayBack(app, asked)
    const known = { appId: app.id, userId, ...back, clientState: clientState ?? newSecret() }
    return ask(app, (verifier) => ({ ...known, verifier }))
  }

  /** The access token for Google's code; `denied` where it opens no drive. @throws Error without a token */
  async function exchange(app: App, code: string, verifier: string): Promise<string | 'denied'> {
    const grant = { code, verifier, callbackUrl }
    const { tokens } = await requestTokens(google(), clientOf(app), grant, { limits, clock }).catch(
      (cause: unknown) => {
        if (!(cause instanceof ProviderFailure) || cause.kind !== 'refused') throw cause
        throw new Error(`Google did not accept the code (${cause.detail})`, { cause })
      },
    )
    // People may sign in and yet keep their drive to themselves.
    return tokens.scopes?.includes(SCOPE) ? tokens.accessToken : 'denied'
  }

  const handleCallback: GoogleDriveAccess['handleCallback'] = async (fields) => {
    const state = single(fields, 'state')
    if (!state) return undefined
    const pending = (await oneTime.take(database, stateKey(state))) as Pending | undefined
    const app = pending && apps.find(pending.appId)
    if (!pending || !app) return undefined
    const granted = await judge(app, pending.verifier, fields)
    if ('visit' in pending) return answerVisit(pending.visit, granted)
    const { redirectTo: to, clientState, challenge, userId } = pending
    const back = (answer: DriveReturn['answer']): DriveReturn => ({ to, state: clientState, answer })
    if (typeof granted === 'string') return back(granted)
    const code = newSecret()
    const data: Granted = { userId, challenge, clientState, ...granted }
    await oneTime.put(database, { ...codeKey(app.id, code), data, life: limits.oauthCodeLife })
    return back({ code })
  }

  /** The token that Google gives for its answer, or how the question ended without one. */
  async function judge(
    app: App,
    verifier: string,
    fields: URLSearchParams,
  ): Promise<{ accessToken: string } | 'denied' | 'failed'> {
    const [code, error, iss] = [single(fields, 'code'), single(fields, 'error'), fields.get('iss')]
    // RFC 9207: the answer must not come from another provider.
    if (iss !== null && iss !== google().issuer) return 'failed'
    if (error === 'access_denied') return 'denied'
    if (error || !code) return 'failed'
    try {
      const accessToken = await exchange(app, code, verifier)
      return accessToken === 'denied' ? accessToken : { accessToken }
    } catch (cause) {
      log(`Google Drive: ${cause instanceof Error ? cause.message : 'failed'}`)
      return 'failed'
    }
  }

  async function answerVisit(
    state: string,
    granted: Awaited<ReturnType<typeof judge>>,
  ): Promise<{ vaultPage: string } | undefined> {
    const visit = await visits.find(state)
    if (!visit) return undefined
    if (typeof granted === 'string') return { vaultPage: returnAddress(visit, { state, ended: granted }) }
    const code = await visits.answer(state, visit, { driveToken: granted.accessToken })
    return { vaultPage: returnAddress(visit, { state, code }) }
  }

  return {
    begin,
    beginVisit: (app, visit) => ask(app, (verifier) => ({ appId: app.id, visit, verifier })),
    handleCallback,
    async collect(app, { userId }, { code, state, verifier }) {
      // Used up first, so that there is only one guess at the rest.
      const granted = (await oneTime.take(database, codeKey(app.id, code))) as Granted | undefined
      if (granted?.userId !== userId) throw badCode()
      if (state !== granted.clientState)
        throw new Refusal('oauth_state_mismatch', 'This answer belongs to another window.')
      if (s256(verifier) !== granted.challenge)
        throw new Refusal('invalid_pkce_parameters', 'The code verifier is wrong.')
      return granted.accessToken
    },
  }
}
