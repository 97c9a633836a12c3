import { randomBytes } from 'node:crypto'
import type { Proof } from '../../accounts/accounts.ts'
import { emailListed } from '../../lib/email-address.ts'
import { s256 } from '../../lib/pkce.ts'
import { Refusal, type RefusalCode } from '../../lib/refusal.ts'
import type { Sessions } from '../../sessions/sessions.ts'
import type { App, Apps } from '../../settings/app.ts'
import type { Limits } from '../../settings/limits.ts'
import { type OAuthProvider, oauthProviders } from '../../settings/names.ts'
import type { Outside } from '../../settings/outside.ts'
import type { Database, Transaction } from '../../store/database.ts'
import type { OneTime } from '../../store/one-time.ts'
import { returnAddress } from '../../visits/return-address.ts'
import type { VisitOutcome, Visits } from '../../visits/visits.ts'
import type { CrossApp } from '../cross-app/cross-app.ts'
import { badCode, requireWayBack, single, withParameters } from '../return-address.ts'
import type { Exchange } from './exchange.ts'
import { accountSuspended, ProviderFailure, reasonOf } from './failure.ts'
import { type Provider, readProvider } from './providers.ts'
import type { ProviderTokens } from './tokens.ts'

/** Where somebody logs in: at a social provider, or at another app, by its id. */
export type LoginSource = OAuthProvider | { app: string }

/** Why a login ends without anybody being known. */
export type Ending = 'denied' | 'failed'
/** Where the browser goes after the provider, and what it brings there. */
export interface Return {
  to: string
  source: LoginSource
  /** The client's own state. */
  state: string
  answer: { code: string } | Ending
  /** `false`: the provider left a fragment in the address bar. */
  keepFragment: boolean
}
export interface Proved {
  proof: Proof
  source: LoginSource
  /** Where the app's settings hand them to its page. */
  tokens?: ProviderTokens | undefined
}

export interface OAuthLogin {
  /**
   * The address of the provider's sign-in page for a visit of the vault's window, where the user has to act even with a session at
   * the provider. @throws Refusal
   */
  beginVisit(app: App, source: OAuthProvider, visitState: string): Promise<string>
  /** The address of the provider's sign-in page. @throws Refusal */
  begin(
    app: App,
    asked: {
      source: LoginSource
      redirectTo: string
      state?: string | null | undefined
      challenge?: string | null | undefined
    },
  ): Promise<string>
  /**
   * Judges what a provider sends back. A visit's answer goes to a page of the vault, at the given address. `undefined`: no login
   * waits for it, so there is nowhere to go.
   */
  handleCallback(fields: URLSearchParams): Promise<Return | { vaultPage: string } | undefined>
  /**
   * What judges the code that the client brings, for the transaction that lets its owner in.
   * @param purpose an allowlist keeps people out, and not their further accounts
   */
  prove(
    app: App,
    given: { code: string; state: string; verifier: string; source?: LoginSource | undefined },
    purpose: 'login' | 'link',
  ): (tx: Transaction) => Promise<Proved | { refused: Refusal }>
}

interface ProviderRequest {
  appId: string
  source: LoginSource
  /** Between this backend and the provider. */
  verifier?: string
  nonce?: string
}
interface PagePending extends ProviderRequest {
  redirectTo: string
  challenge: string
  clientState: string
}
interface VisitPending extends ProviderRequest {
  visit: string
}
type Pending = PagePending | VisitPending
type Known = { proof: Pick<Proof, 'type' | 'subject' | 'details' | 'displayName'>; email: string | null }
interface Finished {
  source: LoginSource
  challenge: string
  clientState: string
  outcome:
    | (Known & { tokens?: ProviderTokens | undefined })
    | { refused: { code: RefusalCode; text: string } }
}

const newSecret = () => randomBytes(36).toString('base64url')
const sameSource = (one: LoginSource, other: LoginSource) => JSON.stringify(one) === JSON.stringify(other)
/** What the providers call it when the person says no. */
const denials = ['access_denied', 'user_denied', 'user_cancelled_login', 'user_cancelled_authorize']

