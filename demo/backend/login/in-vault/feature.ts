import type { Hono } from 'hono'
import * as v from 'valibot'
import type { Proof } from '../../accounts/accounts.ts'
import { standingOf } from '../../devices/enrolment/standing.ts'
import type { Feature } from '../../http/definition.ts'
import { notKept } from '../../http/post.ts'
import type { ServerContext, ServerEnv } from '../../http/services.ts'
import { Refusal } from '../../lib/refusal.ts'
import { createKeySets } from '../../outside/key-sets.ts'
import {
  type AuthorisedCall,
  type DeviceCall,
  type KeyCall,
  postAsUser,
} from '../../sessions/post-as-user.ts'
import { isOAuthProvider } from '../../settings/names.ts'
import { createVisits, type VisitPurpose, type Visits } from '../../visits/visits.ts'
import { keySessionOf } from '../../wallets/calls.ts'
import { oauthCallbackUrl } from '../cross-app/callback.ts'
import { createCrossApp } from '../cross-app/cross-app.ts'
import { createFarcasterChain } from '../farcaster/chain.ts'
import { createFarcasterLogin } from '../farcaster/login.ts'
import { createFarcasterRelay } from '../farcaster/relay.ts'
import { createExchange } from '../oauth/exchange.ts'
import { createOAuthLogin } from '../oauth/login.ts'
import type { LoginServices } from '../services.ts'
import { limitStarts, requireMethod } from '../start.ts'
import { createTelegramLogin, requireTelegramLink, widgetResult } from '../telegram/login.ts'
import { createProviderProof } from './provider-proof.ts'
import { createProviderVisits, type ProviderVisits } from './visits-at-providers.ts'

/** Logins at providers that the vault's own window runs: to enrol a device, and to link an account. */
export const inVaultFeature: Feature<LoginServices> = {
  start(services) {
    const { limits, outside } = services
    const callbackUrl = oauthCallbackUrl(services.apiOrigin)
    const visits = createVisits(services)
    const exchange = createExchange({ ...services, keySets: createKeySets(services) })
    const crossApp = createCrossApp({ ...services, callbackUrl })
    const providers = createProviderVisits({
      ...services,
      visits,
      oauth: createOAuthLogin({ ...services, exchange, crossApp, visits, callbackUrl }),
      telegram: createTelegramLogin(services),
      farcaster: createFarcasterLogin({
        ...services,
        relay: createFarcasterRelay({ url: outside.farcasterRelayUrl, limits }),
        chain: createFarcasterChain({ url: outside.optimismRpcUrl, limits }),
      }),
    })
    services.proofKinds.push(createProviderProof(services, visits))
    return { routes: (api) => inVaultRoutes(api, services, visits, providers) }
  },
}

const secret = v.pipe(v.string(), v.regex(/^[\w-]{20,128}$/))
const providerName = v.pipe(
  v.string(),
  v.check((name) => isOAuthProvider(name) || name === 'telegram' || name === 'farcaster'),
)
const linkable = (name: string) => name as Parameters<typeof requireMethod>[1]

/** The user, session and key of a call. */
const visitorOf = ({ app, bearer, device }: KeyCall<unknown> | DeviceCall<unknown>) => ({
  appId: app.id,
  ...bearer,
  thumbprint: device.thumbprint,
})
/** The vault's page that asks; `postAsUser` has seen that it is one. */
const vaultOriginOf = (c: ServerContext) => c.req.header('origin') ?? ''

function inVaultRoutes(
  api: Hono<ServerEnv>,
  services: LoginServices,
  visits: Visits,
  providers: ProviderVisits,
): void {
  const { database, limits } = services

  const begin = async (
    call: KeyCall<unknown> | DeviceCall<unknown>,
    about: { purpose: VisitPurpose; provider: string; expected?: string },
  ) => {
    await limitStarts(services, call, undefined)
    const vaultOrigin = vaultOriginOf(call.c)
    return { body: await providers.begin(call.app, visitorOf(call), { ...about, vaultOrigin }) }
  }

  api.post(
    '/api/v1/devices/enroll/provider',
    postAsUser(services, {
      whileFrozen: true,
      fromVault: true,
      device: 'any',
      actor: notKept,
      body: v.strictObject({ id: v.pipe(v.string(), v.regex(/^\d{1,15}$/)) }),
      async handle(call) {
        const { accounts } = await standingOf(database, keySessionOf(call), limits)
        const account = accounts.find(({ id }) => String(id) === call.body.id)
        if (!account) throw new Refusal('linked_account_not_found', 'There is no such account.')
        const { type: provider, subject: expected } = account
        return begin(call, { purpose: 'enrol', provider, expected })
      },
    }),
  )

  api.post(
    '/api/v1/users/me/changes/provider',
    postAsUser(services, {
      fromVault: true,
      actor: notKept,
      body: v.strictObject({ provider: providerName }),
      async handle(call) {
        const { provider } = call.body
        requireMethod(call.app, linkable(provider))
        if (provider === 'telegram') requireTelegramLink(call.app)
        return begin(call, { purpose: 'link', provider })
      },
    }),
  )

  api.post(
    '/api/v1/providers/answer',
    postAsUser(services, {
      whileFrozen: true,
      fromVault: true,
      device: 'any',
      body: v.strictObject({ state: secret, result: v.optional(widgetResult) }),
      async handle(call) {
        return { body: await providers.answer(call.app, visitorOf(call), call.body) }
      },
    }),
  )

  api.post(
    '/api/v1/users/me/changes/provider/finish',
    postAsUser(services, {
      fromVault: true,
      body: v.strictObject({ state: secret, code: secret }),
      async handle(call) {
        const outcome = await database.transaction((tx) =>
          visits.finish(tx, visitorOf(call), 'link', call.body),
        )
        if ('refused' in outcome) throw outcome.refused
        if (!('account' in outcome)) throw new Error('A visit that links has brought no account')
        return { body: await askToLink(services, call, outcome.account as Proof) }
      },
    }),
  )
}

/**
 * Asks for a proved account to be linked, or to be taken over from another user. Resolves with the change that waits for approval;
 * without one, nothing had to be approved.
 */
async function askToLink(
  { accounts }: LoginServices,
  call: AuthorisedCall<unknown>,
  proof: Proof,
): Promise<Record<string, unknown>> {
  const pendingOf = async (work: () => Promise<unknown>) => {
    try {
      await work()
      return {}
    } catch (cause) {
      if (cause instanceof Refusal && cause.code === 'approval_required') return cause.details.data ?? {}
      throw cause
    }
  }
  try {
    return await pendingOf(() => accounts.link(call, async () => proof))
  } catch (cause) {
    const nonce = cause instanceof Refusal ? cause.details.data?.nonce : undefined
    if (typeof nonce !== 'string') throw cause
    const { type, subject } = proof
    return pendingOf(() => accounts.transfer(call, { nonce, type, subject }))
  }
}
