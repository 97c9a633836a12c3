import {
  createCipheriv,
  createECDH,
  createHash,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
  randomUUID,
  sign,
} from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { AppSettings } from '../../../demo/backend/settings/app.ts'
import { canonicalJson } from '../../../src/lib/canonical-json.ts'
import type { Answer } from './client.ts'
import { ethereumKeyOf, type TestKey, Vault } from './embedded-world.ts'
import type { World } from './world.ts'

export type PermissionSettings = NonNullable<AppSettings['permissions']>[number]

/** The key of an app's server. */
export class SignerKey {
  readonly privateKey: KeyObject
  readonly pem: string
  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    this.privateKey = privateKey
    this.pem = publicKey.export({ type: 'spki', format: 'pem' }) as string
  }
  sign(path: string, text: string): string {
    return sign('sha256', Buffer.from(`POST ${path}\n${text}`), {
      key: this.privateKey,
      dsaEncoding: 'ieee-p1363',
    }).toString('base64url')
  }
}

/** A wallet whose secret the test has, as the vault does. */
export interface OpenKey extends TestKey {
  secret: Uint8Array
}
export function openEthereumKey(): OpenKey {
  const hex = generatePrivateKey()
  return { ...ethereumKeyOf(privateKeyToAccount(hex)), secret: Buffer.from(hex.slice(2), 'hex') }
}
export function openSolanaKey(): OpenKey {
  const secret = ed25519.utils.randomSecretKey()
  return {
    chainType: 'solana',
    address: base58.encode(ed25519.getPublicKey(secret)),
    secret,
    prove: async (message) =>
      Buffer.from(ed25519.sign(new TextEncoder().encode(message), secret)).toString('base64url'),
  }
}

/** Encrypts to the server's key for grants, by another implementation than the vault's. */
export function encryptShare(publicKey: string, bytes: Uint8Array, context: string): string {
  const own = createECDH('prime256v1')
  own.generateKeys()
  const point = own.getPublicKey()
  const shared = own.computeSecret(Buffer.from(publicKey, 'base64url'))
  const key = Buffer.from(hkdfSync('sha256', shared, point, 'latchkey grant share 1', 32))
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context))
  const sealed = Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
  return Buffer.concat([point, iv, sealed]).toString('base64url')
}

/** A user with a wallet, in the vault of their browser. */
export class Grantor {
  constructor(
    readonly vault: Vault,
    readonly key: OpenKey,
  ) {}

  static async open(world: World, appId: string, key: OpenKey = openEthereumKey()): Promise<Grantor> {
    const vault = await Vault.open(world, { appId })
    await vault.create(key, { secret: 'key' })
    return new Grantor(vault, key)
  }

  get path() {
    return `embedded_wallets/${this.key.address}/grants`
  }
  review(permission?: string): Promise<Answer> {
    return this.vault.unshown(`${this.path}/review`, permission === undefined ? {} : { permission })
  }
  statement(terms: { permission: string }): string {
    const hash = createHash('sha256').update(canonicalJson(terms)).digest('base64url')
    return this.vault.say('Latchkey permission', {
      address: this.key.address,
      permission: terms.permission,
      terms: hash,
    })
  }
  body(key: { id: string; public_key: string }, permission?: string, secret = this.key.secret) {
    const { appId, userId } = this.vault
    const half = randomBytes(32)
    const other = Uint8Array.from(half, (byte, at) => byte ^ (secret[at] ?? 0))
    const context = `latchkey grant ${appId} ${userId} ${this.key.address}`
    return {
      ...(permission !== undefined && { permission }),
      key_id: key.id,
      encrypted_share: encryptShare(key.public_key, other, context),
      share: half.toString('base64url'),
    }
  }
  /** Agrees to a permission in the window of the vault. */
  async grant(permission?: string): Promise<Answer> {
    const { body, status, ...rest } = await this.review(permission)
    if (status !== 200) return { body, status, ...rest }
    const { key, terms } = body
    return this.vault.unshown(this.path, this.body(key, permission), this.statement(terms))
  }
  async granted(permission?: string): Promise<string> {
    const { status, body, text } = await this.grant(permission)
    if (status !== 200) throw new Error(`Not granted: ${status} ${text}`)
    return body.id
  }
}

/** Faults of a request. */
export interface Wrong {
  text?: string
  signature?: string
  path?: string
  body?: object
}
/** The app's server, which acts with a grant. */
export function createActing(world: World, appId: string, signer: SignerKey) {
  async function post(path: string, body: object, wrong: Wrong = {}) {
    const text = wrong.text ?? canonicalJson(body)
    const response = await world.backend.api.request(`/api/v1/grants/${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'latchkey-signature': wrong.signature ?? signer.sign(wrong.path ?? `/api/v1/grants/${path}`, text),
      },
      body: text,
    })
    const answer = await response.text()
    return { status: response.status, body: JSON.parse(answer) }
  }
  const soon = () => Math.floor(world.clock.now / 1_000) + 30
  const common = () => ({ app: appId, expires_at: soon() })
  return {
    post,
    soon,
    send(grant: string, transaction: unknown, more: object = {}, wrong: Wrong = {}) {
      return post(
        'transactions',
        {
          ...common(),
          grant,
          idempotency_key: randomUUID(),
          chain: 'eip155:1',
          transaction,
          ...more,
        },
        wrong,
      )
    },
    status: (grant: string) => post('status', { ...common(), grant }),
    find: (permission: string, address: string) => post('find', { ...common(), permission, address }),
  }
}

/** Outcome of a request: `ok`, the reason of a denial, or the code of another refusal. */
export const verdictOf = ({
  status,
  body,
}: {
  status: number
  body: { code?: string; data?: { reason: string } }
}) => (status === 200 ? 'ok' : (body.data?.reason ?? body.code ?? String(status)))
