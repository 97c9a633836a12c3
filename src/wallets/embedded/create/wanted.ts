import type { Config } from '../../../app/config.ts'
import type { CreateOnLogin } from '../../../protocol/app-config.ts'
import type { User } from '../../../protocol/user.ts'
import type { CreateEmbedded } from '../embedded-wallets.ts'

type Chain = CreateEmbedded['chainType']

/** The chains on which the app gives a person a wallet that they don't have yet. */
export function wantedWallets(config: Config, user: User): readonly Chain[] {
  const wallets = user.linkedAccounts.filter((account) => account.type === 'wallet')
  const wants = (chain: Chain, when: CreateOnLogin) => {
    if (when === 'users-without-wallets') return wallets.length === 0
    return when === 'all-users' && !wallets.some((wallet) => wallet.embedded && wallet.chainType === chain)
  }
  const chains: Chain[] = []
  if (wants('ethereum', config.createOnLogin)) chains.push('ethereum')
  if (wants('solana', config.createSolanaOnLogin)) chains.push('solana')
  return chains
}
