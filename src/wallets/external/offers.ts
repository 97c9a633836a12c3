import { browseChains } from '../registry/browse.ts'
import {
  allWallets,
  defaultWalletList,
  installUrlOf,
  isListEntry,
  isRegistered,
  type KnownWallet,
  type Store,
  walletName,
  walletOf,
} from '../registry/registry.ts'
import type { ChainType, FoundWallet, OfferOptions, WalletOffer } from './connector.ts'

export interface OfferInput {
  readonly options: OfferOptions
  /** The wallets of this browser. */
  readonly found: readonly FoundWallet[]
  readonly mobile: boolean
  /** Whether WalletConnect is available. */
  readonly walletConnect: boolean
  /** Which of its accounts Coinbase's wallet may open. */
  readonly coinbase: 'all' | 'eoaOnly' | 'smartWalletOnly'
  /** Where this browser gets its extensions. */
  readonly store?: Store | undefined
  /** The wallet used last, which comes first. */
  readonly recent?: { readonly clientType: string; readonly chainType: ChainType } | undefined
  /** Called with unknown names; the console by default. */
  readonly warn?: ((text: string) => void) | undefined
}

const detected: ReadonlyMap<string, readonly ChainType[]> = new Map<string, readonly ChainType[]>([
  ['detected_wallets', ['ethereum', 'solana']],
  ['detected_ethereum_wallets', ['ethereum']],
  ['detected_solana_wallets', ['solana']],
])
/**
 * Offered for Solana if the app names no wallets and none were found: the default list only has detected
 * ones.
 */
const forSolana = ['phantom', 'solflare', 'backpack']
const coinbaseName = 'com.coinbase.wallet'

/** The available wallets, in the app's order. */
export function arrangeOffers(input: OfferInput): readonly WalletOffer[] {
  const { options, recent } = input
  const list = options.walletList?.length ? options.walletList : defaultWalletList
  warnOfUnknown(list, input.warn)

  // Coinbase's own SDK finds its extension, which would be listed twice.
  const isNamedCoinbase = ({ rdns }: FoundWallet) => rdns === coinbaseName && list.includes('coinbase_wallet')
  const found = input.found.filter((one) => options.chains.includes(one.chainType) && !isNamedCoinbase(one))
  const named = new Set(list.map(walletOf))
  const unnamed = found.filter((one) => ![...named].some((wallet) => wallet && isThat(wallet, one)))

  const offers = list.flatMap((name) => {
    const chains = detected.get(name)
    if (chains) return unnamed.filter(({ chainType }) => chains.includes(chainType)).map(here)
    return offersOf(walletOf(name), found, input)
  })
  if (options.all) {
    const others = allWallets().filter((wallet) => !named.has(wallet))
    const reachable = others
      .flatMap((wallet) => offersOf(wallet, found, input))
      .filter(({ reach, meta }) => reach !== 'install' || isExtension(meta.id))
    offers.push(...unnamed.map(here), ...reachable)
  }
  if (offers.length === 0 && list === defaultWalletList)
    offers.push(...forSolana.flatMap((id) => offersOf(walletOf(id), found, input)))

  const isRecent = ({ meta, chainType }: WalletOffer) =>
    meta.id === recent?.clientType && chainType === recent.chainType
  return withoutDoubles([...offers.filter(isRecent), ...offers.filter((offer) => !isRecent(offer))])
}

/** The ways to one wallet: what was found of it, and how it is reached for the remaining chains. */
function offersOf(
  wallet: KnownWallet | undefined,
  found: readonly FoundWallet[],
  input: OfferInput,
): WalletOffer[] {
  if (!wallet) return []
  const present = found.filter((one) => isThat(wallet, one))
  const offers = input.options.chains.flatMap((chain) => {
    const those = present.filter(({ chainType }) => chainType === chain)
    return those.length > 0 ? those.map(here) : (away(wallet, chain, input) ?? [])
  })
  // One 'install' is enough, and a wallet that is here needs no 'open elsewhere'.
  const first = offers.find(({ reach }) => reach === 'install')
  return offers.filter(
    (offer) =>
      (offer.reach !== 'install' || offer === first) &&
      (present.length === 0 || !['install', 'browse'].includes(offer.reach)),
  )
}

/** How to reach a wallet that this browser does not have. */
function away(wallet: KnownWallet, chainType: ChainType, input: OfferInput): WalletOffer | undefined {
  const offer = (reach: WalletOffer['reach'], id = wallet.id): WalletOffer => ({
    id: offerId(id, chainType),
    meta: { id, name: walletName(id), icon: undefined },
    chainType,
    reach,
    installUrl: installUrlOf(id, input.store),
  })
  const isEthereum = chainType === 'ethereum'
  if (wallet.rdns === coinbaseName) {
    const id = input.coinbase === 'smartWalletOnly' ? 'coinbase_smart_wallet' : 'coinbase_wallet'
    return isEthereum ? offer('coinbase', id) : undefined
  }
  if (wallet.id === 'wallet_connect')
    return isEthereum && input.walletConnect ? offer('wallet-connect') : undefined
  if (input.mobile && browseChains(wallet.id).includes(chainType)) return offer('browse')
  if (isEthereum && input.walletConnect && isRegistered(wallet)) return offer('wallet-connect')
  return chainsOf(wallet).includes(chainType) ? offer('install') : undefined
}

const here = (found: FoundWallet): WalletOffer => ({
  id: offerId(found.meta.id, found.chainType),
  meta: found.meta,
  chainType: found.chainType,
  reach: 'here',
  found,
})

const offerId = (id: string, chainType: ChainType) => (chainType === 'solana' ? `${id}:solana` : id)

/** Whether what was found is that wallet, by its client type or by the name that it announces. */
const isThat = (wallet: KnownWallet, { meta, rdns }: FoundWallet) =>
  walletOf(meta.id) === wallet || (rdns !== undefined && rdns === wallet.rdns)

const chainsOf = ({ id, chains }: KnownWallet): readonly ChainType[] =>
  chains ?? ['ethereum', ...browseChains(id)]

/** Whether it can be installed into a browser; the others exist on phones only. */
const isExtension = (id: string) => walletOf(id)?.rdns !== undefined || browseChains(id).length > 0

/**
 * The same offer is listed once; two wallets with one name both stay, because nobody can say which one is
 * meant.
 */
function withoutDoubles(offers: readonly WalletOffer[]): WalletOffer[] {
  const kept = new Map<string, WalletOffer>()
  for (const offer of offers) {
    const other = kept.get(offer.id)
    if (!other) kept.set(offer.id, offer)
    else if (offer.found && offer.found !== other.found) {
      const id = `${offer.id}:${offer.found.rdns ?? kept.size}`
      if (!kept.has(id)) kept.set(id, { ...offer, id })
    }
  }
  return [...kept.values()]
}

/** Lists that a host was already warned about: the same one is requested again and again. */
const warnedLists = new WeakSet<readonly string[]>()

function warnOfUnknown(list: readonly string[], warn: OfferInput['warn']): void {
  const unknown = list.filter((name) => !isListEntry(name) && !walletOf(name))
  if (unknown.length === 0 || warnedLists.has(list)) return
  warnedLists.add(list)
  // A name among the login methods that is none of them may have been meant for a wallet.
  for (const name of unknown) {
    const text = `[latchkey] Unsupported wallet ${name}, in walletList or among the login methods`
    if (warn) warn(text)
    else console.warn(text)
  }
}
