import { sql } from 'drizzle-orm'
import { Hono } from 'hono'
import type { Running } from './definition.ts'
import { sendError } from './errors.ts'
import { cors } from './origins.ts'
import { requireApp } from './require-app.ts'
import { securityHeaders } from './security-headers.ts'
import type { CoreServices, ServerEnv } from './services.ts'

/** The whole API with the routes of all features. */
export function createApi(services: CoreServices, features: readonly Running[]): Hono<ServerEnv> {
  const api = createServer(services)
  api.use('/api/*', cors(services))
  api.use('/oauth/*', cors(services))
  for (const { publicRoutes, vaultRoutes } of features) {
    publicRoutes?.(api)
    vaultRoutes?.(api)
  }
  api.get('/healthz', async (c) => {
    await services.database.execute(sql`select 1`)
    return c.json({ ok: true })
  })

  api.use('/api/*', requireApp(services))
  api.use('/oauth/*', requireApp(services))
  for (const { routes } of features) routes?.(api)
  return api
}

/** The vault on an origin of its own: its page and its files, and nothing else. */
export function createVaultServer(services: CoreServices, features: readonly Running[]): Hono<ServerEnv> {
  const vault = createServer(services)
  for (const { vaultRoutes } of features) vaultRoutes?.(vault)
  return vault
}

function createServer({ apiOrigin, log }: CoreServices): Hono<ServerEnv> {
  const server = new Hono<ServerEnv>()
  server.use(securityHeaders(apiOrigin.startsWith('https:')))
  server.notFound((c) => c.json({ error: 'There is nothing at this address.' }, 404))
  server.onError((error, c) => sendError(c, error, log))
  return server
}
