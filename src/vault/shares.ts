import { sha256 } from '@noble/hashes/sha2.js'
import { combine, split } from 'shamir-secret-sharing'
import { type Bytes, concatBytes, equalBytes, randomBytes, utf8, wipe } from './bytes.ts'
import { withKey } from './derive.ts'
import type { Share, ShareKind, ShareLabel } from './envelope.ts'
import { ShareError } from './errors.ts'

/** A wallet that is whole for the moment. */
export interface OpenWallet {
  readonly entropy: Bytes
  readonly privateKey: Bytes
  /** EIP-55. */
  readonly address: string
}

/** Splits an entropy into a new set of three shares, any two of which give it back. The caller wipes them. */
export async function splitEntropy(
  entropy: Bytes,
  wallet: Pick<ShareLabel, 'walletId' | 'address'>,
): Promise<Record<ShareKind, Share>> {
  const salt = randomBytes(16)
  const label = {
    walletId: wallet.walletId,
    address: wallet.address.toLowerCase(),
    setId: crypto.randomUUID(),
    salt,
    hash: commitmentOf(salt, entropy),
  }
  const [device, auth, recovery] = (await split(entropy, 3, 2)) as [Bytes, Bytes, Bytes]
  return {
    device: { ...label, kind: 'device', bytes: device },
    auth: { ...label, kind: 'auth', bytes: auth },
    recovery: { ...label, kind: 'recovery', bytes: recovery },
  }
}

/**
 * Puts a wallet together from two shares and lends it to `work`. The shares must be of one set, and what they give
 * must be what the set was made of, in hash and in address, before `work` sees anything (security T25). Both shares
 * and the wallet are zeroed at the end. Throws {@link ShareError}, or what `work` throws.
 */
export async function withWallet<T>(
  first: Share,
  second: Share,
  work: (wallet: OpenWallet) => T | Promise<T>,
): Promise<T> {
  let entropy: Bytes | undefined
  try {
    if (first.kind === second.kind || !ofOneSet(first, second)) throw new ShareError('mismatch')
    const whole = await combined(first.bytes, second.bytes)
    entropy = whole
    if (!equalBytes(commitmentOf(first.salt, whole), first.hash)) throw new ShareError('commitment')
    return await withKey(whole, (privateKey, address) => {
      if (address.toLowerCase() !== first.address) throw new ShareError('commitment')
      return work({ entropy: whole, privateKey, address })
    })
  } finally {
    wipe(entropy, first.bytes, second.bytes)
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
  a.address === b.address &&
  equalBytes(a.salt, b.salt) &&
  equalBytes(a.hash, b.hash)

const DOMAIN = 'latchkey entropy\0'
function commitmentOf(salt: Bytes, entropy: Bytes): Bytes {
  const committed = concatBytes(utf8(DOMAIN), salt, entropy)
  try {
    return sha256(committed)
  } finally {
    wipe(committed)
  }
}
