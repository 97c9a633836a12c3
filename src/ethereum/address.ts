import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

const ADDRESS = /^0x[0-9a-fA-F]{40}$/

/** Writes an address with its checksum (EIP-55). `digits` are its 40 hex digits, in any case and without a prefix. */
export function checksumAddress(digits: string): string {
  const lower = digits.toLowerCase()
  const sum = bytesToHex(keccak_256(utf8ToBytes(lower)))
  const cased = Array.from(lower, (digit, at) => ((sum[at] ?? '0') > '7' ? digit.toUpperCase() : digit))
  return `0x${cased.join('')}`
}

/**
 * Reads an Ethereum address and gives it with its checksum. Text in one case only has no checksum and is accepted; a
 * wrong checksum means a typing error or an attack: `undefined`, as for anything that is no address.
 */
export function parseEthereumAddress(text: unknown): string | undefined {
  if (typeof text !== 'string' || !ADDRESS.test(text)) return undefined
  const digits = text.slice(2)
  const address = checksumAddress(digits)
  const hasNoChecksum = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  return hasNoChecksum || text === address ? address : undefined
}

/**
 * Reads an Ethereum address in whatever case a wallet writes its own, and gives it with its checksum: chains such as Rootstock have
 * checksums of their own (EIP-1191), and nobody types these addresses.
 */
export const parseWalletAddress = (text: unknown): string | undefined =>
  typeof text === 'string' && ADDRESS.test(text.toLowerCase()) ? checksumAddress(text.slice(2)) : undefined
