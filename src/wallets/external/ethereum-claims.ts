import { parseEthereumAddress } from '../../chains/address.ts'
import { isHexBytes } from '../../chains/hex.ts'
import { limits } from '../../core/limits.ts'
import { listOf } from './claims.ts'

/** Ethereum addresses with their checksum, without doubles; `undefined` for what is no list. */
export function addressesOf(value: unknown): readonly string[] | undefined {
  const found = listOf(value, limits.walletAccounts)?.flatMap((each) => parseEthereumAddress(each) ?? [])
  return found && [...new Set(found)]
}

/** A signature as hex bytes; ERC-6492 wraps whole transactions in one, hence its room. */
export const signatureOf = (value: unknown): string | undefined =>
  isHexBytes(value) && value.length > 2 && value.length <= limits.walletSignatureSize ? value : undefined
