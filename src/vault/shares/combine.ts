import { sha256 } from '@noble/hashes/sha2.js'
import { combine } from 'shamir-secret-sharing'
import { type Bytes, concatBytes, equalBytes, utf8, wipe } from '../bytes.ts'
import { ShareError } from '../errors.ts'
import { rootNameOf } from '../keys/address.ts'
import { withRoot } from '../keys/root.ts'
import type { OpenRoot } from '../model.ts'
import { type Share, type ShareLabel, secretLengths } from './envelope.ts'

/**
 * Puts a root together from two shares and lends it to `work`. The shares must be of one set, and what they give must
 * be what the set was made of, in hash and in address, before `work` sees anything. Both shares and the
 * root are zeroed at the end. Throws {@link ShareError}, or what `work` throws.
 */
export async function openRoot<T>(
  first: Share,
  second: Share,
  work: (root: OpenRoot) => T | Promise<T>,
): Promise<T> {
  const { walletId, secretKind: kind, chainType, address } = first
  const secret = await combineShares(first, second)
  try {
    return await withRoot({ walletId, kind, secret, chainType }, async (root) => {
      const found = await root.withKey({ chainType, index: 0 }, (key) => rootNameOf(chainType, key.address))
      if (found.address !== address) throw new ShareError('commitment')
      return work(root)
    })
  } finally {
    wipe(secret)
  }
}

/**
 * The secret of two shares of one set, held to its commitment's hash; the address is not looked at. Both shares are
 * zeroed, the caller wipes the secret. Throws {@link ShareError}.
 */
export async function combineShares(first: Share, second: Share): Promise<Bytes> {
  let secret: Bytes | undefined
  let sound = false
  try {
    if (first.kind === second.kind || !ofOneSet(first, second)) throw new ShareError('mismatch')
    secret = await combined(first.bytes, second.bytes)
    if (secret.length !== secretLengths[first.secretKind]) throw new ShareError('damaged')
    if (!equalBytes(commitmentOf(first.salt, secret), first.hash)) throw new ShareError('commitment')
    sound = true
    return secret
  } finally {
    wipe(first.bytes, second.bytes, sound ? undefined : secret)
  }
}

async function combined(first: Bytes, second: Bytes): Promise<Bytes> {
  try {
    return (await combine([first, second])) as Bytes
  } catch (cause) {
    throw new ShareError('damaged', { cause })
  }
}

const ofOneSet = (a: ShareLabel, b: ShareLabel) =>
  a.walletId === b.walletId &&
  a.setId === b.setId &&
  a.secretKind === b.secretKind &&
  a.chainType === b.chainType &&
  a.address === b.address &&
  equalBytes(a.salt, b.salt) &&
  equalBytes(a.hash, b.hash)

const DOMAIN = 'latchkey entropy\0'
/** The salted hash of a secret, by which a share is known to be one of it. */
export function commitmentOf(salt: Bytes, secret: Bytes): Bytes {
  const committed = concatBytes(utf8(DOMAIN), salt, secret)
  try {
    return sha256(committed)
  } finally {
    wipe(committed)
  }
}
