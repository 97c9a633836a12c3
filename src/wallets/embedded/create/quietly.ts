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

/**
 * Creates the wallet that the app wants a person to have, without a dialog. A failure is only a warning: the
 * person stays logged in, and `createWallet` can make up for it.
 */
export async function walletQuietly(
  load: () => Promise<{ create(input: CreateEmbedded): Promise<unknown> }>,
  config: Config,
  user: User,
): Promise<void> {
  try {
    for (const chainType of wantedWallets(config, user)) await (await load()).create({ chainType })
  } catch (cause) {
    console.warn('The embedded wallet could not be created', cause)
  }
}
