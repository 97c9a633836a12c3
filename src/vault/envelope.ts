import {
  type Bytes,
  bytesToHex,
  concatBytes,
  fromBase64url,
  hexToBytes,
  randomBytes,
  toBase64url,
  utf8,
} from './bytes.ts'
import { ShareError } from './errors.ts'

export type ShareKind = 'device' | 'auth' | 'recovery'

/** What an envelope says of its share in the open. All of it is authenticated together with the share. */
export interface ShareLabel {
  readonly kind: ShareKind
  /** Lower-case UUIDs. */
  readonly walletId: string
  readonly setId: string
  /** The commitment: the address in lower case, and a salted SHA-256 of the entropy. */
  readonly address: string
  readonly salt: Bytes
  readonly hash: Bytes
}
/** An opened share. */
export interface Share extends ShareLabel {
  readonly bytes: Bytes
}

/*
 * version 1 | kind 1 | wallet id 16 | set id 16 | address 20 | salt 16 | hash 32 | iv 12 | sealed share 17 + tag 16
 * The length is fixed and a multiple of three, so the base64url has no bits left over and one text only.
 */
const VERSION = 1
const KINDS: readonly ShareKind[] = ['device', 'auth', 'recovery']
const LABEL = 102
const IV = 12
const SHARE = 17
const TAG = 16
const LENGTH = LABEL + IV + SHARE + TAG
/** Characters of a serialised envelope. */
export const envelopeLength = (LENGTH / 3) * 4

/** Seals a share under an AES-GCM key with a fresh random IV. Resolves with its envelope as base64url. */
export async function sealShare(key: CryptoKey, share: Share): Promise<string> {
  const label = writeLabel(share)
  const iv = randomBytes(IV)
  const sealed = await crypto.subtle.encrypt(cipher(iv, label), key, share.bytes)
  return toBase64url(concatBytes(label, iv, new Uint8Array(sealed)))
}

/**
 * Opens an envelope, which has to carry the label that is expected. Throws {@link ShareError}: 'malformed' when it
 * is no envelope, 'version' when it is a newer one, 'mismatch' when it is another share, 'damaged' when the key does
 * not fit or a single bit is not as it was sealed.
 */
export async function openShare(
  key: CryptoKey,
  text: string,
  expected: Pick<ShareLabel, 'kind' | 'walletId' | 'address'> & { readonly setId?: string },
): Promise<Share> {
  const bytes = text.length === envelopeLength ? fromBase64url(text) : undefined
  if (!bytes) throw new ShareError('malformed')
  const label = bytes.slice(0, LABEL)
  const share = readLabel(label)
  const { kind, walletId, address, setId = share.setId } = expected
  if (
    share.kind !== kind ||
    share.walletId !== walletId ||
    share.address !== address ||
    share.setId !== setId
  )
    throw new ShareError('mismatch')
  const iv = bytes.slice(LABEL, LABEL + IV)
  try {
    const opened = await crypto.subtle.decrypt(cipher(iv, label), key, bytes.slice(LABEL + IV))
    return { ...share, bytes: new Uint8Array(opened) }
  } catch (cause) {
    throw new ShareError('damaged', { cause })
  }
}

const DOMAIN = 'latchkey share\0'
const cipher = (iv: Bytes, label: Bytes) => ({
  name: 'AES-GCM',
  iv,
  additionalData: concatBytes(utf8(DOMAIN), label),
})

function writeLabel({ kind, walletId, setId, address, salt, hash }: ShareLabel): Bytes {
  const ids = [walletId, setId].map((id) => hexToBytes(id.replaceAll('-', '')))
  return concatBytes(
    Uint8Array.of(VERSION, KINDS.indexOf(kind)),
    ...ids,
    hexToBytes(address.slice(2)),
    salt,
    hash,
  )
}

function readLabel(label: Bytes): ShareLabel {
  if (label[0] !== VERSION) throw new ShareError('version')
  const kind = KINDS[label[1] ?? KINDS.length]
  if (!kind) throw new ShareError('malformed')
  return {
    kind,
    walletId: toUuid(label.subarray(2, 18)),
    setId: toUuid(label.subarray(18, 34)),
    address: `0x${bytesToHex(label.subarray(34, 54))}`,
    salt: label.slice(54, 70),
    hash: label.slice(70, 102),
  }
}

const toUuid = (bytes: Uint8Array) =>
  bytesToHex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
