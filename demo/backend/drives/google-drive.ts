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
  /** The address of Google's consent page. @throws Refusal */
  begin(
    app: App,
    bearer: Bearer,
    asked: { redirectTo: string; state?: string | null | undefined; challenge?: string | null | undefined },
  ): Promise<string>
  /** Judges what Google sends back. `undefined`: nobody waits for it, so there is nowhere to go. */
  handleCallback(fields: URLSearchParams): Promise<DriveReturn | undefined>
  /** Makes the code that the client brings into the drive's access token, once. @throws Refusal */
  collect(app: App, bearer: Bearer, given: { code: string; state: string; verifier: string }): Promise<string>
}

interface Pending {
  appId: string
  userId: string
  redirectTo: string
  challenge: string
  clientState: string
  /** Between this backend and Google. */
  verifier: string
}
type Granted = Pick<Pending, 'userId' | 'challenge' | 'clientState'> & { accessToken: string }

const newSecret = () => randomBytes(36).toString('base64url')

/** Access to people's Google Drive; nothing is kept once the vault has its token. */
export function createGoogleDriveAccess(deps: {
  database: Database
  apps: Apps
  oneTime: OneTime
  outside: Outside
  limits: Limits
  clock: () => number
  /** The one address of this API to which Google sends people back. */
  callbackUrl: string
  log: (line: string) => void
}): GoogleDriveAccess {
  const { database, apps, oneTime, outside, limits, clock, callbackUrl, log } = deps
  const google = () => readProvider('google', outside.oauth.google)
  const stateKey = (value: string) => ({ kind: 'recovery-oauth-state', appId: '', value })
  const codeKey = (appId: string, value: string) => ({ kind: 'recovery-oauth-code', appId, value })

  function clientOf({ googleDrive }: App) {
    if (googleDrive) return googleDrive
    throw new Refusal('feature_not_enabled', 'Google Drive is not set up for this app.')
  }

  const begin: GoogleDriveAccess['begin'] = async (app, { userId }, asked) => {
    const { clientId } = clientOf(app)
    const { clientState, ...back } = requireWayBack(app, asked)
    const [state, verifier] = [newSecret(), newSecret()]
    const data: Pending = {
      appId: app.id,
      userId,
      ...back,
      verifier,
      clientState: clientState ?? newSecret(),
    }
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
    const { redirectTo: to, clientState, challenge, userId, verifier } = pending
    const back = (answer: DriveReturn['answer']): DriveReturn => ({ to, state: clientState, answer })
    const [code, error, iss] = [single(fields, 'code'), single(fields, 'error'), fields.get('iss')]
    // RFC 9207: the answer must not come from another provider.
    if (iss !== null && iss !== google().issuer) return back('failed')
    if (error === 'access_denied') return back('denied')
    if (error || !code) return back('failed')
    try {
      const accessToken = await exchange(app, code, verifier)
      if (accessToken === 'denied') return back('denied')
      const own = newSecret()
      const data: Granted = { userId, challenge, clientState, accessToken }
      await oneTime.put(database, { ...codeKey(app.id, own), data, life: limits.oauthCodeLife })
      return back({ code: own })
    } catch (cause) {
      log(`Google Drive: ${cause instanceof Error ? cause.message : 'failed'}`)
      return back('failed')
    }
  }

  return {
    begin,
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
