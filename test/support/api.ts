import { SignJWT } from 'jose'
import type { Fetch } from '../../src/lib/retrying-fetch.ts'
import type { TestClock } from './clock.ts'

export const appId = 'latchkey-unit-test-app-01'
export const appConfig = {
  id: appId,
  name: 'Test app',
  email_auth: true,
  allowlist_config: {},
  embedded_wallet_config: { create_on_login: 'off', user_owned_recovery_options: [] },
}

export interface Call {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: Record<string, unknown> | undefined
  readonly at: number
}
/** A status with a body, a body alone (200), or why there is none. The body is JSON (`body`), a text, or made anew for each response (`raw`). */
export type Reply =
  | {
      status?: number
      body?: unknown
      text?: string
      raw?: () => BodyInit | null
      headers?: Record<string, string>
    }
  | 'dropped'
  | 'silent'

/** A server behind the `fetch` seam: each path answers from its list, and the last reply of a list stays. */
export function fakeApi(
  clock: TestClock,
  routes: Record<string, Reply | Reply[] | ((call: Call) => Reply)>,
  /** Sees each call first; where it gives nothing, the routes answer. */
  intercept: (call: Call) => Reply | undefined = () => undefined,
) {
  const calls: Call[] = []
  const fetch: Fetch = async (input, init = {}) => {
    const path = new URL(input).pathname
    const call: Call = {
      method: init.method ?? 'GET',
      path,
      headers: init.headers as Record<string, string>,
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
      at: clock.now(),
    }
    calls.push(call)
    const route = routes[path] ?? { status: 404, body: { error: 'not found' } }
    const reply =
      intercept(call) ??
      (typeof route === 'function'
        ? route(call)
        : Array.isArray(route)
          ? route.length > 1
            ? route.shift()
            : route[0]
          : route)
    if (reply === undefined || reply === 'dropped') throw new TypeError('Failed to fetch')
    if (reply === 'silent') return untilAborted(init.signal)
    const response = toResponse(reply)
    return reply.raw ? untilGivenUp(response, init.signal) : response
  }
  return { fetch, calls, to: (path: string) => calls.filter((call) => call.path === path) }
}

export const toResponse = ({ status = 200, headers = {}, body = {}, text, raw }: Reply & object): Response =>
  new Response(raw ? raw() : (text ?? JSON.stringify(body)), { status, headers })

/** The same response; as in a browser, its body ends with the request. */
function untilGivenUp(response: Response, signal: AbortSignal | null | undefined): Response {
  const { body, headers, status } = response
  if (!signal || !body) return response
  return new Response(body.pipeThrough(new TransformStream(), { signal }), { headers, status })
}

function untilAborted(signal: AbortSignal | null | undefined): Promise<Response> {
  return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
}

const secret = new TextEncoder().encode('a secret that nobody checks here')

/** A token as the server makes them; the client reads it and never checks its signature. */
export function makeToken(
  clock: TestClock,
  {
    life = 3600,
    userId = 'did:privy:u1',
    app = appId,
    issuedAt = 0,
  }: { life?: number; userId?: string; app?: string; issuedAt?: number } = {},
): Promise<string> {
  const now = Math.floor(clock.now() / 1000) + issuedAt
  return new SignJWT({ sid: 's1' })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(userId)
    .setIssuer('privy.io')
    .setAudience(app)
    .setIssuedAt(now)
    .setExpirationTime(now + life)
    .sign(secret)
}

export const wireUser = (id = 'did:privy:u1', more: object = {}) => ({
  id,
  created_at: 1_700_000_000,
  linked_accounts: [{ type: 'email', address: 'ada@example.com', verified_at: 1_700_000_000 }],
  mfa_methods: [],
  has_accepted_terms: false,
  is_guest: false,
  ...more,
})

/** A whole login answer. */
export async function sessionBody(clock: TestClock, more: Record<string, unknown> = {}) {
  return {
    user: wireUser(),
    token: await makeToken(clock),
    privy_access_token: await makeToken(clock),
    refresh_token: 'deprecated',
    identity_token: await makeToken(clock),
    session_update_action: 'set',
    ...more,
  }
}
