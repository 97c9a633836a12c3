import type { MiddlewareHandler } from 'hono'

/**
 * Lets pages everywhere call, as services for browsers do: any origin, any header, no cookies.
 * @param options.exposed headers of the answer that a page may read
 */
export function crossOrigin({
  methods,
  exposed = [],
}: {
  methods: readonly string[]
  exposed?: readonly string[]
}): MiddlewareHandler {
  return async (c, next) => {
    const origin = c.req.header('origin')
    const asked = c.req.method === 'OPTIONS' && c.req.header('access-control-request-method') !== undefined
    if (asked) c.res = new Response(null, { status: 200 })
    else await next()
    c.header('vary', 'Origin', { append: true })
    if (origin === undefined) return
    c.header('access-control-allow-origin', origin)
    if (exposed.length > 0) c.header('access-control-expose-headers', exposed.join(','))
    if (!asked) return
    c.header('access-control-allow-methods', methods.join(','))
    c.header('access-control-allow-headers', c.req.header('access-control-request-headers') ?? '')
    c.header('access-control-max-age', '3600')
  }
}
