import { parseWalletAddress } from '../../../ethereum/address.ts'
import { isHexBytes } from '../../../ethereum/hex.ts'
import { walletsLimits } from '../../limits.ts'
import { listOf } from '../claims.ts'

/** Checksummed Ethereum addresses without duplicates; `undefined` if it is no list. */
export function addressesOf(value: unknown): readonly string[] | undefined {
  const found = listOf(value, walletsLimits.walletAccounts)?.flatMap((each) => parseWalletAddress(each) ?? [])
  return found && [...new Set(found)]
}

/** A signature as hex bytes; ERC-6492 wraps whole transactions in one, which needs the room. */
export const signatureOf = (value: unknown): string | undefined =>
  isHexBytes(value) && value.length > 2 && value.length <= walletsLimits.walletSignatureSize
    ? value
    : undefined
