import type { Fetch } from '../../../src/lib/retrying-fetch.ts'
import { answerChanges } from './server/changes.ts'
import { answerDevices, checkProof, deviceOf, mayChange, nonceAt, type Proof } from './server/devices.ts'
import { type Asking, answerMfa, guard } from './server/mfa.ts'
import { answerRecovery, createSecret } from './server/recovery.ts'
import { createRoot, rootActions } from './server/roots.ts'
import {
  type Body,
  createState,
  ok,
  type Reply,
  refuse,
  type StoredDevice,
  type StoredRoot,
  textOf,
} from './server/state.ts'

export { nonceAt, sentCode } from './server/devices.ts'
export type { StoredDevice, StoredRecovery, StoredRoot } from './server/state.ts'

/** One POST as the backend saw it. */
export interface Call {
  /** Below `/embedded_wallets`. */
  readonly path: string
  readonly headers: Headers
  readonly init: RequestInit
  readonly body: Body
  readonly url: URL
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
 * A backend in memory that honours the protocol between vault and server, proofs included. `calls` are those that come
 * from an enrolled device, `asked` are all, with the proofs that were refused and what is about the devices themselves.
 * `origin` is where it is. `before` and `after` are faults: they run around the work of each of `calls` and may throw (a lost connection), answer
 * in its place, or never return; `onDevices` runs before what is about devices. What is not the backend's goes to
 * `elsewhere` (a drive, say).
 */
export function createBackend(origin = () => apiUrl) {
  const state = createState()
  const calls: Call[] = []
  const asked: { readonly call: Call; readonly answer: string }[] = []
  const results = new Map<string, Reply>()
  const refused = new Set<string>()
  const faults: {
    before?: ((call: Call) => unknown) | undefined
    after?: ((call: Call) => unknown) | undefined
    onDevices?: ((call: Call) => unknown) | undefined
  } = {}
  const routes: { elsewhere?: Fetch; icloud?: object } = {}

  const fetch: Fetch = async (input, init = {}) => {
    const url = new URL(input)
    if (url.origin !== origin())
      return routes.elsewhere?.(input, init) ?? Promise.reject(new TypeError('No such host'))
    const call: Call = {
      path: url.pathname.replace('/api/v1/embedded_wallets', '').replace('/api/v1', ''),
      headers: new Headers(init.headers),
      init,
      body: JSON.parse(String(init.body ?? '{}')),
      url,
    }
    const user = readUser(call)
    const proof = checkProof(state, {
      url,
      method: init.method ?? 'GET',
      headers: call.headers,
      token: user?.token,
    })
    const known = 'status' in proof || !user ? undefined : deviceOf(state, user.id, proof)
    const asking: Asking | undefined =
      'status' in proof || !user
        ? undefined
        : {
            user: user.id,
            session: user.session,
            thumbprint: proof.thumbprint,
            path: call.path,
            body: call.body,
            shown: call.headers.get('latchkey-mfa'),
          }
    const early =
      'status' in proof
        ? proof
        : ((known && asking && guard(state, asking)) ??
          (asking && /^\/mfa(\/|$)/.test(call.path) ? answerMfa(state, asking) : undefined) ??
          (await answerUnknown(call, user?.id, proof, known)))
    asked.push({ call, answer: early ? codeOf(early) : 'taken' })
    if (early) return respond(early)
    calls.push(call)
    const instead = await faults.before?.(call)
    if (instead instanceof Response) return instead
    const key = call.headers.get('idempotency-key') ?? ''
    const result = results.get(key) ?? (await answer(call, known, proof as Proof))
    results.set(key, result)
    const late = await faults.after?.(call)
    if (late instanceof Response) return late
    return respond(result)
  }

  const respond = ({ status, body }: Reply) =>
    new Response(JSON.stringify(body), {
      status,
      headers: { 'dpop-nonce': nonceAt(state, 0), date: new Date(state.now()).toUTCString() },
    })

  /** What is answered whatever the device is, and to a device that is not enrolled. */
  async function answerUnknown(
    call: Call,
    user: string | undefined,
    proof: Proof,
    known: StoredDevice | undefined,
  ): Promise<Reply | undefined> {
    const { path, body } = call
    if (user !== undefined && /^\/devices(\/|$)/.test(path)) {
      const instead = await faults.onDevices?.(call)
      if (instead instanceof Response) return { status: instead.status, body: await instead.json() }
      return answerDevices(state, appId, user, proof, path, body)
    }
    // Here a visit's code is the token of the drive, and that of a login the account.
    if (user !== undefined && path === '/recovery/drives/visit') return begunVisit()
    if (user !== undefined && path === '/providers/answer') return answeredVisit(body)
    if (user !== undefined && path === '/recovery/drives/token') return ok({ access_token: body.code })
    if (known || user === undefined || path === '/recovery/configuration_icloud') return undefined
    return refuse(403, 'device_not_enrolled')
  }

  async function answer(call: Call, device: StoredDevice | undefined, proof: Proof): Promise<Reply> {
    const user = readUser(call)
    if (!user || refused.has(user.token)) return refuse(401, 'invalid_auth_token')
    const { path, body } = call
    if (state.frozen.has(user.id)) return refuse(403, 'account_frozen')
    if (path.startsWith('/users/me/changes/')) {
      const { statementHash } = proof
      return answerChanges(state, appId, { user: user.id, session: user.session, path, statementHash })
    }
    if (path === '' && device) return createRoot(state, appId, user.id, device, body)
    if (path === '/recovery/secrets') return createSecret(state, user.id, body)
    if (path === '/recovery/configuration_icloud') return ok(routes.icloud ?? {})
    if (path === '/transactions/populate')
      return state.populate(textOf(body, 'address'), body.transaction as object)
    if (path === '/export/redeem') return redeem(user.id, device, body)
    const [, name = '', area = '', action = ''] = /^\/([^/]+)\/([^/]+)\/?(.*)$/.exec(path) ?? []
    if (area === 'export_ticket') {
      const ticket = crypto.randomUUID()
      state.tickets.add(ticket)
      return ok({ ticket })
    }
    const root = state.roots.find((one) => one.user === user.id && isName(one, name))
    if (!root) return refuse(404, 'linked_account_not_found')
    if (area === 'recovery' && device)
      return (await answerRecovery(state, appId, root, device, action, body)) ?? refuse(404, 'no_such_path')
    return rootActions[area]?.(state, appId, root, name, body, device) ?? refuse(404, 'no_such_path')
  }

  /** As with a change, whoever has a recovery method of their own proves it first. */
  function redeem(user: string, device: StoredDevice | undefined, body: Body): Reply {
    const shown = textOf(body, 'address')
    const root = state.roots.find(
      (one) => one.user === user && one.wallets.some(({ address }) => address === shown),
    )
    if (root && device && !mayChange(state, device, root)) return refuse(403, 'recovery_proof_required')
    return state.tickets.delete(textOf(body, 'ticket')) ? ok({}) : refuse(400, 'token_already_used')
  }

  return {
    fetch,
    state,
    calls,
    asked,
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
/** The code of a refusal. */
const codeOf = ({ body }: Reply) => ('code' in body ? String(body.code) : 'done')

export type Backend = ReturnType<typeof createBackend>

/** A root is named by the addresses of its first wallets. */
const isName = ({ wallets }: StoredRoot, name: string) =>
  wallets.some(({ address, index }) => index === 0 && address === name)

function readUser(call: Call): { id: string; token: string; session: string } | undefined {
  const token = /^Bearer (.+)$/.exec(call.headers.get('authorization') ?? '')?.[1] ?? ''
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString() || '{}')
  return typeof claims.sub === 'string' ? { id: claims.sub, token, session: String(claims.sid) } : undefined
}

const begunVisit = () =>
  ok({ url: 'https://provider.example/sign-in', state: `visit-${crypto.randomUUID()}` })
/** Farcaster's app has signed once the state says so; Telegram's fields are the code. */
const answeredVisit = ({ result }: Body) =>
  result ? ok({ status: 'answered', code: String((result as Body).hash) }) : ok({ status: 'pending' })
