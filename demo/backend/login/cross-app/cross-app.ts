import { randomBytes } from 'node:crypto'
import { requireUser } from '../../accounts/account-rows.ts'
import type { Changing } from '../../accounts/changes/apply.ts'
import type { AccountChanges } from '../../accounts/changes/changes.ts'
import { loadUser } from '../../accounts/user.ts'
import { s256 } from '../../lib/pkce.ts'
import { Refusal } from '../../lib/refusal.ts'
import { connectApp, noteAppUse } from '../../sessions/connected-apps.ts'
import type { Tokens } from '../../sessions/tokens.ts'
import type { App, Apps } from '../../settings/app.ts'
import type { Limits } from '../../settings/limits.ts'
import type { Database } from '../../store/database.ts'
import type { OneTime } from '../../store/one-time.ts'
import type { AccountDetails } from '../../users/account.ts'
import { isFrozen } from '../../users/frozen.ts'
import { withParameters } from '../return-address.ts'

/** What a user of the provider app is asked, while the question is open. */
interface Question {
  providerApp: string
  requester: string
  challenge: string
}
/** What the user of the provider app has agreed to. */
interface Grant {
  requester: string
  userId: string
  challenge: string
  /** Ends the grant with it. */
  connection: string
}

export interface CrossApp {
  /**
   * Asks: keeps the question under the state of the login, and resolves with the address of the page on which the
   * provider app asks its user.
   * @throws Refusal `cross_app_connection_not_allowed`
   */
  ask(requester: App, providerId: string, state: string): Promise<string>
  /**
   * The user of the provider app has agreed: resolves with the address that brings the answer back. Where the user has a
   * wallet, in a strict app, an enrolled device approves that first: the refusal names the change, and the same call comes
   * again after it.
   * @param asked.requester whom the page has named to the user, if it says so
   * @throws Refusal `oauth_state_mismatch` when no such question is open, `approval_required`
   */
  allow(
    who: Changing,
    asked: { redirectTo: string; state: string; challenge: string; requester?: string | undefined },
  ): Promise<string>
  /**
   * What an answer means; `undefined` when it is not valid. The request is closed either way.
   * @param code `undefined` where the user has not agreed
   */
  collect(
    state: string,
    code: string | undefined,
  ): Promise<{ details: AccountDetails['cross-app']; tokens: RequesterToken } | undefined>
}
/** What the requester may show in the name of the user; `expiresIn` in seconds. */
export interface RequesterToken {
  accessToken: string
  expiresIn: number
}

/** The apps at which people of this one may log in. */
export const connectionsOf = (apps: Apps, requester: App): App[] =>
  apps.all.filter((app) => connects(app, requester.id))

/** Whether an app takes what another one asks of its users. */
export const connects = ({ crossApp }: App, requester: string): boolean =>
  crossApp?.requesters.includes(requester) ?? false

/** Login with the account of another app on this backend. @param deps.callbackUrl where the answer goes to */
export function createCrossApp(deps: {
  database: Database
  apps: Apps
  tokens: Tokens
  changes: AccountChanges
  oneTime: OneTime
  limits: Limits
  clock: () => number
  callbackUrl: string
}): CrossApp {
  const { database, apps, tokens, changes, oneTime, limits, clock, callbackUrl } = deps
  const questionKey = (state: string) => ({ kind: 'cross-app-question', appId: '', value: state })
  const codeKey = (appId: string, value: string) => ({ kind: 'cross-app-code', appId, value })

  const nameOf = (id: string) => ({ id, name: apps.find(id)?.name ?? id })

  return {
    async ask({ id: requester }, providerId, state) {
      const provider = apps.find(providerId)
      if (!provider?.crossApp || !connects(provider, requester))
        throw new Refusal('cross_app_connection_not_allowed', 'These two apps are not connected.')
      // Nobody holds the verifier: the challenge only ties the answer to this question.
      const challenge = s256(randomBytes(36).toString('base64url'))
      const data: Question = { providerApp: provider.id, requester, challenge }
      await oneTime.put(database, { ...questionKey(state), data, life: limits.oauthStateLife })
      return withParameters(provider.crossApp.authorizeUrl, {
        response_type: 'code',
        client_id: requester,
        redirect_uri: callbackUrl,
        state,
        code_challenge: challenge,
        code_challenge_method: 'S256',
      })
    },
    async allow(who, { redirectTo, state, challenge, requester }) {
      const { app: providerApp, bearer } = who
      const question = (await oneTime.peek(database, questionKey(state))) as Question | undefined
      const fits =
        question?.providerApp === providerApp.id &&
        connects(providerApp, question.requester) &&
        redirectTo === callbackUrl &&
        challenge === question.challenge &&
        (requester === undefined || requester === question.requester)
      if (!fits) throw new Refusal('oauth_state_mismatch', 'This request is no longer open.')
      const code = randomBytes(36).toString('base64url')
      const { requester: asking } = question
      const outcome = await database.transaction(async (tx) => {
        await requireUser(tx, providerApp, bearer)
        const login = s256(state)
        const submitted = await changes.submitGrant(tx, who, {
          action: 'grant',
          requester: nameOf(asking),
          login,
        })
        if ('refused' in submitted) return submitted
        const { userId } = bearer
        const connection = await connectApp(tx, { appId: providerApp.id, userId, requester: asking }, clock())
        const data: Grant = { requester: asking, userId, challenge, connection }
        await oneTime.put(tx, { ...codeKey(providerApp.id, code), data, life: limits.oauthCodeLife })
        return submitted
      })
      if ('refused' in outcome) throw outcome.refused
      outcome.told()
      return withParameters(redirectTo, { code, state })
    },
    async collect(state, code) {
      const question = (await oneTime.take(database, questionKey(state))) as Question | undefined
      if (!question || code === undefined) return undefined
      const { providerApp: providerId, requester, challenge } = question
      const grant = (await oneTime.take(database, codeKey(providerId, code))) as Grant | undefined
      const providerApp = apps.find(providerId)
      if (!grant || !providerApp || grant.requester !== requester || grant.challenge !== challenge)
        return undefined
      const user = await loadUser(database, providerId, grant.userId)
      // A grant from before a freeze ends with it.
      if (!user || (await isFrozen(database, user.id))) return undefined
      const expiresIn = Math.floor(limits.providerTokenLife / 1_000)
      const { connection } = grant
      const now = clock()
      const used = await noteAppUse(database, connection, { now, tokensUntil: now + expiresIn * 1_000 })
      // The user has disconnected the app since.
      if (!used) return undefined
      return {
        details: {
          providerAppId: providerId,
          userId: user.id,
          embeddedWallets: user.accounts.flatMap((account) =>
            account.type === 'embedded-wallet' ? [account.address] : [],
          ),
          smartWallets: user.accounts.flatMap((account) =>
            account.type === 'smart-wallet' ? [account.subject] : [],
          ),
        },
        tokens: {
          accessToken: await tokens.issueForRequester(providerApp, {
            userId: user.id,
            requester,
            connection,
            seconds: expiresIn,
          }),
          expiresIn,
        },
      }
    },
  }
}
