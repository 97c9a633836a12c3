import { keccak_256 } from '@noble/hashes/sha3.js'
import { fromBase58, toBase58 } from '../base58.ts'
import { bytesToHex, utf8 } from '../bytes.ts'
import type { RootName } from '../model.ts'

/** The EIP-55 address of a public key of 65 bytes, which is not compressed. */
export const ethereumAddress = (publicKey: Uint8Array): string =>
  checksummed(bytesToHex(keccak_256(publicKey.subarray(1)).subarray(12)))

/** EIP-55: capitals as a checksum. `hex` is 40 digits without a prefix, in any case. */
export function checksummed(hex: string): string {
  const lower = hex.toLowerCase()
  const sum = bytesToHex(keccak_256(utf8(lower)))
  const digits = Array.from(lower, (digit, i) =>
    Number.parseInt(sum[i] ?? '0', 16) > 7 ? digit.toUpperCase() : digit,
  )
  return `0x${digits.join('')}`
}

/** A Solana address is its public key. */
export const solanaAddress = (publicKey: Uint8Array): string => toBase58(publicKey)

/** Reads an address as roots are named by it: Ethereum's in lower case. `undefined` when it is none of that chain. */
export function readRootName(chainType: RootName['chainType'], address: string): RootName | undefined {
  if (chainType === 'solana') return fromBase58(address, 32) && { chainType, address }
  return /^0x[0-9a-fA-F]{40}$/.test(address) ? { chainType, address: address.toLowerCase() } : undefined
}

/** A root's name as people and the server write it: EIP-55, or base58. */
export const writtenName = ({ chainType, address }: RootName): string =>
  chainType === 'ethereum' ? checksummed(address.slice(2)) : address

/** The name that a root has by the address of one of its index-0 wallets. */
export const nameOf = (chainType: RootName['chainType'], address: string): RootName => ({
  chainType,
  address: chainType === 'ethereum' ? address.toLowerCase() : address,
})
