import { type Bytes, randomBytes } from '../../../src/vault/bytes.ts'
import { withRoot } from '../../../src/vault/keys/root.ts'
import type { ChainType, SecretKind } from '../../../src/vault/model.ts'
import { type Share, type ShareKind, secretLengths } from '../../../src/vault/shares/envelope.ts'
import { splitRoot } from '../../../src/vault/shares/split.ts'

export const shareKinds: readonly ShareKind[] = ['device', 'auth', 'recovery']
export const pairs = [
  ['device', 'auth'],
  ['device', 'recovery'],
  ['auth', 'recovery'],
] as const
/** Every kind of root that there is. */
export const rootKinds = [
  { kind: 'entropy', chainType: 'ethereum' },
  { kind: 'entropy', chainType: 'solana' },
  { kind: 'key', chainType: 'ethereum' },
  { kind: 'key', chainType: 'solana' },
] as const satisfies { kind: SecretKind; chainType: ChainType }[]
export type RootKind = (typeof rootKinds)[number]

/** A new root, split. */
export async function newRoot({ kind, chainType }: RootKind = rootKinds[0]) {
  const secret = randomBytes(secretLengths[kind])
  const root = { walletId: crypto.randomUUID(), kind, secret, chainType }
  const address = await withRoot(root, (open) => open.withKey({ chainType, index: 0 }, (key) => key.address))
  return { ...root, address, set: await splitRoot({ ...root, address }) }
}
export type NewRoot = Awaited<ReturnType<typeof newRoot>>

/** A share survives one use only: using it wipes it. */
export const copyOf = (share: Share): Share => ({ ...share, bytes: share.bytes.slice() })

/** A byte string with one bit turned over. */
export function flipped(bytes: Bytes, bit: number): Bytes {
  const other = bytes.slice()
  other[bit >> 3] = (other[bit >> 3] ?? 0) ^ (1 << (bit & 7))
  return other
}
export const allZero = (bytes: Uint8Array) => bytes.every((byte) => byte === 0)
