import type { MiddlewareHandler } from 'hono'
import type { ServerEnv } from './services.ts'

/**
 * Headers on every answer, unless a route has set a stricter or fitter one itself (docs/security.md).
 * @param https whether the server is reached by https, and by nothing else from now on
 */
export function securityHeaders(https: boolean): MiddlewareHandler<ServerEnv> {
  const defaults: Record<string, string> = {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-opener-policy': 'same-origin',
    // Pages that isolate themselves may still read the answers and frame the vault; CORS and CSP say which ones.
    'cross-origin-resource-policy': 'cross-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    ...(https && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
  }
  return async (c, next) => {
    // Before the route, which may replace them: an answer that is changed afterwards is copied as a whole.
    for (const [name, value] of Object.entries(defaults)) c.header(name, value)
    await next()
  }
}
