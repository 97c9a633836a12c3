/** Interoperable addresses (ERC-7930) and how they are written (ERC-7828). */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { checksumAddress } from '../ethereum/address.ts'
import { formatBase58 } from '../solana/base58.ts'

export interface InteroperableAddress {
  /** The chain as in CAIP-350, such as `eip155:1`; without a reference it is any chain of its kind. */
  readonly chain: string
  readonly chainId: number | undefined
  /** For Ethereum with its checksum. */
  readonly address: string
  /** In lower case; for Ethereum alone. */
  readonly ethereum: string | undefined
  /** Eight hex digits. */
  readonly checksum: string
}

/** Reads the binary form; `undefined` for what is not exactly one address of a kind of chain that is known here. */
export function parseInteroperable(hex: string): InteroperableAddress | undefined {
  if (!/^0x0001([0-9a-f]{2})+$/.test(hex) || hex.length > 2 + 2 * (6 + 255 + 255)) return undefined
  const bytes = hexToBytes(hex.slice(2))
  const referenceLength = bytes[4] ?? 0
  const reference = bytes.subarray(5, 5 + referenceLength)
  const addressLength = bytes[5 + referenceLength]
  const address = bytes.subarray(6 + referenceLength)
  if (addressLength === undefined || address.length !== addressLength) return undefined
  if (referenceLength + addressLength === 0) return undefined
  const checksum = bytesToHex(keccak_256(bytes.subarray(2)).subarray(0, 4)).toUpperCase()
  const kind = ((bytes[2] ?? 0) << 8) | (bytes[3] ?? 0)
  if (kind === 0) {
    // No leading zeros: the same chain would have two forms.
    if ((addressLength !== 20 && addressLength !== 0) || reference[0] === 0) return undefined
    const id = referenceLength === 0 ? undefined : BigInt(`0x${bytesToHex(reference)}`)
    const digits = bytesToHex(address)
    return {
      chain: id === undefined ? 'eip155' : `eip155:${id}`,
      chainId: id !== undefined && id <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(id) : undefined,
      address: digits && checksumAddress(digits),
      ethereum: digits ? `0x${digits}` : undefined,
      checksum,
    }
  }
  if (kind !== 2) return undefined
  const chain = referenceLength === 0 ? 'solana' : `solana:${formatBase58(reference)}`
  return { chain, chainId: undefined, address: formatBase58(address), ethereum: undefined, checksum }
}
