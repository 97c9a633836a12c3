import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { publicKeyToAddress } from 'viem/accounts'
import { formatBase58 } from '../../../src/solana/base58.ts'
import { seal, unseal } from '../secrets/sealing.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { GrantKeys } from './grant-keys.ts'

/** A wallet's key in two halves: each alone is random. */
export interface SplitKey {
  keyId: string
  /** Encrypted to the server's key for grants. */
  encryptedShare: string
  /** 32 bytes in base64url. */
  share: string
}
export type WalletChain = 'ethereum' | 'solana'

const KEY = 32
/** The 16 bytes that stand before the seed in the PKCS #8 form of an ed25519 key. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Names the owner of the halves: both open with the same words alone. */
export const shareContext = (given: { appId: string; userId: string; address: string }): string =>
  `latchkey grant ${given.appId} ${given.userId} ${given.address}`
/** As what the half at rest is sealed. */
export const sealedShareName = (grantId: string): string => `grant ${grantId} share`

/** Lends a wallet's key for one piece of work, and wipes it afterwards. */
export async function withWalletKey<T>(
  keys: GrantKeys,
  split: SplitKey,
  context: string,
  work: (key: Uint8Array) => T | Promise<T>,
): Promise<T> {
  const half = await keys.open(split.keyId, split.encryptedShare, context)
  const other = Buffer.from(split.share, 'base64url')
  const key = Buffer.alloc(KEY)
  try {
    if (half.length !== KEY || other.length !== KEY) throw new Error('A share has another size')
    for (let at = 0; at < KEY; at++) key[at] = (half[at] ?? 0) ^ (other[at] ?? 0)
    return await work(key)
  } finally {
    for (const bytes of [half, other, key]) bytes.fill(0)
  }
}

export const sealShare = (secrets: Secrets, grantId: string, share: string) =>
  seal(secrets, sealedShareName(grantId), share)
export const unsealShare = (secrets: Secrets, grantId: string, sealed: string) =>
  unseal(secrets, sealedShareName(grantId), sealed)

/** The address of a key. */
export function addressOf(chainType: WalletChain, key: Uint8Array): string {
  if (chainType === 'ethereum')
    return publicKeyToAddress(`0x${Buffer.from(secp256k1.getPublicKey(key, false)).toString('hex')}`)
  const spki = createPublicKey(ed25519Key(key)).export({ type: 'spki', format: 'der' })
  return formatBase58(spki.subarray(-KEY))
}

/** Signs a message of Solana. */
export const signSolana = (key: Uint8Array, message: Uint8Array): Uint8Array =>
  sign(null, message, ed25519Key(key))

/** Signs a hash on Ethereum. */
export function signEthereum(key: Uint8Array, hash: Uint8Array) {
  const bytes = secp256k1.sign(hash, key, { prehash: false, lowS: true, format: 'recovered' })
  const hex = (from: number, to: number) =>
    `0x${Buffer.from(bytes.subarray(from, to)).toString('hex')}` as const
  const yParity = bytes[0] ?? 0
  return { r: hex(1, 33), s: hex(33, 65), yParity, v: 27n + BigInt(yParity) }
}

function ed25519Key(seed: Uint8Array) {
  const der = Buffer.concat([PKCS8_HEAD, seed])
  try {
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  } finally {
    der.fill(0)
  }
}
