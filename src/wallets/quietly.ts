import type { CreateOnLogin } from '../wire/app-config.ts'
import type { User } from '../wire/user.ts'

/** Spec §3 "create_on_login". */
export function wantsWallet(when: CreateOnLogin, user: User): boolean {
  const wallets = user.linkedAccounts.filter((account) => account.type === 'wallet')
  if (when === 'users-without-wallets') return wallets.length === 0
  return when === 'all-users' && !wallets.some((wallet) => wallet.embedded && wallet.chainType === 'ethereum')
}

/**
 * Makes the wallet that the app wants a person to have, where no dialog is open. A failure is only warned of: the
 * person stays logged in, and `createWallet` makes up for it (spec §8).
 */
export async function walletQuietly(
  embedded: { create(): Promise<unknown> },
  when: CreateOnLogin,
  user: User,
): Promise<void> {
  if (!wantsWallet(when, user)) return
  try {
    await embedded.create()
  } catch (cause) {
    console.warn('The embedded wallet could not be created', cause)
  }
}
