/** SLIP-0010: keys from a seed, on both curves. For secp256k1 that is BIP-32. */
import { type Bytes, concatBytes, hexToBytes, utf8, wipe } from '../bytes.ts'
import { getPublicKey, order } from './secp256k1.ts'

export type Curve = 'secp256k1' | 'ed25519'

/** A private key with its chain code. */
export interface Node {
  readonly key: Bytes
  readonly chainCode: Bytes
}

/** Added to an index whose child only the private key can derive. */
export const HARDENED = 2 ** 31

const MASTER: Record<Curve, Bytes> = { secp256k1: utf8('Bitcoin seed'), ed25519: utf8('ed25519 seed') }
/** How many private keys secp256k1 has, and one more. */
const ORDER = hexToBytes(order.toString(16).padStart(64, '0')) as Bytes

/**
 * Derives the node at the end of a path and lends it to `work`. What was on the way is zeroed as soon as it has served,
 * and the node itself when `work` is done. Throws for an index that is none, or that the curve does not have.
 */
export async function withNode<T>(
  curve: Curve,
  seed: Bytes,
  path: readonly number[],
  work: (node: Node) => T | Promise<T>,
): Promise<T> {
  let node = await masterOf(curve, seed)
  try {
    for (const index of path) {
      const parent = node
      try {
        node = await childOf(curve, parent, index)
      } finally {
        if (node !== parent) wipe(parent.key, parent.chainCode)
      }
    }
    return await work(node)
  } finally {
    wipe(node.key, node.chainCode)
  }
}

async function masterOf(curve: Curve, seed: Bytes): Promise<Node> {
  let whole = await mac(MASTER[curve], seed)
  while (curve === 'secp256k1' && !isPrivateKey(whole.subarray(0, 32))) {
    const next = await mac(MASTER[curve], whole)
    wipe(whole)
    whole = next
  }
  return halvesOf(whole)
}

async function childOf(curve: Curve, parent: Node, index: number): Promise<Node> {
  if (!Number.isInteger(index) || index < 0 || index >= 2 * HARDENED) throw new RangeError('No index')
  const hardened = index >= HARDENED
  if (!hardened && curve === 'ed25519') throw new RangeError('Every index of this curve is hardened')
  const number = new Uint8Array(4)
  new DataView(number.buffer).setUint32(0, index)
  let data = hardened
    ? concatBytes(Uint8Array.of(0), parent.key, number)
    : concatBytes(getPublicKey(parent.key), number)
  for (;;) {
    const child = halvesOf(await mac(parent.chainCode, data))
    wipe(data)
    if (curve === 'ed25519') return child
    const valid = isBelowOrder(child.key)
    if (valid) addModulo(child.key, parent.key)
    if (valid && child.key.some(Boolean)) return child
    data = concatBytes(Uint8Array.of(1), child.chainCode, number)
    wipe(child.key, child.chainCode)
  }
}

/** HMAC-SHA-512, which every browser has. */
async function mac(key: Bytes, data: Bytes): Promise<Bytes> {
  const how = { name: 'HMAC', hash: 'SHA-512' }
  const signing = await crypto.subtle.importKey('raw', key, how, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', signing, data))
}

function halvesOf(whole: Bytes): Node {
  const node = { key: whole.slice(0, 32), chainCode: whole.slice(32) }
  wipe(whole)
  return node
}

/** Whether 32 bytes are a private key of secp256k1. */
export const isPrivateKey = (bytes: Uint8Array): boolean =>
  bytes.length === 32 && bytes.some(Boolean) && isBelowOrder(bytes)

const isBelowOrder = (bytes: Uint8Array) => minusOrder(bytes, undefined) < 0

/** Writes `bytes - ORDER` into `into`, if there is one. Gives -1 when it is below zero, and 0 when not. */
function minusOrder(bytes: Uint8Array, into: Uint8Array | undefined): number {
  let borrow = 0
  for (let i = 31; i >= 0; i--) {
    const difference = (bytes[i] ?? 0) - (ORDER[i] ?? 0) + borrow
    if (into) into[i] = difference & 0xff
    borrow = difference >> 8
  }
  return borrow
}

/** Adds `b` to `a`, both below the curve's order, in place: as bytes, because a bigint can't be wiped. */
function addModulo(a: Bytes, b: Bytes): void {
  let carry = 0
  for (let i = 31; i >= 0; i--) {
    const sum = (a[i] ?? 0) + (b[i] ?? 0) + carry
    a[i] = sum & 0xff
    carry = sum >> 8
  }
  if (carry > 0 || !isBelowOrder(a)) minusOrder(a, a)
}
