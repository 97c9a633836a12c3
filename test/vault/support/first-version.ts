/** What the first version of the vault wrote: Ethereum wallets of an entropy, with automatic recovery. */
import {
  type Bytes,
  concatBytes,
  hexToBytes,
  randomBytes,
  toBase64url,
  utf8,
} from '../../../src/vault/bytes.ts'
import type { Share, ShareKind } from '../../../src/vault/shares/envelope.ts'

const kinds: readonly ShareKind[] = ['device', 'auth', 'recovery']

export async function sealFirst(key: CryptoKey, share: Share): Promise<string> {
  const ids = [share.walletId, share.setId].map((id) => hexToBytes(id.replaceAll('-', '')))
  const label = concatBytes(
    Uint8Array.of(1, kinds.indexOf(share.kind)),
    ...ids,
    hexToBytes(share.address.slice(2)),
    share.salt,
    share.hash,
  )
  const iv = randomBytes(12)
  const cipher = { name: 'AES-GCM', iv, additionalData: concatBytes(utf8('latchkey share\0'), label) }
  const sealed = await crypto.subtle.encrypt(cipher, key, share.bytes)
  return toBase64url(concatBytes(label, iv, new Uint8Array(sealed)))
}

/** A recovery package: no header, two envelopes of one length. */
export async function sealFirstPackage(keyBytes: Bytes, auth: Share, recovery: Share): Promise<string> {
  const key = await crypto.subtle.importKey('raw', keyBytes, 'AES-GCM', false, ['encrypt'])
  return (await sealFirst(key, auth)) + (await sealFirst(key, recovery))
}
