import type { Config } from '../../app/config.ts'
import type { RecentWallet } from '../../session/recent-login.ts'
import type { ChainType, OfferOptions, WalletOffer } from '../../wallets/external/connector.ts'

/** The host's options for one list. */
export interface WalletListOptions {
  /** Entries of the wallet list; see the configuration's `walletList`. */
  readonly walletList?: readonly string[] | undefined
  readonly walletChainType?: WalletChainType | undefined
}
export type WalletChainType = 'ethereum-only' | 'solana-only' | 'ethereum-and-solana'

const chainsOf: Readonly<Record<WalletChainType, readonly ChainType[]>> = {
  'ethereum-only': ['ethereum'],
  'solana-only': ['solana'],
  'ethereum-and-solana': ['ethereum', 'solana'],
}

/**
 * Which wallets a list holds: those that the host wants, and for a login only on chains that the app accepts.
 * Without chains from the host it is Ethereum, or what the app has instead.
 */
export function offerOptions({ host, app }: Config, own: WalletListOptions, login: boolean): OfferOptions {
  const { walletList, walletChainType } = { ...host.appearance, ...defined(own) }
  const takes: Record<ChainType, boolean> = {
    ethereum: app.loginMethods.has('wallet'),
    solana: app.loginMethods.has('solana-wallet'),
  }
  const asked = chainsOf[walletChainType ?? 'ethereum-only'] ?? chainsOf['ethereum-only']
  if (!login) return { walletList, chains: asked }
  const both = chainsOf['ethereum-and-solana']
  const taken = asked.filter((chain) => takes[chain])
  return { walletList, chains: taken.length > 0 ? taken : both.filter((chain) => takes[chain]) }
}

const defined = (options: WalletListOptions): WalletListOptions =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))

/** Whether somebody last logged in with it, because it is tagged 'Recent' then. */
export const isRecent = ({ meta, chainType }: WalletOffer, recent: RecentWallet | undefined): boolean =>
  recent?.clientType === meta.id && recent.chainType === chainType
