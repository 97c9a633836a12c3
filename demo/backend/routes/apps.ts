import type { Hono } from 'hono'
import { Refusal } from '../domain/refusal.ts'
import type { ServerEnv, Services } from './context.ts'
import { appConfigView } from './views.ts'

/** What is public about an app, wire 2.12. */
export function appRoutes(api: Hono<ServerEnv>, { apps, tokens, crossApp, outside }: Services): void {
  function find(id: string) {
    const app = apps.find(id)
    if (!app) throw new Refusal('missing_or_invalid_privy_app_id', 'The app id is missing or unknown.')
    return app
  }

  api.get('/api/v1/apps/:appId', (c) =>
    c.json(appConfigView(find(c.req.param('appId')), tokens.verificationKey, outside)),
  )

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
    return c.json({ enabled: true, smart_wallet_type: smartWallets.type, configured_networks: networks })
  })

  api.get('/api/v1/apps/:appId/cross-app/connections', (c) => {
    const connections = crossApp.connections(find(c.req.param('appId'))).map((app) => ({
      provider_app_id: app.id,
      provider_app_name: app.name,
      provider_app_icon_url: app.iconUrl,
      // All apps of this backend are served by itself.
      provider_app_custom_api_url: null,
      read_only: app.crossApp?.readOnly ?? false,
    }))
    return c.json({ connections })
  })

  api.get('/api/v1/apps/:appId/cross-app/details', (c) => {
    const { name, iconUrl } = find(c.req.param('appId'))
    return c.json({ name, icon_url: iconUrl })
  })
}

/** The public keys of the tokens, for servers that check them: no app id needed. */
export function keyRoutes(api: Hono<ServerEnv>, { apps, tokens }: Services): void {
  const cacheable = { 'cache-control': 'public, max-age=300' }
  api.get('/.well-known/jwks.json', (c) => c.json(tokens.keySet, 200, cacheable))
  api.get('/api/v1/apps/:appId/jwks.json', (c) =>
    apps.find(c.req.param('appId'))
      ? c.json(tokens.keySet, 200, cacheable)
      : c.json({ error: 'There is no such app.', code: 'missing_or_invalid_privy_app_id' }, 404),
  )
}
