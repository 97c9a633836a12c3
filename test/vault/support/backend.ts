import { recoverMessageAddress } from 'viem'
import type { Fetch } from '../../../src/core/retrying-fetch.ts'

/** One POST as the backend saw it. */
export interface Call {
  readonly path: string
  readonly headers: Headers
  readonly init: RequestInit
  readonly body: Record<string, string>
}
export interface StoredWallet {
  readonly walletId: string
  readonly address: string
  recoveryPackage: string
  recoveryKey: string
  recoveryType: string
  /** Auth shares by set. */
  readonly sets: Map<string, string>
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
 * A backend in memory that honours the protocol between vault and server. `before` and `after` are faults: they run
 * around the work of each call and may throw (a lost connection), answer in its place, or never return.
 */
export function createBackend() {
  const wallets = new Map<string, StoredWallet>()
  const calls: Call[] = []
  const results = new Map<string, { status: number; body: object }>()
  const refused = new Set<string>()
  const faults: {
    before?: ((call: Call) => unknown) | undefined
    after?: ((call: Call) => unknown) | undefined
  } = {}

  const fetch: Fetch = async (input, init = {}) => {
    const url = new URL(input)
    const call: Call = {
      path: url.pathname.replace('/api/v1/embedded_wallets', ''),
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

  async function answer(call: Call): Promise<{ status: number; body: object }> {
    const user = readUser(call)
    if (!user || refused.has(user.token))
      return { status: 401, body: { error: 'No', code: 'invalid_auth_token' } }
    const { body } = call
    if (call.path === '') return create(user.id, body)
    const [, address = '', action] = /^\/(0x[0-9a-fA-F]{40})\/(.*)$/.exec(call.path) ?? []
    const wallet = wallets.get(user.id)
    const found = wallet && wallet.address === address ? wallet : undefined
    if (!found) return { status: 404, body: { error: 'No such wallet' } }
    const { walletId } = found
    if (action === 'auth_share') {
      const share = found.sets.get(body.set_id ?? '')
      if (!share) return { status: 404, body: { error: 'No such set' } }
      return { status: 200, body: { wallet_id: walletId, auth_share: share } }
    }
    if (action === 'recovery/key_material') {
      const empty = {
        recovery_key_derivation_salt: '',
        recovery_code: '',
        file_id: '',
        icloud_record_name: '',
      }
      return {
        status: 200,
        body: { recovery_type: found.recoveryType, recovery_key: found.recoveryKey, ...empty },
      }
    }
    if (action === 'recovery/package')
      return { status: 200, body: { wallet_id: walletId, recovery_package: found.recoveryPackage } }
    if (action === 'devices') {
      found.sets.set(body.set_id ?? '', body.auth_share ?? '')
      return { status: 200, body: {} }
    }
    return { status: 404, body: { error: 'No such path' } }
  }

  async function create(user: string, body: Record<string, string>) {
    const { wallet_id: walletId = '', address = '', proof } = body
    const message = `Latchkey embedded wallet\napp: ${appId}\nuser: ${user}\naddress: ${address}\nwallet: ${walletId}`
    const signer = await recoverMessageAddress({ message, signature: proof as `0x${string}` })
    if (signer !== address) return { status: 422, body: { error: 'Bad proof', code: 'bad_proof' } }
    const existing = wallets.get(user)
    if (existing)
      return {
        status: 200,
        body: { address: existing.address, wallet_id: existing.walletId, created: false },
      }
    wallets.set(user, {
      walletId,
      address,
      recoveryPackage: body.recovery_package ?? '',
      recoveryKey: body.recovery_key ?? '',
      recoveryType: 'privy_generated_recovery_key',
      sets: new Map([[body.set_id ?? '', body.auth_share ?? '']]),
    })
    return { status: 200, body: { address, wallet_id: walletId, created: true } }
  }

  return { fetch, wallets, calls, faults, refused }
}
export type Backend = ReturnType<typeof createBackend>

function readUser(call: Call): { id: string; token: string } | undefined {
  const token = /^Bearer (.+)$/.exec(call.headers.get('authorization') ?? '')?.[1] ?? ''
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString() || '{}')
  return typeof claims.sub === 'string' ? { id: claims.sub, token } : undefined
}
