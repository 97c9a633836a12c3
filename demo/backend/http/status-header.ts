import type { MiddlewareHandler } from 'hono'
import type { RefusalCode } from '../lib/refusal.ts'
import type { ServerEnv } from './services.ts'

/** In requests, how a client wants the status of expected refusals; in responses, that status. */
export const statusHeader = 'latchkey-status'

/** Refusals that say that a request is broken, foreign or one of too many: developers and proxies should see them. */
const faults: ReadonlySet<RefusalCode> = new Set([
  'invalid_native_app_id',
  'invalid_origin',
  'invalid_request',
  'missing_or_invalid_privy_app_id',
  'missing_or_invalid_privy_client_id',
  'missing_origin',
  'too_many_requests',
])

/**
 * Answers expected refusals with status 200 and their own status in a header, for clients that ask for it: browsers report every
 * failed response in the console of the page (docs/protocol.md, "Status of refusals"). Everything behind it, such as the log, the
 * limits and the stored replies, sees the status itself.
 */
export function statusInHeader(): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    await next()
    const code = c.get('refused')
    if (code === undefined || faults.has(code) || c.req.header(statusHeader) !== 'header') return
    const { body, headers, status } = c.res
    const told = new Headers(headers)
    told.set(statusHeader, String(status))
    told.set('cache-control', 'no-store')
    c.res = undefined
    c.res = new Response(body, { status: 200, headers: told })
  }
}
