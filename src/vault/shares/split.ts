import { sha256 } from '@noble/hashes/sha2.js'
import { combine, split } from 'shamir-secret-sharing'
import { type Bytes, concatBytes, equalBytes, randomBytes, utf8, wipe } from '../bytes.ts'
import { ShareError } from '../errors.ts'
import { rootNameOf } from '../keys/address.ts'
import { type RootSecret, withRoot } from '../keys/root.ts'
import type { OpenRoot } from '../model.ts'
import { type Share, type ShareKind, type ShareLabel, secretLengths } from './envelope.ts'

/**
 * Splits a root's secret into a new set of three shares, any two of which give it back; the caller wipes them.
 * `chainType` and `address` are those of the root's first wallet.
 */
export async function splitRoot(
  root: RootSecret & Pick<ShareLabel, 'address'>,
): Promise<Record<ShareKind, Share>> {
  const { walletId, kind: secretKind, secret } = root
  const salt = randomBytes(16)
  const hash = commitmentOf(salt, secret)
  const label = {
    walletId,
    secretKind,
    ...rootNameOf(root.chainType, root.address),
    setId: crypto.randomUUID(),
    salt,
    hash,
  }
  const [device, auth, recovery] = (await split(secret, 3, 2)) as [Bytes, Bytes, Bytes]
  return {
    device: { ...label, kind: 'device', bytes: device },
    auth: { ...label, kind: 'auth', bytes: auth },
    recovery: { ...label, kind: 'recovery', bytes: recovery },
  }
}

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
function commitmentOf(salt: Bytes, secret: Bytes): Bytes {
  const committed = concatBytes(utf8(DOMAIN), salt, secret)
  try {
    return sha256(committed)
  } finally {
    wipe(committed)
  }
}
