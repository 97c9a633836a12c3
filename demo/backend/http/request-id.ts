import { randomUUID } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import type { ServerContext, ServerEnv } from './services.ts'

/** Names each request for the log, by the proxy's own name for it if there is one. */
export function requestId(): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    const given = c.req.header('x-request-id') ?? ''
    const id = /^[\w.-]{1,64}$/.test(given) ? given : randomUUID()
    c.set('requestId', id)
    await next()
  }
}

/** The name of a request for a line of the log; the answer has it too, so that a user can say which line is theirs. */
export function nameInLog(c: ServerContext): string {
  const id = c.get('requestId')
  c.header('x-request-id', id)
  return id
}
