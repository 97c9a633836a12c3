import { createHash, createHmac, createPublicKey, randomUUID, verify } from 'node:crypto'
import { answerDeviceProofs, factorsElsewhere, judgeElsewhere } from './device-proofs.ts'
import {
  type Body,
  isOwn,
  ok,
  type PublicJwk,
  type Reply,
  refuse,
  type State,
  type StoredDevice,
  type StoredRoot,
  textOf,
} from './state.ts'

const minute = 60_000
const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url')

/** What a call's proof says, once it has been found genuine. */
export interface Proof {
  readonly thumbprint: string
  readonly key: PublicJwk
  /** The hash of the statement that the user approved, if one was signed. */
  readonly statementHash: unknown
}

/** Checks a proof as RFC 9449 says; node's own cryptography, and nothing of the vault's. */
export function checkProof(
  state: State,
  call: { url: URL; method: string; headers: Headers; token: string | undefined },
): Proof | Reply {
  const invalid = refuse(401, 'invalid_dpop_proof')
  const [header = '', claims = '', signature = '', ...more] = (call.headers.get('dpop') ?? '').split('.')
  if (more.length > 0 || signature === '') return invalid
  const { typ, alg, jwk, ...rest } = read(header)
  const { kty, crv, x, y, ...secret } = (jwk ?? {}) as Record<string, string>
  if (typ !== 'dpop+jwt' || alg !== 'ES256' || Object.keys({ ...rest, ...secret }).length > 0) return invalid
  if (kty !== 'EC' || crv !== 'P-256' || !x || !y) return invalid
  const key = { kty, crv, x, y }
  if (!isSignedBy(key, `${header}.${claims}`, signature)) return invalid
  const { htm, htu, iat, jti, ath, nonce, stm } = read(claims)
  if (nonce !== nonceAt(state, 0) && nonce !== nonceAt(state, -1)) return refuse(401, 'use_dpop_nonce')
  if (htm !== call.method || htu !== call.url.origin + call.url.pathname) return invalid
  if (ath !== (call.token && sha256(call.token))) return invalid
  if (typeof iat !== 'number' || Math.abs(iat * 1000 - state.now()) > minute) return invalid
  if (typeof jti !== 'string' || state.usedProofs.has(jti)) return invalid
  state.usedProofs.add(jti)
  return { thumbprint: sha256(JSON.stringify({ crv, kty, x, y })), key, statementHash: stm }
}

/** The nonce of now, which the one before is still as good as. */
export const nonceAt = (state: State, shift: number): string =>
  createHmac('sha256', state.nonceKey)
    .update(String(Math.floor(state.now() / (2.5 * minute)) + shift))
    .digest('base64url')

function read(part: string): Record<string, unknown> {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString())
  } catch {
    return {}
  }
}

/** Whether an ES256 signature in raw form is that key's. */
export function isSignedBy(key: PublicJwk, text: string, signature: unknown): boolean {
  try {
    const publicKey = { key: createPublicKey({ key, format: 'jwk' }), dsaEncoding: 'ieee-p1363' as const }
    return verify('sha256', Buffer.from(text), publicKey, Buffer.from(String(signature), 'base64url'))
  } catch {
    return false
  }
}

/** The device of a genuine proof, if it is enrolled. */
export const deviceOf = (state: State, user: string, { thumbprint }: Proof): StoredDevice | undefined =>
  state.devices.find((one) => one.user === user && one.thumbprint === thumbprint && !one.removed)

const codeOf = (thumbprint: string) =>
  String(Number.parseInt(sha256(thumbprint).replaceAll(/\D/g, '0').slice(0, 6), 10)).padStart(6, '1')

/** The code that was sent for a key. */
export const sentCode = codeOf

