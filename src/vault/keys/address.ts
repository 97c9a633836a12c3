import { keccak_256 } from '@noble/hashes/sha3.js'
import { checksumAddress } from '../../ethereum/address.ts'
import { bytesToHex } from '../bytes.ts'
import type { RootName } from '../model.ts'

/** The address of an uncompressed public key of 65 bytes, with its checksum. */
export const ethereumAddress = (publicKey: Uint8Array): string =>
  checksumAddress(bytesToHex(keccak_256(publicKey.subarray(1)).subarray(12)))

/**
 * Reads an address as roots are named by it: Ethereum's in lower case. Resolves with `undefined` if it is none of that chain. Who has
 * to do with Ethereum alone loads nothing for Solana.
 */
export async function parseRootName(
  chainType: RootName['chainType'],
  address: string,
): Promise<RootName | undefined> {
  if (chainType === 'solana') {
    const { parseSolanaAddress } = await import('../../solana/base58.ts')
    return parseSolanaAddress(address) ? { chainType, address } : undefined
  }
  return /^0x[0-9a-fA-F]{40}$/.test(address) ? { chainType, address: address.toLowerCase() } : undefined
}

/** A root's name as people and the server write it: with a checksum (EIP-55), or in base58. */
export const formatRootName = ({ chainType, address }: RootName): string =>
  chainType === 'ethereum' ? checksumAddress(address.slice(2)) : address

/** The name of the root whose index-0 wallet on a chain has this address. */
export const rootNameOf = (chainType: RootName['chainType'], address: string): RootName => ({
  chainType,
  address: chainType === 'ethereum' ? address.toLowerCase() : address,
})
