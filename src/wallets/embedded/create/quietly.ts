import type { Config } from '../../../app/config.ts'
import type { User } from '../../../protocol/user.ts'
import type { CreateEmbedded } from '../embedded-wallets.ts'
import { wantedWallets } from './wanted.ts'

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
    console.warn('User wallet creation failed', cause)
  }
}
