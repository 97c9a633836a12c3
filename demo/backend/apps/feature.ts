import type { Hono } from 'hono'
import type { Feature } from '../http/definition.ts'
import { requireKnownApp } from '../http/require-app.ts'
import type { ServerEnv } from '../http/services.ts'
import type { SessionServices } from '../sessions/services.ts'
import { appConfigView } from './config-view.ts'

/** What is public about an app, and the keys with which its tokens are checked. */
export const appFeature: Feature<SessionServices> = {
  start: (services) => ({
    publicRoutes: (api) => keyRoutes(api, services),
    routes: (api) => appRoutes(api, services),
  }),
}

function appRoutes(api: Hono<ServerEnv>, { apps, tokens, outside }: SessionServices): void {
  const find = (id: string) => requireKnownApp(apps, id)

  api.get('/api/v1/apps/:appId', async (c) => {
    const app = find(c.req.param('appId'))
    return c.json(appConfigView(app, await tokens.verificationKey(app), outside))
  })

  api.get('/api/v1/apps/:appId/smart_wallets', (c) => {
    const { smartWallets } = find(c.req.param('appId'))
    if (!smartWallets) return c.json({ enabled: false })
    const networks = smartWallets.networks.map((network) => ({
      chain_id: network.chainId,
      bundler_url: network.bundlerUrl,
      ...(network.paymasterUrl && { paymaster_url: network.paymasterUrl }),
      ...(network.rpcUrl && { rpc_url: network.rpcUrl }),
      ...(network.chainName && { chain_name: network.chainName }),
      ...(network.paymasterPolicyId && { paymaster_context: { policy_id: network.paymasterPolicyId } }),
    }))
    return c.json({
      enabled: true,
      smart_wallet_type: smartWallets.type,
      ...(smartWallets.version && { smart_wallet_version: smartWallets.version }),
      configured_networks: networks,
    })
  })
}

/** The public keys of an app's tokens, for servers that check them: no app id needed. */
function keyRoutes(api: Hono<ServerEnv>, { apps, tokens }: SessionServices): void {
  const cacheable = { 'cache-control': 'public, max-age=300' }
  api.get('/api/v1/apps/:appId/jwks.json', async (c) => {
    const app = apps.find(c.req.param('appId'))
    return app
      ? c.json(await tokens.keySet(app), 200, cacheable)
      : c.json({ error: 'There is no such app.', code: 'missing_or_invalid_privy_app_id' }, 404)
  })
}
