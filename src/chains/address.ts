import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { parseBase58 } from './base58.ts'

export { parseBase58 }

/** An Ethereum address in its checksummed form (EIP-55). Only for text that is an address. */
function checksummed(address: string): string {
  const digits = address.slice(2).toLowerCase()
  const sum = bytesToHex(keccak_256(utf8ToBytes(digits)))
  const cased = [...digits].map((digit, at) => ((sum[at] ?? '0') > '7' ? digit.toUpperCase() : digit))
  return `0x${cased.join('')}`
}

/**
 * Reads an Ethereum address and gives it checksummed. Text all in one case carries no checksum, and is taken;
 * mixed case with a wrong one is a slip, or worse, and is not: `undefined`.
 */
export function parseEthereumAddress(text: unknown): string | undefined {
  if (typeof text !== 'string' || !/^0x[0-9a-f]{40}$/i.test(text)) return undefined
  const digits = text.slice(2)
  const address = checksummed(text)
  const saysNothing = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  return saysNothing || text === address ? address : undefined
}

/** Whether an address is written as EIP-55 wants it. */
export const isChecksummed = (text: string): boolean =>
  /^0x[0-9a-f]{40}$/i.test(text) && checksummed(text) === text

/** Reads a Solana address: 32 bytes in base58. */
export const parseSolanaAddress = (text: unknown): string | undefined =>
  typeof text === 'string' && parseBase58(text, 32) ? text : undefined