/** What is asked below `/devices`. */
export async function answerDevices(
  state: State,
  app: string,
  user: string,
  proof: Proof,
  path: string,
  body: Body,
): Promise<Reply> {
  if (path === '/devices/enroll/options') return ok({ factors: factorsOf(state, user) })
  if (path === '/devices/enroll/code') {
    state.codes.add(proof.thumbprint)
    return ok({ hint: 'a•••@example.com' })
  }
  if (path === '/devices') return ok({ devices: devicesOf(state, user, proof) })
  const proofs = answerDeviceProofs(state, app, user, proof, path, body)
  if (proofs) return proofs
  const [, named] = /^\/devices\/([^/]+)\/remove$/.exec(path) ?? []
  if (named) return remove(state, user, proof, named)
  if (path !== '/devices/enroll') return refuse(404, 'no_such_path')
  const known = deviceOf(state, user, proof)
  const isFrozen = state.frozen.has(user)
  if (known && !isFrozen) return ok({ device_id: known.id })
  const removed = state.devices.some((one) => one.user === user && one.thumbprint === proof.thumbprint)
  const refusal = await judge(state, user, proof, body, removed || isFrozen)
  if (refusal) return refusal
  state.frozen.delete(user)
  if (known) return ok({ device_id: known.id })
  const device: StoredDevice = {
    id: randomUUID(),
    user,
    thumbprint: proof.thumbprint,
    key: proof.key,
    enrolledBy: textOf(body, 'factor'),
    removed: false,
    present: new Map(),
  }
  state.devices.push(device)
  const root = rootOf(state, user, textOf(body, 'root'))
  if (body.factor === 'recovery' && root) notePresent(state, device, root)
  return ok({ device_id: device.id })
}

const devicesOf = (state: State, user: string, proof: Proof) =>
  state.devices
    .filter((one) => one.user === user && !one.removed)
    .map(({ id, thumbprint }, at) => ({
      id,
      name: `Browser ${at}`,
      place: '203.0.113.0/24',
      created_at: 1,
      last_used_at: 2,
      current: thumbprint === proof.thumbprint,
    }))

function remove(state: State, user: string, proof: Proof, id: string): Reply {
  const asking = deviceOf(state, user, proof)
  if (!asking) return refuse(403, 'device_not_enrolled')
  const own = state.roots.filter(
    (root) =>
      root.user === user && isOwn(root.recovery) && root.recovery.method !== 'recovery-encryption-key',
  )
  if (own.length > 0 && !own.some((root) => mayChange(state, asking, root)))
    return refuse(403, 'recovery_proof_required')
  const device = state.devices.find((one) => one.user === user && one.id === id && !one.removed)
  if (!device) return refuse(404, 'device_not_found')
  device.removed = true
  return ok({})
}

/** Why an enrolment is refused; `undefined` when it is not. */
async function judge(
  state: State,
  user: string,
  proof: Proof,
  body: Body,
  removed: boolean,
): Promise<Reply | undefined> {
  const root = rootOf(state, user, textOf(body, 'root'))
  switch (body.factor) {
    case 'login': {
      const first = !state.roots.some((one) => one.user === user)
      if (first || (state.options.loginEnrols && !removed)) return undefined
      return refuse(403, 'enrolment_required')
    }
    case 'code':
      return state.codes.has(proof.thumbprint) && body.code === codeOf(proof.thumbprint)
        ? undefined
        : refuse(401, 'invalid_credentials')
    case 'recovery':
      return root && isPresent(state, root, body) ? undefined : refuse(401, 'invalid_credentials')
    case 'device':
    case 'passkey':
    case 'wallet':
    case 'provider':
      return judgeElsewhere(state, user, proof, body)
    default:
      return refuse(400, 'invalid_data')
  }
}

/** Whether a body shows that somebody has the root's recovery method. */
export function isPresent(state: State, { recovery }: StoredRoot, body: Body): boolean {
  if (typeof body.proof === 'string')
    return state.secrets.get(recovery.secret_id ?? '')?.verifier === body.proof
  return typeof body.verifier === 'string' && body.verifier === recovery.verifier
}

/** The person has shown here that they have the root's own recovery method. */
export function notePresent(state: State, device: StoredDevice, { walletId }: StoredRoot): void {
  device.present.set(walletId, state.now() + 10 * minute)
}

/** Whether a root's recovery may be changed from this device. */
export const mayChange = (state: State, device: StoredDevice, root: StoredRoot): boolean =>
  !isOwn(root.recovery) || (device.present.get(root.walletId) ?? 0) > state.now()

const rootOf = (state: State, user: string, address: string) =>
  state.roots.find((one) => one.user === user && one.wallets.some((wallet) => wallet.address === address))

const factorsOf = (state: State, user: string) => [
  ...factorsElsewhere(state, user),
  ...(state.options.reachable ? [{ type: 'email', id: 'mail-1', hint: 'a•••@example.com' }] : []),
  { type: 'of-a-newer-server', id: 'x' },
  ...state.roots
    .filter((root) => root.user === user && isOwn(root.recovery))
    .map(({ wallets: [first], recovery: { method, salt, rounds, file_id, record_name } }) => ({
      type: 'recovery',
      method,
      root_address: first?.address,
      chain_type: first?.chainType,
      salt,
      rounds,
      file_id,
      record_name,
    })),
]
