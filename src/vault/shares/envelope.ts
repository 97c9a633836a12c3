import { type Bytes, bytesToHex, concatBytes, fromBase64url, utf8 } from '../bytes.ts'
import { ShareError } from '../errors.ts'
import type { ChainType, SecretKind } from '../model.ts'

export type ShareKind = 'device' | 'auth' | 'recovery'

/** What an envelope says of its share in the open. All of it is authenticated together with the share. */
export interface ShareLabel {
  readonly kind: ShareKind
  readonly secretKind: SecretKind
  /** Lower-case UUIDs. */
  readonly walletId: string
  readonly setId: string
  /**
   * The commitment: the address of the root's first wallet (its own one, if it was imported) with its chain,
   * Ethereum's in lower case, and a salted SHA-256 of the secret.
   */
  readonly chainType: ChainType
  readonly address: string
  readonly salt: Bytes
  readonly hash: Bytes
}
/** An opened share. */
export interface Share extends ShareLabel {
  readonly bytes: Bytes
}
/** What a share has to be: whose and which it is, and all else that is known of it. */
export type ExpectedShare = Pick<ShareLabel, 'kind' | 'walletId'> &
  Partial<Pick<ShareLabel, 'secretKind' | 'setId' | 'chainType' | 'address'>>

/*
 * version 1 | share kind 1 | secret kind 1 | chain 1 | wallet id 16 | set id 16 | address 32 | salt 16 | hash 32
 * | iv 12 | sealed share (as long as the secret, and one) + tag 16
 * Version 1 had no kind of secret and no chain (an entropy, Ethereum) and an address of 20 bytes.
 */
export const SHARE_KINDS: readonly ShareKind[] = ['device', 'auth', 'recovery']
export const SECRET_KINDS: readonly SecretKind[] = ['entropy', 'key']
export const CHAINS: readonly ChainType[] = ['ethereum', 'solana']
/** Bytes of an address of any chain, and of an Ethereum one at its end. */
export const ADDRESS = 32
const ETHEREUM = 20
export const IV = 12
const TAG = 16
const LABELS: Readonly<Record<number, number>> = { 1: 102, 2: 116 }
/** Bytes of a root's secret. */
export const secretLengths: Readonly<Record<SecretKind, number>> = { entropy: 16, key: 32 }

/**
 * Opens an envelope, which has to carry the label that is expected. Throws {@link ShareError}: 'malformed' when it
 * is no envelope, 'version' when it is a newer one, 'mismatch' when it is another share, 'damaged' when the key does
 * not fit or a single bit is not as it was sealed.
 */
export async function openShare(
  key: CryptoKey,
  text: string,
  expected: ExpectedShare,
  context: Uint8Array = new Uint8Array(),
): Promise<Share> {
  const bytes = text.length <= LONGEST ? fromBase64url(text) : undefined
  if (!bytes) throw new ShareError('malformed')
  const share = await readLabel(bytes)
  const label = bytes.slice(0, LABELS[bytes[0] ?? 0])
  const sealed = bytes.slice(label.length + IV)
  if (sealed.length !== secretLengths[share.secretKind] + 1 + TAG) throw new ShareError('malformed')
  const same = (name: keyof ExpectedShare) => (expected[name] ?? share[name]) === share[name]
  if (!EXPECTED.every(same)) throw new ShareError('mismatch')
  const iv = bytes.slice(label.length, label.length + IV)
  try {
    const opened = await crypto.subtle.decrypt(cipher(iv, label, context), key, sealed)
    return { ...share, bytes: new Uint8Array(opened) }
  } catch (cause) {
    throw new ShareError('damaged', { cause })
  }
}
const EXPECTED = ['kind', 'walletId', 'secretKind', 'setId', 'chainType', 'address'] as const
/** Characters of the longest envelope that there is. */
const LONGEST = Math.ceil(((116 + IV + 33 + TAG) * 4) / 3)

const DOMAIN = 'latchkey share\0'
/** How a share is sealed under its label. */
export const cipher = (iv: Bytes, label: Bytes, context: Uint8Array) => ({
  name: 'AES-GCM',
  iv,
  additionalData: concatBytes(utf8(DOMAIN), label, context),
})

/** Reads the label at the beginning of an envelope, opened or not. Throws {@link ShareError}. */
export async function readLabel(bytes: Uint8Array): Promise<ShareLabel> {
  const version = bytes[0] ?? 0
  const length = LABELS[version]
  if (!length) throw new ShareError(bytes.length > 0 ? 'version' : 'malformed')
  if (bytes.length < length) throw new ShareError('malformed')
  const first = version === 1
  const kind = SHARE_KINDS[bytes[1] ?? 0]
  const secretKind = first ? 'entropy' : SECRET_KINDS[bytes[2] ?? 0]
  const chainType = first ? 'ethereum' : CHAINS[bytes[3] ?? 0]
  if (!kind || !secretKind || !chainType) throw new ShareError('malformed')
  const ids = bytes.subarray(first ? 2 : 4)
  const address = ids.subarray(32, first ? 32 + ETHEREUM : 32 + ADDRESS)
  const padding = address.length - ETHEREUM
  if (chainType === 'ethereum' && address.subarray(0, padding).some(Boolean))
    throw new ShareError('malformed')
  return {
    kind,
    secretKind,
    chainType,
    walletId: toUuid(ids.subarray(0, 16)),
    setId: toUuid(ids.subarray(16, 32)),
    address:
      chainType === 'solana'
        ? (await import('../../solana/base58.ts')).formatBase58(address)
        : `0x${bytesToHex(address.subarray(padding))}`,
    salt: bytes.slice(length - 48, length - 32),
    hash: bytes.slice(length - 32, length),
  }
}

const toUuid = (bytes: Uint8Array) =>
  bytesToHex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
