import { randomBytes } from 'node:crypto'
import type { Database, Transaction } from '../../store/open.ts'
import { type OAuthProvider, oauthProviders } from '../accounts.ts'
import type { Proof } from '../admissions.ts'
import type { App, Apps } from '../app-settings.ts'
import { emailListed } from '../email-address.ts'
import type { RateLimits } from '../limits.ts'
import type { OneTime } from '../one-time.ts'
import type { Outside } from '../outside.ts'
import { Refusal, type RefusalCode } from '../refusal.ts'
import type { Sessions } from '../sessions.ts'
import { type CrossApp, type PendingCrossApp, s256 } from './cross-app.ts'
import type { Exchange, ProviderTokens } from './exchange.ts'
import { accountSuspended, ProviderFailure, reasonOf } from './failure.ts'
import { type Provider, readProvider } from './providers.ts'
import { mayReturnTo, withParameters } from './return-address.ts'

/** Where somebody logs in: at a social provider, or at another app, by its id. */
export type Place = OAuthProvider | { app: string }

/** Why a login ends without anybody being known. */
export type Ending = 'denied' | 'failed'
/** Where the browser goes after the provider, and what it brings there. */
export interface Return {
  to: string
  place: Place
  /** The client's own state. */
  state: string
  answer: { code: string } | Ending
  /** `false`: the provider left a fragment in the address bar. */
  keepFragment: boolean
}
export interface Proved {
  proof: Proof
  place: Place
  /** Where the app's settings hand them to its page. */
  tokens?: ProviderTokens | undefined
}

export interface OAuthLogin {
  /** The address of the provider's sign-in page. @throws Refusal */
  begin(
    app: App,
    asked: {
      place: Place
      redirectTo: string
      state?: string | null | undefined
      challenge?: string | null | undefined
    },
  ): Promise<string>
  /** Judges what a provider sends back. `undefined`: no login waits for it, so there is nowhere to go. */
  comeBack(fields: URLSearchParams): Promise<Return | undefined>
  /** The question that another app's user is asked, while it is open. */
  pending(state: string): Promise<PendingCrossApp | undefined>
  /**
   * What judges the code that the client brings, for the transaction that lets its owner in.
   * @param purpose an allowlist keeps people out, and not their further accounts
   */
  prove(
    app: App,
    given: { code: string; state: string; verifier: string; place?: Place | undefined },
    purpose: 'login' | 'link',
  ): (tx: Transaction) => Promise<Proved | { refused: Refusal }>
}

interface Pending {
  appId: string
  place: Place
  redirectTo: string
  challenge: string
  clientState: string
  /** Between this backend and the provider. */
  verifier?: string
  nonce?: string
  crossApp?: PendingCrossApp
}
type Known = { proof: Pick<Proof, 'type' | 'subject' | 'details' | 'displayName'>; email: string | null }
interface Finished {
  place: Place
  challenge: string
  clientState: string
  outcome:
    | (Known & { tokens?: ProviderTokens | undefined })
    | { refused: { code: RefusalCode; text: string } }
}

const newSecret = () => randomBytes(36).toString('base64url')
const samePlace = (one: Place, other: Place) => JSON.stringify(one) === JSON.stringify(other)
/** What the nine call it when the person says no. */
const denials = ['access_denied', 'user_denied', 'user_cancelled_login', 'user_cancelled_authorize']

