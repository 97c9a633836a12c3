import { split } from 'shamir-secret-sharing'
import { type Bytes, randomBytes } from '../bytes.ts'
import { rootNameOf } from '../keys/address.ts'
import type { RootSecret } from '../keys/root.ts'
import { commitmentOf } from './combine.ts'
import type { Share, ShareKind, ShareLabel } from './envelope.ts'

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
