/**
 * What somebody would write who has docs/recovery.md and nothing of ours: it imports none of our modules. That it
 * gives the same keys is the proof that the page says all that one needs.
 */
import { createDecipheriv, createHash, createHmac, hkdfSync, pbkdf2Sync } from 'node:crypto'

const bytesOf = (text: string) => Buffer.from(text, 'base64url')
const sha256 = (...parts: (Buffer | string)[]) => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
const hkdf = (secret: Buffer, info: string, salt = Buffer.alloc(0)) =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, 32))

/** Multiplication in GF(2^8) with 0x11B. */
function times(a: number, b: number): number {
  let product = 0
  for (; b > 0; b >>= 1) {
    if (b & 1) product ^= a
    a = (a << 1) ^ (a & 0x80 ? 0x11b : 0)
  }
  return product
}
function inverse(a: number): number {
  for (let b = 1; b < 256; b++) if (times(a, b) === 1) return b
  throw new Error('Zero has no inverse')
}

export interface BookShare {
  readonly label: Buffer
  readonly share: Buffer
}

/** s = (y1 x2 + y2 x1) / (x1 + x2), checked against the commitment of the label. */
export function combineByTheBook([first, second]: readonly [BookShare, BookShare]): Buffer {
  const x1 = first.share.at(-1) ?? 0
  const x2 = second.share.at(-1) ?? 0
  const divisor = inverse(x1 ^ x2)
  const secret = Buffer.from(
    first.share.subarray(0, -1).map((y, i) => times(times(y, x2) ^ times(second.share[i] ?? 0, x1), divisor)),
  )
  const salt = first.label.subarray(-48, -32)
  const hash = first.label.subarray(-32)
  if (!sha256('latchkey entropy\0', salt, secret).equals(hash)) throw new Error('The commitment differs')
  return secret
}

function openByTheBook(text: string, key: Buffer, context: Buffer): BookShare {
  const whole = bytesOf(text)
  const length = whole[0] === 1 ? 102 : 116
  const label = whole.subarray(0, length)
  const decipher = createDecipheriv('aes-256-gcm', key, whole.subarray(length, length + 12))
  decipher.setAAD(Buffer.concat([Buffer.from('latchkey share\0'), label, context]))
  decipher.setAuthTag(whole.subarray(-16))
  const share = Buffer.concat([decipher.update(whole.subarray(length + 12, -16)), decipher.final()])
  return { label, share }
}

/** The two shares of a package, with what its recovery method needs. */
export function unsealByTheBook(
  text: string,
  needs: { key?: string; password?: string; passwordSecret?: string; secret?: string },
): [BookShare, BookShare] {
  if (!text.includes('.')) {
    const key = bytesOf(needs.key ?? '')
    return [text.slice(0, 196), text.slice(196)].map((one) =>
      openByTheBook(one, key, Buffer.alloc(0)),
    ) as never
  }
  const [header = '', auth = '', recovery = ''] = text.split('.')
  const { method, kdf, check } = JSON.parse(bytesOf(header).toString())
  let key = bytesOf(needs.key ?? '')
  if (method === 'user-passcode') {
    const salt = bytesOf(kdf.salt)
    const typed = (needs.password ?? '').normalize('NFKC')
    const stretched = pbkdf2Sync(typed, salt, kdf.iterations, 32, 'sha256')
    const proof = hkdf(stretched, 'latchkey password proof')
    const evaluation = createHmac('sha256', bytesOf(needs.passwordSecret ?? ''))
      .update(proof)
      .digest()
    key = hkdf(Buffer.concat([stretched, evaluation]), 'latchkey recovery key', salt)
  } else if (method !== 'privy') key = hkdf(Buffer.from(needs.secret ?? ''), 'latchkey recovery secret')
  if (!hkdf(key, 'latchkey recovery check').subarray(0, 16).equals(bytesOf(check)))
    throw new Error('The key is wrong')
  return [auth, recovery].map((one) => openByTheBook(one, key, sha256(header))) as never
}

/** SLIP-0010 on ed25519, m/44'/501'/index'/0': the seed of the Solana wallet. */
export function solanaSeedByTheBook(seed: Uint8Array, index: number): Buffer {
  let node = createHmac('sha512', 'ed25519 seed').update(seed).digest()
  for (const level of [44, 501, index, 0]) {
    const number = Buffer.alloc(4)
    number.writeUInt32BE(0x80000000 + level)
    const data = Buffer.concat([Buffer.alloc(1), node.subarray(0, 32), number])
    node = createHmac('sha512', node.subarray(32)).update(data).digest()
  }
  return node.subarray(0, 32)
}
