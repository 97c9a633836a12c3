import { ed25519 } from '@noble/curves/ed25519.js'
import { trimInvisible } from '../../lib/typed-text.ts'
import { recoveryMethods } from '../../protocol/frame/calls.ts'
import { parseBase58 } from '../../solana/base58.ts'
import { type Bytes, equalBytes, hexToBytes, wipe } from '../bytes.ts'
import type { VaultContext } from '../context.ts'
import { VaultError } from '../errors.ts'
import { isPrivateKey } from '../keys/slip10.ts'
import type { ChainType } from '../model.ts'
import { exclusively } from '../shares/exclusively.ts'
import type { Token } from '../token.ts'
import { createRoot } from './create-root.ts'

/**
 * Takes a private key in as a root of its own, with automatic recovery. Resolves with its address; again, with the
 * same. Throws {@link VaultError}, 'invalid_request_arguments' for what is no key of that chain.
 */
export async function importWallet(
  cx: VaultContext,
  token: Token,
  chainType: ChainType,
  text: string,
): Promise<string> {
  const key = readers[chainType](text)
  if (!key) throw new VaultError('invalid_request_arguments', 'The private key is not valid')
  try {
    const recovery = { method: recoveryMethods.automatic }
    const request = { kind: 'key', secret: () => key, chainType, recovery } as const
    const { address } = await exclusively(cx, token, () => createRoot(cx, token, request))
    if (!address) throw new VaultError('error', 'The wallet service sent an unexpected answer')
    return address
  } finally {
    wipe(key)
  }
}

/** Whether a text is a private key of that chain. */
export function isKeyOf(chainType: ChainType, text: string): boolean {
  const key = readers[chainType](text)
  wipe(key)
  return key !== undefined
}

/** Reads a private key as people export it: `undefined` for what is none. */
const readers: Record<ChainType, (text: string) => Bytes | undefined> = {
  /** 64 hex digits, with or without 0x. */
  ethereum(text) {
    const digits = /^(?:0x)?([0-9a-fA-F]{64})$/.exec(trimInvisible(text))?.[1]
    const key = digits && hexToBytes(digits)
    return key && isPrivateKey(key) ? key : undefined
  },
  /** Base58 of the seed and its public key, which have to fit; or of the seed alone. */
  solana(text) {
    const seed = parseBase58(trimInvisible(text), 32)
    if (seed) return seed
    const both = parseBase58(trimInvisible(text), 64)
    if (!both) return undefined
    try {
      const own = both.slice(0, 32)
      if (equalBytes(ed25519.getPublicKey(own), both.subarray(32))) return own
      wipe(own)
      return undefined
    } finally {
      wipe(both)
    }
  },
}
