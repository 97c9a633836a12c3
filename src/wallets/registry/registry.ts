import { type KnownWallet, otherWallets, registryWallets } from './rows.ts'
import { type Store, storePage } from './stores.ts'

export type { KnownWallet } from './rows.ts'
export type { Store } from './stores.ts'

/** What an app may name in its list of wallets: wallets, and those detected in this browser. */
export const listEntries: readonly string[] = [
  ...['coinbase_wallet', 'cryptocom', 'metamask', 'okx_wallet', 'phantom', 'rainbow', 'uniswap', 'zerion'],
  ...['universal_profile', 'bybit_wallet', 'wallet_connect', 'detected_wallets', 'detected_solana_wallets'],
  ...['detected_ethereum_wallets', 'rabby_wallet', 'safe', 'ronin_wallet', 'solflare', 'backpack'],
]

/** The list of an app that sets none. */
export const defaultWalletList: readonly string[] = [
  ...['detected_wallets', 'metamask', 'coinbase_wallet', 'rainbow', 'wallet_connect'],
]

export const isListEntry = (name: string): boolean => listEntries.includes(name)

const everyWallet = [...registryWallets, ...otherWallets]
const byId: ReadonlyMap<string, KnownWallet> = new Map(everyWallet.map((wallet) => [wallet.id, wallet]))

/** Announced names of browser wallets that would make another client type than the wallet has. */
const aliases: ReadonlyMap<string, string> = new Map([
  ['uniswap_extension', 'uniswap'],
  ['uniswap_wallet_extension', 'uniswap'],
  ['crypto.com_wallet_extension', 'cryptocom'],
  ['crypto.com_onchain', 'cryptocom'],
])

/** All of them: the registry in its order, then the others. */
export const allWallets = (): readonly KnownWallet[] => everyWallet

/** A wallet by its client type, including a type that only its browser extension uses. */
export const walletOf = (id: string): KnownWallet | undefined => byId.get(aliases.get(id) ?? id)

/** Whether WalletConnect reaches it. */
export const isRegistered = (wallet: KnownWallet): boolean => registryWallets.includes(wallet)

/** Its display name; for an unknown one, words made from its client type. */
export const walletName = (id: string): string =>
  walletOf(id)?.name ??
  id
    .replace(/_+/g, ' ')
    .trim()
    .replace(/\b[a-z]/g, (letter) => letter.toUpperCase())

/** The text of its button in a list. */
export const walletLabel = (id: string, name: string): string => {
  const wallet = walletOf(id)
  // What a wallet of this browser calls itself is its own business.
  return wallet?.label && wallet.name === name ? wallet.label : name
}

/**
 * The wallet whose site a peer claims. A host counts if it is the wallet's or below it: one that merely
 * contains the name (`metamask.io.example`) is somebody else's.
 */
export function walletByUrl(peerUrl: string): KnownWallet | undefined {
  const host = URL.canParse(peerUrl) ? new URL(peerUrl).hostname : ''
  return everyWallet.find(({ hostname }) => hostname && `.${host}`.endsWith(`.${hostname}`))
}

/** Where to get the wallet: the store of this browser, or else its own site. */
export function installUrlOf(id: string, store?: Store): string | undefined {
  const wallet = walletOf(id)
  const shop = storePage(wallet?.id ?? id, store)
  return shop ?? (wallet?.hostname && `https://${wallet.hostname}`)
}
