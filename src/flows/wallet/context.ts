import type { EmbeddedWallets } from '../../wallets/embedded/embedded.ts'

/** What flows need that make or use an embedded wallet. */
export interface WalletContext {
  readonly wallets: { readonly embedded: EmbeddedWallets }
}
