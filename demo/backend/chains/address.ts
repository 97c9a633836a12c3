import { keccak_256 } from '@noble/hashes/sha3.js'
import { base58 } from '@scure/base'
import type { Address } from 'viem'

/**
 * An Ethereum address in its EIP-55 form, the one in which it is stored and compared. Returns `undefined` for what is
 * none; a mixed spelling with another checksum is a mistake.
 */
export function readEthereumAddress(text: string): Address | undefined {
  const trimmed = text.trim()
  if (!/^0x[\da-f]{40}$/i.test(trimmed)) return undefined
  const digits = trimmed.slice(2)
  const address = checksummed(digits)
  const mixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase()
  return mixed && trimmed !== address ? undefined : address
}

/** EIP-55: the case of each letter is a bit of a hash. @param digits 40 of them */
export function checksummed(digits: string): Address {
  const lower = digits.toLowerCase()
  const hash = Buffer.from(keccak_256(Buffer.from(lower))).toString('hex')
  return `0x${lower.replace(/[a-f]/g, (letter, at: number) => ((hash[at] ?? '0') > '7' ? letter.toUpperCase() : letter))}`
}

/** A Solana address: 32 bytes in base58, which is written in one way only. */
export function readSolanaAddress(text: string): string | undefined {
  const trimmed = text.trim()
  return solanaKey(trimmed) && trimmed
}

export interface WalletAddress {
  chainType: 'ethereum' | 'solana'
  /** EIP-55, or base58. */
  address: string
}
/** An address of either chain. */
export function readWalletAddress(text: string): WalletAddress | undefined {
  const ethereum = readEthereumAddress(text)
  if (ethereum) return { chainType: 'ethereum', address: ethereum }
  const solana = readSolanaAddress(text)
  return solana === undefined ? undefined : { chainType: 'solana', address: solana }
}

/** The key that a Solana address is. */
export function solanaKey(address: string): Uint8Array | undefined {
  if (!/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(address)) return undefined
  const key = base58.decode(address)
  return key.length === 32 ? key : undefined
}
