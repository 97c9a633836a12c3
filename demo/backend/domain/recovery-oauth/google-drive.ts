import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import type { Database } from '../../store/open.ts'
import type { App, Apps } from '../app-settings.ts'
import type { RateLimits } from '../limits.ts'
import { s256 } from '../oauth/cross-app.ts'
import { badCode, single } from '../oauth/oauth.ts'
import { readProvider } from '../oauth/providers.ts'
import { mayReturnTo, withParameters } from '../oauth/return-address.ts'
import type { OneTime } from '../one-time.ts'
import type { Outside } from '../outside.ts'
import { askOutside } from '../outside-json.ts'
import { Refusal } from '../refusal.ts'
import type { Bearer } from '../tokens.ts'

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
  comeBack(fields: URLSearchParams): Promise<DriveReturn | undefined>
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
const tokenAnswer = v.object({
  access_token: v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,16384}$/)),
  scope: v.string(),
})

export function createGoogleDriveAccess(deps: {
  database: Database
  apps: Apps
  oneTime: OneTime
  outside: Outside
  limits: RateLimits
  /** The one address of this API to which Google sends people back. */
  callbackUrl: string
  log: (line: string) => void
}): GoogleDriveAccess {
  const { database, apps, oneTime, outside, limits, callbackUrl, log } = deps
  const google = () => readProvider('google', outside.oauth.google)
  const stateKey = (value: string) => ({ kind: 'recovery-oauth-state', appId: '', value })
  const codeKey = (appId: string, value: string) => ({ kind: 'recovery-oauth-code', appId, value })

  function clientOf({ googleDrive }: App) {
    if (googleDrive) return googleDrive
    throw new Refusal('feature_not_enabled', 'Google Drive is not set up for this app.')
  }

  const begin: GoogleDriveAccess['begin'] = async (app, { userId }, asked) => {
    const { redirectTo, state: clientState, challenge } = asked
    const { clientId } = clientOf(app)
    if (!mayReturnTo(app, redirectTo))
      throw new Refusal('invalid_data', 'The address to return to is not allowed for this app.')
    if (!challenge || !/^[\w-]{43}$/.test(challenge))
      throw new Refusal('invalid_pkce_parameters', 'A code challenge (S256) is needed.')
    if (clientState && !/^[\x21-\x7e]{1,512}$/.test(clientState))
      throw new Refusal('invalid_data', 'Invalid or missing: state_code')
    const [state, verifier] = [newSecret(), newSecret()]
    const data: Pending = {
      ...{ appId: app.id, userId, redirectTo, challenge, verifier },
      clientState: clientState || newSecret(),
    }
    await oneTime.put(database, { ...stateKey(state), data, life: limits.oauthStateLife })
    return withParameters(google().authorize, {
      ...{ response_type: 'code', client_id: clientId, redirect_uri: callbackUrl, scope: SCOPE, state },
      ...{ code_challenge: s256(verifier), code_challenge_method: 'S256' },
      // The token is used at once, and nothing may be left that works without the person.
      ...{ access_type: 'online', prompt: 'select_account' },
    })
  }

  /** The access token for Google's code; `denied` where it opens no drive. @throws Error without a token */
  async function exchange(app: App, code: string, verifier: string): Promise<string | 'denied'> {
    const { clientId, clientSecret } = clientOf(app)
    const form = new URLSearchParams({
      ...{ grant_type: 'authorization_code', code, redirect_uri: callbackUrl, code_verifier: verifier },
      ...{ client_id: clientId, client_secret: clientSecret },
    })
    const { status, body } = await askOutside('Google', google().token, {
      ...{ form, timeout: limits.outsideTimeout, most: limits.outsideAnswerSize },
    })
    const answer = v.safeParse(tokenAnswer, body)
    if (status !== 200 || !answer.success) throw new Error(`Google did not take the code (${status})`)
    // People may sign in and yet keep their drive to themselves.
    const scopes = answer.output.scope.split(' ')
    return scopes.includes(SCOPE) ? answer.output.access_token : 'denied'
  }

  const comeBack: GoogleDriveAccess['comeBack'] = async (fields) => {
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
    comeBack,
    async collect(app, { userId }, { code, state, verifier }) {
      // Used up first, whatever comes of it: whoever guesses at the rest has one guess.
      const granted = (await oneTime.take(database, codeKey(app.id, code))) as Granted | undefined
      if (granted?.userId !== userId) throw badCode()
      if (state !== granted.clientState)
        throw new Refusal('oauth_state_mismatch', 'This answer belongs to another window.')
      if (s256(verifier) !== granted.challenge)
        throw new Refusal('invalid_pkce_parameters', 'The code verifier is not right.')
      return granted.accessToken
    },
  }
}
