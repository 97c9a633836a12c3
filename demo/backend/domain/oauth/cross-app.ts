import { createHash, randomBytes } from 'node:crypto'
import type { Database } from '../../store/open.ts'
import type { AccountDetails } from '../accounts.ts'
import type { App, Apps } from '../app-settings.ts'
import type { RateLimits } from '../limits.ts'
import type { OneTime } from '../one-time.ts'
import { Refusal } from '../refusal.ts'
import type { Bearer, Tokens } from '../tokens.ts'
import { loadUser } from '../users.ts'
import type { ProviderTokens } from './exchange.ts'
import { withParameters } from './return-address.ts'

/** A login that an app has begun at another app, as it is kept under its state. */
export interface PendingCrossApp {
  providerApp: string
  requester: string
  challenge: string
}
/** What the user of the provider app has agreed to. */
interface Grant {
  requester: string
  userId: string
  challenge: string
}

export interface CrossApp {
  /** The apps at which people of this one may log in. */
  connections(requester: App): App[]
  /** @throws Refusal `cross_app_connection_not_allowed` */
  provider(requester: App, providerId: string): App & { crossApp: NonNullable<App['crossApp']> }
  /** The page on which the provider app asks its user, with the question. */
  authorizeUrl(pending: PendingCrossApp, state: string, callbackUrl: string): string
  /**
   * The user of the provider app has said yes: the address that brings the answer back.
   * @param asked.requester whom the page has named to the user, if it says so
   * @throws Refusal when nothing of the kind is pending
   */
  allow(
    providerApp: App,
    bearer: Bearer,
    asked: { redirectTo: string; state: string; challenge: string; requester?: string | undefined },
    known: { pending: PendingCrossApp | undefined; callbackUrl: string },
  ): Promise<string>
  /** What an answer stands for; `undefined` when it is not good. */
  collect(
    pending: PendingCrossApp,
    code: string,
  ): Promise<{ details: AccountDetails['cross-app']; tokens: ProviderTokens } | undefined>
}

/** Login with the account of another app on this backend. Wire 6.5. */
export function createCrossApp(deps: {
  database: Database
  apps: Apps
  tokens: Tokens
  oneTime: OneTime
  limits: RateLimits
}): CrossApp {
  const { database, apps, tokens, oneTime, limits } = deps
  const allows = ({ crossApp }: App, requester: string) => crossApp?.requesters.includes(requester) ?? false
  const codeKey = (providerApp: string, value: string) => ({
    kind: 'cross-app-code',
    appId: providerApp,
    value,
  })

  const provider: CrossApp['provider'] = (requester, providerId) => {
    const found = apps.find(providerId)
    if (found?.crossApp && allows(found, requester.id)) return { ...found, crossApp: found.crossApp }
    throw new Refusal('cross_app_connection_not_allowed', 'These two apps are not connected.')
  }

  return {
    provider,
    connections: (requester) => apps.all.filter((app) => allows(app, requester.id)),
    authorizeUrl({ providerApp, requester, challenge }, state, callbackUrl) {
      return withParameters(apps.find(providerApp)?.crossApp?.authorizeUrl ?? '', {
        ...{ response_type: 'code', client_id: requester, redirect_uri: callbackUrl, state },
        ...{ code_challenge: challenge, code_challenge_method: 'S256' },
      })
    },
    async allow(providerApp, bearer, { redirectTo, state, challenge, requester }, { pending, callbackUrl }) {
      const fits =
        pending?.providerApp === providerApp.id &&
        allows(providerApp, pending.requester) &&
        redirectTo === callbackUrl &&
        challenge === pending.challenge &&
        (requester === undefined || requester === pending.requester)
      if (!fits) throw new Refusal('oauth_state_mismatch', 'This question is not open any more.')
      const code = randomBytes(36).toString('base64url')
      const grant: Grant = { requester: pending.requester, userId: bearer.userId, challenge }
      await oneTime.put(database, {
        ...codeKey(providerApp.id, code),
        data: grant,
        life: limits.oauthCodeLife,
      })
      return withParameters(redirectTo, { code, state })
    },
    async collect({ providerApp: providerId, requester, challenge }, code) {
      const grant = (await oneTime.take(database, codeKey(providerId, code))) as Grant | undefined
      const providerApp = apps.find(providerId)
      if (!grant || !providerApp || grant.requester !== requester || grant.challenge !== challenge)
        return undefined
      const user = await loadUser(database, providerId, grant.userId)
      if (!user) return undefined
      const life = Math.floor(limits.providerTokenLife / 1_000)
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
          accessToken: await tokens.issueForRequester(providerApp, user.id, requester, life),
          expiresIn: life,
        },
      }
    },
  }
}

export const s256 = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')