/** Login with OAuth: this backend between the app's page and the provider. */
export function createOAuthLogin(deps: {
  database: Database
  apps: Apps
  oneTime: OneTime
  sessions: Sessions
  exchange: Exchange
  crossApp: CrossApp
  visits: Visits
  outside: Outside
  limits: Limits
  /** The one address of this API to which providers send people back. */
  callbackUrl: string
  log: (line: string) => void
}): OAuthLogin {
  const { database, apps, oneTime, sessions, exchange, crossApp, visits, outside } = deps
  const { limits, callbackUrl, log } = deps
  const providerOf = (id: OAuthProvider) => readProvider(id, outside.oauth[id])
  /** An app's states are told apart by what is kept under them: the provider brings no app id. */
  const stateKey = (value: string) => ({ kind: 'oauth-state', appId: '', value })
  const codeKey = (appId: string, value: string) => ({ kind: 'oauth-code', appId, value })
  const usedKey = (appId: string, value: string) => ({ kind: 'oauth-code-used', appId, value })

  function clientOf(app: App, id: OAuthProvider) {
    const client = app.oauth[id]
    if (client) return client
    const { name } = providerOf(id)
    throw new Refusal('disallowed_login_method', `Login with ${name} is not set up for this app.`)
  }

  function authorizeUrl(
    app: App,
    provider: Provider,
    state: string,
    { verifier, nonce }: Pick<Pending, 'verifier' | 'nonce'>,
    more: Provider['authorizeWith'],
  ): string {
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
      ...more,
    })
  }

  const newSecrets = ({ pkce, nonce }: Provider) => ({
    ...(pkce && { verifier: newSecret() }),
    ...(nonce && { nonce: newSecret() }),
  })
  const store = (state: string, data: Pending) =>
    oneTime.put(database, { ...stateKey(state), data, life: limits.oauthStateLife })

  const beginVisit: OAuthLogin['beginVisit'] = async (app, source, visit) => {
    const provider = providerOf(source)
    const state = newSecret()
    const secrets = newSecrets(provider)
    const url = authorizeUrl(app, provider, state, secrets, provider.freshWith)
    await store(state, { appId: app.id, source, visit, ...secrets })
    return url
  }

  const begin: OAuthLogin['begin'] = async (app, { source, ...asked }) => {
    const { clientState, ...back } = requireWayBack(app, asked)
    const state = newSecret()
    const common = { appId: app.id, source, ...back, clientState: clientState ?? newSecret() }
    let pending: PagePending = common
    let url: string
    if (typeof source === 'object') url = await crossApp.ask(app, source.app, state)
    else {
      const provider = providerOf(source)
      pending = { ...common, ...newSecrets(provider) }
      url = authorizeUrl(app, provider, state, pending, {})
    }
    await store(state, pending)
    return url
  }

  /** Who came back, by the provider's word. */
  async function ask(
    app: App,
    state: string,
    pending: Pending,
    fields: URLSearchParams,
  ): Promise<Finished['outcome'] | Ending> {
    const { source, verifier, nonce } = pending
    const code = single(fields, 'code')
    const error = single(fields, 'error')
    if (typeof source === 'object') {
      const granted = await crossApp.collect(state, error ? undefined : code)
      if (error) return denials.includes(error) ? 'denied' : 'failed'
      if (!granted) return 'failed'
      const { details, tokens } = granted
      const subject = `${details.providerAppId}:${details.userId}`
      return { proof: { type: 'cross-app', subject, details, displayName: null }, email: null, tokens }
    }
    const provider = providerOf(source)
    checkSender(provider, fields.get('iss'))
    if (error && /suspend/i.test(`${error} ${fields.get('error_description')}`))
      throw accountSuspended(provider)
    if (error && denials.includes(error)) return 'denied'
    if (error || !code) throw new ProviderFailure(provider, 'refused', 'at its sign-in page')
    const client = clientOf(app, source)
    const { profile, tokens } = await exchange(provider, client, { code, verifier, nonce, callbackUrl })
    const { subject, details, displayName, verifiedEmail } = profile
    return {
      proof: { type: source, subject, details, displayName },
      email: verifiedEmail,
      ...(client.returnTokens && { tokens }),
    }
  }

  /** RFC 9207: an answer that names its sender must not come from another provider than the one that was asked. */
  function checkSender(provider: Provider, iss: string | null): void {
    if (iss === null) return
    const { issuer } = provider
    const wrong = issuer ? iss !== issuer : oauthProviders.some((id) => providerOf(id).issuer === iss)
    if (wrong) throw new ProviderFailure(provider, 'wrong sender')
  }

  /** The same, with every failure as an outcome. */
  async function judge(...asked: Parameters<typeof ask>): Promise<Finished['outcome'] | Ending> {
    try {
      return await ask(...asked)
    } catch (cause) {
      if (cause instanceof Refusal) return { refused: { code: cause.code, text: cause.message } }
      log(`${cause instanceof ProviderFailure ? cause.message : 'OAuth failed'}${reasonOf(cause)}`)
      return 'failed'
    }
  }

  /** Sends the browser back to the vault. The provider's tokens are dropped here. */
  async function answerVisit(
    app: App,
    state: string,
    pending: VisitPending,
    fields: URLSearchParams,
  ): Promise<{ vaultPage: string } | undefined> {
    const visit = await visits.find(pending.visit)
    if (!visit) return undefined
    const outcome = await judge(app, state, pending, fields)
    const back = { state: pending.visit }
    if (typeof outcome === 'string') return { vaultPage: returnAddress(visit, { ...back, ended: outcome }) }
    const answer: VisitOutcome = 'refused' in outcome ? outcome : { account: outcome.proof }
    return {
      vaultPage: returnAddress(visit, { ...back, code: await visits.answer(pending.visit, visit, answer) }),
    }
  }

  const handleCallback: OAuthLogin['handleCallback'] = async (fields) => {
    const state = single(fields, 'state')
    if (!state) return undefined
    // Used up first: of any number who bring one state, one is listened to.
    const pending = (await oneTime.take(database, stateKey(state))) as Pending | undefined
    const app = pending && apps.find(pending.appId)
    if (!pending || !app) return undefined
    if ('visit' in pending) return answerVisit(app, state, pending, fields)
    const { source, redirectTo: to, clientState, challenge } = pending
    const keepFragment = typeof source === 'object' || !providerOf(source).leavesFragment
    const back = (answer: Return['answer']): Return => ({
      to,
      source,
      state: clientState,
      answer,
      keepFragment,
    })

    const outcome = await judge(app, state, pending, fields)
    if (typeof outcome === 'string') return back(outcome)
    const code = newSecret()
    const data: Finished = { source, challenge, clientState, outcome }
    await oneTime.put(database, { ...codeKey(app.id, code), data, life: limits.oauthCodeLife })
    return back({ code })
  }

  const prove: OAuthLogin['prove'] =
    (app, { code, state, verifier, source }, purpose) =>
    async (tx) => {
      const refused = (refusal: Refusal) => ({ refused: refusal })
      const finished = (await oneTime.take(tx, codeKey(app.id, code))) as Finished | undefined
      if (!finished) {
        // A used code may come from a thief or from its owner: the session it opened is ended (ASVS 10.4.2).
        const used = (await oneTime.peek(tx, usedKey(app.id, code))) as { sessionId: string } | undefined
        if (used) await sessions.endReused(tx, used.sessionId)
        return refused(badCode())
      }
      const { outcome } = finished
      if (state !== finished.clientState)
        return refused(new Refusal('oauth_state_mismatch', 'This answer belongs to another login.'))
      if (s256(verifier) !== finished.challenge)
        return refused(new Refusal('invalid_pkce_parameters', 'The code verifier is wrong.'))
      // Another app's account is taken only by who says that it wants one of that app.
      if (source ? !sameSource(source, finished.source) : typeof finished.source === 'object')
        return refused(badCode())
      if (typeof finished.source === 'string' && !app.methods.includes(finished.source))
        return refused(new Refusal('disallowed_login_method', 'This login is not enabled for this app.'))
      if ('refused' in outcome) return refused(new Refusal(outcome.refused.code, outcome.refused.text))
      const listed = outcome.email !== null && emailListed(outcome.email, app.allowlist?.emails ?? [])
      if (purpose === 'login' && app.allowlist && !listed)
        return refused(new Refusal('allowlist_rejected', 'This user may not log in to this app.'))
      return {
        source: finished.source,
        tokens: outcome.tokens,
        proof: {
          ...(outcome.proof as Proof),
          async opened(transaction, { sessionId }) {
            const used = { ...usedKey(app.id, code), data: { sessionId }, life: limits.oauthStateLife }
            await oneTime.put(transaction, used)
          },
        },
      }
    }

  return { begin, beginVisit, handleCallback, prove }
}
