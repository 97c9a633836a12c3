import type { Wallet } from '@wallet-standard/base'
import { walletsLimits } from '../../limits.ts'
import { fieldOf, listOf } from '../claims.ts'

/** Whether a wallet of the Wallet Standard can be used for Solana. */
export function isSolanaWallet(wallet: unknown): wallet is Wallet {
  const features = fieldOf(wallet, 'features')
  return (
    (solanaChainsOf(wallet)?.length ?? 0) > 0 &&
    // The page's own embedded wallets are not external ones.
    fieldOf(features, 'latchkey:embedded') === undefined &&
    typeof fieldOf(fieldOf(features, 'standard:connect'), 'connect') === 'function'
  )
}

export const solanaChainsOf = (value: unknown): readonly string[] | undefined =>
  listOf(fieldOf(value, 'chains'), walletsLimits.walletAccounts)?.filter(
    (chain) => typeof chain === 'string' && chain.startsWith('solana:'),
  ) as readonly string[] | undefined
