import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Hono, MiddlewareHandler } from 'hono'
import type { CoreServices, ServerContext, ServerEnv } from './services.ts'

/** Milliseconds in which the database has to answer: a probe does not wait for what requests wait for. */
const PATIENCE = 2_000

/**
 * What a load balancer and a supervisor ask. `/livez`: the process serves, whatever has become of the database, so a
 * restart would mend nothing. `/readyz`, and `/healthz`: requests can be answered.
 */
export function healthRoutes(server: Hono<ServerEnv>, { database, lifecycle }: CoreServices): void {
  const isAnswered = async () => {
    const timer = new AbortController()
    try {
      return await Promise.race([
        database.execute(sql`select 1`).then(() => true),
        sleep(PATIENCE, false, { ref: false, signal: timer.signal }),
      ])
    } catch {
      return false
    } finally {
      timer.abort()
    }
  }
  const ready = async (c: ServerContext) => {
    const isReady = !lifecycle.isDraining && (await isAnswered())
    return c.json({ ok: isReady }, isReady ? 200 : 503)
  }
  server.get('/livez', (c) => c.json({ ok: true }))
  server.get('/readyz', ready)
  server.get('/healthz', ready)
}

/** Answers of a server that is ending close their connections: a client that stays on one would be cut off. */
export function closeWhenDraining({ lifecycle }: CoreServices): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    await next()
    // The end may have come while the request was under way.
    if (lifecycle.isDraining) c.header('connection', 'close')
  }
}
