import { Hono } from 'hono'
import type { Running } from './definition.ts'
import { sendError } from './errors.ts'
import { closeWhenDraining, healthRoutes } from './health.ts'
import { cors } from './origins.ts'
import { requestId } from './request-id.ts'
import { requireApp } from './require-app.ts'
import { securityHeaders } from './security-headers.ts'
import type { CoreServices, ServerEnv } from './services.ts'
import { statusInHeader } from './status-header.ts'

/** The whole API with the routes of all features. */
export function createApi(services: CoreServices, features: readonly Running[]): Hono<ServerEnv> {
  const api = createServer(services)
  api.use('/api/*', statusInHeader())
  api.use('/oauth/*', statusInHeader())
  api.use('/api/*', cors(services))
  api.use('/oauth/*', cors(services))
  for (const { publicRoutes, vaultRoutes } of features) {
    publicRoutes?.(api)
    vaultRoutes?.(api)
  }
  api.use('/api/*', requireApp(services))
  api.use('/oauth/*', requireApp(services))
  for (const { routes } of features) routes?.(api)
  return api
}

/** The vault on an origin of its own: its page and its files, and whether it serves. */
export function createVaultServer(services: CoreServices, features: readonly Running[]): Hono<ServerEnv> {
  const vault = createServer(services)
  for (const { vaultRoutes } of features) vaultRoutes?.(vault)
  return vault
}

function createServer(services: CoreServices): Hono<ServerEnv> {
  const { apiOrigin, log } = services
  const server = new Hono<ServerEnv>()
  server.use(requestId())
  server.use(closeWhenDraining(services))
  server.use(securityHeaders(apiOrigin.startsWith('https:')))
  healthRoutes(server, services)
  server.notFound((c) => c.json({ error: 'There is nothing at this address.' }, 404))
  server.onError((error, c) => sendError(c, error, log))
  return server
}
