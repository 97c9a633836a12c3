import {
  createDecipheriv,
  createHash,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  hkdfSync,
  type KeyObject,
} from 'node:crypto'
import type { Secrets } from '../secrets/secrets.ts'

/**
 * The server's own keys for grants, to which vaults encrypt one half of a wallet's key. They are no sealing keys: a thief of the
 * database and the sealing keys has none of them. An operator with a key service puts it in the place of {@link createGrantKeys}.
 */
export interface GrantKeys {
  /** The key that vaults encrypt to now, as an uncompressed point; `undefined` where the operator has set none. */
  current(): { id: string; publicKey: Buffer } | undefined
  /**
   * Opens what a vault has encrypted.
   * @param context what it was encrypted for; with anything else it doesn't open
   * @throws Error for a key that is gone, or a text that was changed
   */
  open(id: string, encrypted: string, context: string): Promise<Buffer>
}

const POINT = 65
const IV = 12
const TAG = 16
/** The 26 bytes that stand before the point in the SPKI form of a key of P-256. */
const SPKI_HEAD = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200', 'hex')
const INFO = 'latchkey grant share 1'

/** The keys that stand in the server's secrets (`grantKeys`), the first of which is the current one. */
export function createGrantKeys(secrets: Secrets): GrantKeys {
  const keys = secrets.grantKeys.map((pem) => {
    const privateKey = createPrivateKey(pem)
    const spki = createPublicKey(privateKey).export({ type: 'spki', format: 'der' })
    return {
      id: createHash('sha256').update(spki).digest('base64url').slice(0, 16),
      publicKey: spki.subarray(-POINT),
      privateKey,
    }
  })
  return {
    current: () => keys[0] && { id: keys[0].id, publicKey: keys[0].publicKey },
    async open(id, encrypted, context) {
      const key = keys.find((each) => each.id === id)
      if (!key) throw new Error(`There is no key for grants named ${id}`)
      return decrypt(key.privateKey, Buffer.from(encrypted, 'base64url'), context)
    },
  }
}

/** ECDH with a key of the vault's for this once, HKDF-SHA-256 and AES-256-GCM. */
function decrypt(privateKey: KeyObject, bytes: Buffer, context: string): Buffer {
  const point = bytes.subarray(0, POINT)
  const iv = bytes.subarray(POINT, POINT + IV)
  const sealed = bytes.subarray(POINT + IV)
  if (sealed.length <= TAG) throw new Error('The share is too short')
  const publicKey = createPublicKey({
    key: Buffer.concat([SPKI_HEAD, point]),
    format: 'der',
    type: 'spki',
  })
  const shared = diffieHellman({ privateKey, publicKey })
  const key = Buffer.from(hkdfSync('sha256', shared, point, INFO, 32))
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG })
      .setAAD(Buffer.from(context))
      .setAuthTag(sealed.subarray(-TAG))
    return Buffer.concat([decipher.update(sealed.subarray(0, -TAG)), decipher.final()])
  } finally {
    shared.fill(0)
    key.fill(0)
  }
}
