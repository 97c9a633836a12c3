/** Making an envelope. Who only opens them does without this. */
import { parseBase58 } from '../../solana/base58.ts'
import { type Bytes, concatBytes, hexToBytes, randomBytes, toBase64url } from '../bytes.ts'
import { ShareError } from '../errors.ts'
import {
  ADDRESS,
  CHAINS,
  cipher,
  IV,
  SECRET_KINDS,
  SHARE_KINDS,
  type Share,
  type ShareLabel,
} from './envelope.ts'

const VERSION = 2

/**
 * Seals a share under an AES-GCM key with a fresh random IV. Resolves with its envelope as base64url. `context` is
 * authenticated as well, and has to be given again for opening.
 */
export async function sealShare(
  key: CryptoKey,
  share: Share,
  context: Uint8Array = new Uint8Array(),
): Promise<string> {
  const label = writeLabel(share)
  const iv = randomBytes(IV)
  const sealed = await crypto.subtle.encrypt(cipher(iv, label, context), key, share.bytes)
  return toBase64url(concatBytes(label, iv, new Uint8Array(sealed)))
}

function writeLabel(label: ShareLabel): Bytes {
  const { kind, secretKind, chainType, walletId, setId, salt, hash } = label
  const ids = [walletId, setId].map((id) => hexToBytes(id.replaceAll('-', '')))
  const codes = [
    VERSION,
    SHARE_KINDS.indexOf(kind),
    SECRET_KINDS.indexOf(secretKind),
    CHAINS.indexOf(chainType),
  ]
  return concatBytes(Uint8Array.from(codes), ...ids, addressBytes(label), salt, hash)
}

function addressBytes({ chainType, address }: ShareLabel): Uint8Array {
  const own = chainType === 'solana' ? parseBase58(address, ADDRESS) : hexToBytes(address.slice(2))
  if (!own) throw new ShareError('malformed')
  return concatBytes(new Uint8Array(ADDRESS - own.length), own)
}
