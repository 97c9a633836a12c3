import type { Fetch } from '../../../src/lib/retrying-fetch.ts'
import { answerRecovery, createSecret } from './server/recovery.ts'
import { createRoot, rootActions } from './server/roots.ts'
import { type Body, createState, ok, type Reply, refuse, type StoredRoot, textOf } from './server/state.ts'

export type { StoredRecovery, StoredRoot } from './server/state.ts'

/** One POST as the backend saw it. */
export interface Call {
  /** Below `/embedded_wallets`. */
  readonly path: string
  readonly headers: Headers
  readonly init: RequestInit
  readonly body: Body
}

export const appId = 'clatchkeytestapp000000001'
export const apiUrl = 'https://api.example'
const day = 86_400

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
/** An access token as the vault and the fake backend read it; nobody here checks the signature. */
export function makeToken(user: string, claims: object = {}): string {
  const exp = Math.floor(Date.now() / 1000) + day
  const body = { sid: crypto.randomUUID(), sub: user, iss: 'privy.io', aud: appId, exp, ...claims }
  return `${part({ alg: 'ES256', typ: 'JWT' })}.${part(body)}.${'c2ln'.repeat(20)}`
}

/**
 * A backend in memory that honours the protocol between vault and server, proofs included. `before` and `after` are
 * faults: they run around the work of each call and may throw (a lost connection), answer in its place, or never
 * return. What is not the backend's goes to `elsewhere` (a drive, say).
 */
export function createBackend() {
  const state = createState()
  const calls: Call[] = []
  const results = new Map<string, Reply>()
  const refused = new Set<string>()
  const faults: {
    before?: ((call: Call) => unknown) | undefined
    after?: ((call: Call) => unknown) | undefined
  } = {}
  const routes: { elsewhere?: Fetch; icloud?: object } = {}

  const fetch: Fetch = async (input, init = {}) => {
    const url = new URL(input)
    if (url.origin !== apiUrl)
      return routes.elsewhere?.(input, init) ?? Promise.reject(new TypeError('No such host'))
    const call: Call = {
      path: url.pathname.replace('/api/v1/embedded_wallets', '').replace('/api/v1', ''),
      headers: new Headers(init.headers),
      init,
      body: JSON.parse(String(init.body)),
    }
    calls.push(call)
    const instead = await faults.before?.(call)
    if (instead instanceof Response) return instead
    const key = call.headers.get('idempotency-key') ?? ''
    const result = results.get(key) ?? (await answer(call))
    results.set(key, result)
    const late = await faults.after?.(call)
    if (late instanceof Response) return late
    return new Response(JSON.stringify(result.body), { status: result.status })
  }

  async function answer(call: Call): Promise<Reply> {
    const user = readUser(call)
    if (!user || refused.has(user.token)) return refuse(401, 'invalid_auth_token')
    const { path, body } = call
    if (path === '') return createRoot(state, appId, user.id, body)
    if (path === '/recovery/secrets') return createSecret(state, user.id, body)
    if (path === '/recovery/configuration_icloud') return ok(routes.icloud ?? {})
    if (path === '/transactions/populate')
      return state.populate(textOf(body, 'address'), body.transaction as object)
    if (path === '/export/redeem')
      return state.tickets.delete(textOf(body, 'ticket')) ? ok({}) : refuse(400, 'token_already_used')
    const [, name = '', area = '', action = ''] = /^\/([^/]+)\/([^/]+)\/?(.*)$/.exec(path) ?? []
    const root = state.roots.find((one) => one.user === user.id && isName(one, name))
    if (!root) return refuse(404, 'linked_account_not_found')
    if (area === 'recovery')
      return (await answerRecovery(state, appId, root, name, action, body)) ?? refuse(404, 'no_such_path')
    return rootActions[area]?.(state, appId, root, name, body) ?? refuse(404, 'no_such_path')
  }

  return {
    fetch,
    state,
    calls,
    faults,
    refused,
    routes,
    /** A person's roots, the entropy first. */
    rootsOf: (user: string) =>
      state.roots
        .filter((root) => root.user === user)
        .sort((a, b) => Number(a.secret === 'key') - Number(b.secret === 'key')),
    /** The root of a person's entropy. */
    rootOf(user: string): StoredRoot {
      const root = state.roots.find((one) => one.user === user && one.secret === 'entropy')
      if (!root) throw new Error('The server has no root')
      return root
    },
  }
}
export type Backend = ReturnType<typeof createBackend>

/** A root is named by the addresses of its first wallets. */
const isName = ({ wallets }: StoredRoot, name: string) =>
  wallets.some(({ address, index }) => index === 0 && address === name)

function readUser(call: Call): { id: string; token: string } | undefined {
  const token = /^Bearer (.+)$/.exec(call.headers.get('authorization') ?? '')?.[1] ?? ''
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString() || '{}')
  return typeof claims.sub === 'string' ? { id: claims.sub, token } : undefined
}
