import { sql } from 'drizzle-orm'
import { Hono } from 'hono'
import { analyticsRoutes } from './analytics.ts'
import { appRoutes, keyRoutes } from './apps.ts'
import type { ServerEnv, Services } from './context.ts'
import { customJwtRoutes } from './custom-jwt.ts'
import { embeddedRecoveryRoutes } from './embedded-recovery.ts'
import { embeddedWalletRoutes } from './embedded-wallets.ts'
import { sendError } from './errors.ts'
import { farcasterRoutes } from './farcaster.ts'
import { guestRoutes } from './guest.ts'
import { oauthProviderRoutes, oauthReturn, oauthRoutes } from './oauth.ts'
import { cors } from './origins.ts'
import { passkeyRoutes } from './passkeys.ts'
import { passwordlessRoutes } from './passwordless.ts'
import { passwordlessSmsRoutes } from './passwordless-sms.ts'
import { recoveryOAuthReturn, recoveryOAuthRoutes } from './recovery-oauth.ts'
import { requireApp } from './require-app.ts'
import { securityHeaders } from './security-headers.ts'
import { sessionRoutes } from './sessions.ts'
import { siweRoutes } from './siwe.ts'
import { siwsRoutes } from './siws.ts'
import { telegramRoutes, telegramScript } from './telegram.ts'
import { userRoutes } from './users.ts'
import { vaultRoutes } from './vault-page.ts'

/** The whole API: one file of routes for each family of wire 2. A new family is one more line here. */
export function createApi(services: Services, log: (line: string) => void): Hono<ServerEnv> {
  const api = server(services, log)
  api.use('/api/*', cors(services))
  api.use('/.well-known/*', cors(services))
  api.use('/oauth/*', cors(services))
  keyRoutes(api, services)
  vaultRoutes(api, services)
  telegramScript(api, services)
  oauthReturn(api, services)
  recoveryOAuthReturn(api, services)
  api.get('/healthz', async (c) => {
    await services.database.execute(sql`select 1`)
    return c.json({ ok: true })
  })

  api.use('/api/*', requireApp(services))
  api.use('/oauth/*', requireApp(services))
  appRoutes(api, services)
  passwordlessRoutes(api, services)
  oauthRoutes(api, services)
  oauthProviderRoutes(api, services)
  recoveryOAuthRoutes(api, services)
  passwordlessSmsRoutes(api, services)
  passkeyRoutes(api, services)
  sessionRoutes(api, services)
  userRoutes(api, services)
  embeddedWalletRoutes(api, services)
  embeddedRecoveryRoutes(api, services)
  telegramRoutes(api, services)
  farcasterRoutes(api, services)
  siweRoutes(api, services)
  siwsRoutes(api, services)
  guestRoutes(api, services)
  customJwtRoutes(api, services)
  analyticsRoutes(api, services)
  return api
}

/** The vault on an origin of its own: its page and its files, and nothing else. */
export function createVaultServer(services: Services, log: (line: string) => void): Hono<ServerEnv> {
  const vault = server(services, log)
  vaultRoutes(vault, services)
  return vault
}

function server({ apiOrigin }: Services, log: (line: string) => void): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>()
  app.use(securityHeaders(apiOrigin.startsWith('https:')))
  app.notFound((c) => c.json({ error: 'There is nothing at this address.' }, 404))
  app.onError((error, c) => sendError(c, error, log))
  return app
}
