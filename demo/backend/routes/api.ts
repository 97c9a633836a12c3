import { sql } from 'drizzle-orm'
import { Hono } from 'hono'
import { analyticsRoutes } from './analytics.ts'
import { appRoutes, keyRoutes } from './apps.ts'
import type { ServerEnv, Services } from './context.ts'
import { embeddedWalletRoutes } from './embedded-wallets.ts'
import { sendError } from './errors.ts'
import { cors } from './origins.ts'
import { passwordlessRoutes } from './passwordless.ts'
import { requireApp } from './require-app.ts'
import { securityHeaders } from './security-headers.ts'
import { sessionRoutes } from './sessions.ts'
import { userRoutes } from './users.ts'
import { vaultRoutes } from './vault-page.ts'

/** The whole API: one file of routes for each family of wire 2. A new family is one more line here. */
export function createApi(services: Services, log: (line: string) => void): Hono<ServerEnv> {
  const api = server(services, log)
  api.use('/api/*', cors(services))
  api.use('/.well-known/*', cors(services))
  keyRoutes(api, services)
  vaultRoutes(api, services)
  api.get('/healthz', async (c) => {
    await services.database.execute(sql`select 1`)
    return c.json({ ok: true })
  })

  api.use('/api/*', requireApp(services))
  appRoutes(api, services)
  passwordlessRoutes(api, services)
  sessionRoutes(api, services)
  userRoutes(api, services)
  embeddedWalletRoutes(api, services)
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