/** Login with OAuth: this backend between the app's page and the provider. Wire 2.4 and 6.1, security T6. */
export function createOAuthLogin(deps: {
  database: Database
  apps: Apps
  oneTime: OneTime
  sessions: Sessions
  exchange: Exchange
  crossApp: CrossApp
  outside: Outside
  limits: RateLimits
  /** The one address of this API to which providers send people back. */
  callbackUrl: string
  log: (line: string) => void
}): OAuthLogin {
  const { database, apps, oneTime, sessions, exchange, crossApp, outside, limits, callbackUrl, log } = deps
  const readPlace = (id: OAuthProvider) => readProvider(id, outside.oauth[id])
  /** An app's states are told apart by what is kept under them: the provider brings no app id. */
  const stateKey = (value: string) => ({ kind: 'oauth-state', appId: '', value })
  const codeKey = (appId: string, value: string) => ({ kind: 'oauth-code', appId, value })
  const usedKey = (appId: string, value: string) => ({ kind: 'oauth-code-used', appId, value })

  function clientOf(app: App, id: OAuthProvider) {
    const client = app.oauth[id]
    if (client) return client
    const { name } = readPlace(id)
    throw new Refusal('disallowed_login_method', `Login with ${name} is not set up for this app.`)
  }

  function authorizeUrl(app: App, provider: Provider, state: string, { verifier, nonce }: Pending): string {
    const { clientId, scopes = provider.scopes } = clientOf(app, provider.id)
    return withParameters(provider.authorize, {
      response_type: 'code',
      [provider.clientIdName ?? 'client_id']: clientId,
      redirect_uri: callbackUrl,
      scope: scopes.join(provider.scopeSeparator ?? ' '),
      state,
      ...(verifier !== undefined && { code_challenge: s256(verifier), code_challenge_method: 'S256' }),
      ...(nonce !== undefined && { nonce }),
      ...provider.authorizeWith,
    })
  }

  const begin: OAuthLogin['begin'] = async (app, { place, redirectTo, state: clientState, challenge }) => {
    if (!mayReturnTo(app, redirectTo))
      throw new Refusal('invalid_data', 'The address to return to is not allowed for this app.')
    // S256 only, and never without: a code that leaks on its way back is worth nothing to whoever finds it.
    if (!challenge || !/^[\w-]{43}$/.test(challenge))
      throw new Refusal('invalid_pkce_parameters', 'A code challenge (S256) is needed.')
    if (clientState && !/^[\x21-\x7e]{1,512}$/.test(clientState))
      throw new Refusal('invalid_data', 'Invalid or missing: state_code')
    const state = newSecret()
    const common = { appId: app.id, place, redirectTo, challenge, clientState: clientState || newSecret() }
    let pending: Pending
    let url: string
    if (typeof place === 'object') {
      const { id: providerApp } = crossApp.provider(app, place.app)
      const question = { providerApp, requester: app.id, challenge: s256(newSecret()) }
      pending = { ...common, crossApp: question }
      url = crossApp.authorizeUrl(question, state, callbackUrl)
    } else {
      const provider = readPlace(place)
      pending = {
        ...common,
        ...(provider.pkce && { verifier: newSecret() }),
        ...(provider.nonce && { nonce: newSecret() }),
      }
      url = authorizeUrl(app, provider, state, pending)
    }
    await oneTime.put(database, { ...stateKey(state), data: pending, life: limits.oauthStateLife })
    return url
  }

  /** Who came back, by the provider's word. */
  async function ask(
    app: App,
    pending: Pending,
    fields: URLSearchParams,
  ): Promise<Finished['outcome'] | Ending> {
    const { place, verifier, nonce } = pending
    const code = single(fields, 'code')
    const error = single(fields, 'error')
    if (pending.crossApp) {
      if (error) return denials.includes(error) ? 'denied' : 'failed'
      const granted = code && (await crossApp.collect(pending.crossApp, code))
      if (!granted) return 'failed'
      const { details, tokens } = granted
      const subject = `${details.providerAppId}:${details.userId}`
      return { proof: { type: 'cross-app', subject, details, displayName: null }, email: null, tokens }
    }
    if (typeof place === 'object') return 'failed'
    const provider = readPlace(place)
    checkSender(provider, fields.get('iss'))
    if (error && /suspend/i.test(`${error} ${fields.get('error_description')}`))
      throw accountSuspended(provider)
    if (error && denials.includes(error)) return 'denied'
    if (error || !code) throw new ProviderFailure(provider, 'refused', 'at its sign-in page')
    const client = clientOf(app, place)
    const { profile, tokens } = await exchange(provider, client, { code, verifier, nonce, callbackUrl })
    const { subject, details, displayName, verifiedEmail } = profile
    return {
      proof: { type: place, subject, details, displayName },
      email: verifiedEmail,
      ...(client.returnTokens && { tokens }),
    }
  }

  /** RFC 9207: an answer that names its sender must not come from another provider than the one that was asked. */
  function checkSender(provider: Provider, iss: string | null): void {
    if (iss === null) return
    const { issuer } = provider
    const wrong = issuer ? iss !== issuer : oauthProviders.some((id) => readPlace(id).issuer === iss)
    if (wrong) throw new ProviderFailure(provider, 'wrong sender')
  }

  const comeBack: OAuthLogin['comeBack'] = async (fields) => {
    const state = single(fields, 'state')
    if (!state) return undefined
    // Used up first: of any number who bring one state, one is listened to.
    const pending = (await oneTime.take(database, stateKey(state))) as Pending | undefined
    const app = pending && apps.find(pending.appId)
    if (!pending || !app) return undefined
    const { place, redirectTo: to, clientState, challenge } = pending
    const keepFragment = typeof place === 'object' || !readPlace(place).leavesFragment
    const back = (answer: Return['answer']): Return => ({
      to,
      place,
      state: clientState,
      answer,
      keepFragment,
    })

    let outcome: Finished['outcome'] | Ending
    try {
      outcome = await ask(app, pending, fields)
    } catch (cause) {
      if (cause instanceof Refusal) outcome = { refused: { code: cause.code, text: cause.message } }
      else {
        log(`${cause instanceof ProviderFailure ? cause.message : 'OAuth failed'}${reasonOf(cause)}`)
        outcome = 'failed'
      }
    }
    if (typeof outcome === 'string') return back(outcome)
    const code = newSecret()
    const data: Finished = { place, challenge, clientState, outcome }
    await oneTime.put(database, { ...codeKey(app.id, code), data, life: limits.oauthCodeLife })
    return back({ code })
  }

  const prove: OAuthLogin['prove'] =
    (app, { code, state, verifier, place }, purpose) =>
    async (tx) => {
      const refused = (refusal: Refusal) => ({ refused: refusal })
      const finished = (await oneTime.take(tx, codeKey(app.id, code))) as Finished | undefined
      if (!finished) {
        // Whoever brings a used code may be the thief or the owner: what it opened is closed (ASVS 10.4.2).
        const used = (await oneTime.peek(tx, usedKey(app.id, code))) as { sessionId: string } | undefined
        if (used) await sessions.endReused(tx, used.sessionId)
        return refused(badCode())
      }
      const { outcome } = finished
      if (state !== finished.clientState)
        return refused(new Refusal('oauth_state_mismatch', 'This answer belongs to another login.'))
      if (s256(verifier) !== finished.challenge)
        return refused(new Refusal('invalid_pkce_parameters', 'The code verifier is not right.'))
      // Another app's account is taken only by who says that it wants one of that app.
      if (place ? !samePlace(place, finished.place) : typeof finished.place === 'object')
        return refused(badCode())
      if (typeof finished.place === 'string' && !app.methods.includes(finished.place))
        return refused(new Refusal('disallowed_login_method', 'This login is not switched on for this app.'))
      if ('refused' in outcome) return refused(new Refusal(outcome.refused.code, outcome.refused.text))
      const listed = outcome.email !== null && emailListed(outcome.email, app.allowlist?.emails ?? [])
      if (purpose === 'login' && app.allowlist && !listed)
        return refused(new Refusal('allowlist_rejected', 'This user may not log in to this app.'))
      return {
        place: finished.place,
        tokens: outcome.tokens,
        proof: {
          ...(outcome.proof as Proof),
          async opened(transaction, sessionId) {
            const used = { ...usedKey(app.id, code), data: { sessionId }, life: limits.oauthStateLife }
            await oneTime.put(transaction, used)
          },
        },
      }
    }

  return {
    begin,
    comeBack,
    prove,
    async pending(state) {
      return ((await oneTime.peek(database, stateKey(state))) as Pending | undefined)?.crossApp
    },
  }
}

export const badCode = () =>
  new Refusal('invalid_credentials', 'This login is not valid any more.', { status: 401 })

/** A field that is there exactly once: of two, nobody can say which one others have looked at. */
export function single(fields: URLSearchParams, name: string): string | undefined {
  const values = fields.getAll(name)
  return values.length === 1 && values[0] ? values[0] : undefined
}
