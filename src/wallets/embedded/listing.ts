import type { LinkedAccount, User } from '../../protocol/user.ts'
import type { EmbeddedAccount } from './embedded-wallets.ts'

/**
 * The embedded wallets of a person on chains that this version knows: those of index 0 first, imported ones
 * last.
 */
export function embeddedOf(user: User | null): readonly EmbeddedAccount[] {
  const wallets = user?.linkedAccounts.filter(isEmbedded) ?? []
  return wallets.toSorted(
    (a, b) => Number(a.imported) - Number(b.imported) || (a.walletIndex ?? 0) - (b.walletIndex ?? 0),
  )
}

const isEmbedded = (account: LinkedAccount): account is EmbeddedAccount =>
  account.type === 'wallet' &&
  account.embedded &&
  (account.chainType === 'ethereum' || account.chainType === 'solana')

/** The index-0 Ethereum wallet, else the index-0 Solana wallet; an imported wallet is its own root. */
export function rootOf(wallets: readonly EmbeddedAccount[], wallet: EmbeddedAccount): EmbeddedAccount {
  if (wallet.imported) return wallet
  const first = wallets.filter(({ imported, walletIndex }) => !imported && (walletIndex ?? 0) === 0)
  return first.find(({ chainType }) => chainType === 'ethereum') ?? first[0] ?? wallet
}
