import { Refusal } from '../../lib/refusal.ts'
import type { App } from '../../settings/app.ts'
import { isOAuthProvider } from '../../settings/names.ts'
import type { Outside } from '../../settings/outside.ts'
import type { Database } from '../../store/database.ts'
import { canVisit, withVaultBot } from '../../visits/can-visit.ts'
import { VISIT_RETURN_PATH } from '../../visits/return-address.ts'
import {
  badVisit,
  type Visit,
  type VisitedAccount,
  type Visitor,
  type VisitPurpose,
  type Visits,
} from '../../visits/visits.ts'
import type { FarcasterLogin } from '../farcaster/login.ts'
import type { OAuthLogin } from '../oauth/login.ts'
import { withParameters } from '../return-address.ts'
import type { TelegramData, TelegramLogin } from '../telegram/login.ts'

/** The way to a provider, for the vault's window. */
export interface BegunVisit {
  provider: string
  /** The provider's own page; for Farcaster, the link that its app opens. */
  url: string
  state: string
}
export type VisitProgress = { status: 'pending' } | { status: 'answered'; code: string }

export interface ProviderVisits {
  /** @throws Refusal `disallowed_login_method`, Unavailable */
  begin(
    app: App,
    visitor: Visitor,
    about: { purpose: VisitPurpose; provider: string; expected?: string | undefined; vaultOrigin: string },
  ): Promise<BegunVisit>
  /**
   * Takes the answer of a provider that has no callback: what Telegram signed, or what Farcaster's relay has by now.
   * @throws Refusal `invalid_credentials`, Unavailable
   */
  answer(
    app: App,
    visitor: Visitor,
    given: { state: string; result?: TelegramData['telegram_auth_result'] },
  ): Promise<VisitProgress>
}

/** How the vault's window has users log in afresh at each provider. */
export function createProviderVisits(deps: {
  database: Database
  visits: Visits
  oauth: OAuthLogin
  farcaster: FarcasterLogin
  telegram: TelegramLogin
  outside: Outside
}): ProviderVisits {
  const { database, visits, oauth, farcaster, telegram, outside } = deps

  function telegramUrl(app: App, vaultOrigin: string, state: string): string {
    const botId = withVaultBot(app)?.telegram?.botId ?? ''
    return withParameters(`${outside.telegramUrl}/auth`, {
      bot_id: botId,
      origin: vaultOrigin,
      lang: 'en',
      return_to: `${vaultOrigin}${VISIT_RETURN_PATH}?state=${state}`,
    })
  }

  async function telegramAccount(
    app: App,
    visit: Visit,
    result: NonNullable<TelegramData['telegram_auth_result']>,
  ): Promise<VisitedAccount> {
    const bot = withVaultBot(app)
    // A message that was signed before the visit began is no fresh login.
    if (!bot || result.auth_date * 1_000 < visit.since - 1_000) throw badVisit()
    const prove = telegram.proveOnce(bot, { telegram_auth_result: result })
    const proof = await database.transaction((tx) => prove(tx))
    if ('refused' in proof) throw proof.refused
    return proof
  }

  async function farcasterAccount(app: App, visit: Visit): Promise<VisitedAccount | undefined> {
    const channel = String(visit.data)
    const { vaultOrigin } = visit
    const progress = await farcaster.status(app, vaultOrigin, channel)
    if (progress.state === 'pending') return undefined
    const prove = await farcaster.prove(app, vaultOrigin, channel, progress)
    const proof = await database.transaction((tx) => prove(tx))
    if ('refused' in proof) throw proof.refused
    return proof
  }

  return {
    async begin(app, visitor, about) {
      const { provider, vaultOrigin } = about
      if (!canVisit(app, provider))
        throw new Refusal('disallowed_login_method', 'This login is not set up for the vault of this app.')
      if (provider === 'farcaster') {
        const { channelToken, connectUri } = await farcaster.open(app, vaultOrigin, undefined)
        const state = await visits.begin(visitor, { ...about, data: channelToken })
        return { provider, url: connectUri, state }
      }
      const state = await visits.begin(visitor, about)
      const url = isOAuthProvider(provider)
        ? await oauth.beginVisit(app, provider, state)
        : telegramUrl(app, vaultOrigin, state)
      return { provider, url, state }
    },

    async answer(app, visitor, { state, result }) {
      const visit = await visits.ownVisit(visitor, state)
      if (visit.provider !== 'telegram' && visit.provider !== 'farcaster') throw badVisit()
      if ((visit.provider === 'telegram') !== Boolean(result)) throw badVisit()
      const account = result ? await telegramAccount(app, visit, result) : await farcasterAccount(app, visit)
      if (!account) return { status: 'pending' }
      return { status: 'answered', code: await visits.answer(state, visit, { account }) }
    },
  }
}
