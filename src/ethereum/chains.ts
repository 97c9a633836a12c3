import {
  arbitrum,
  arbitrumSepolia,
  avalanche,
  avalancheFuji,
  base,
  baseSepolia,
  celo,
  filecoin,
  filecoinCalibration,
  garnet,
  hyperEvm,
  linea,
  lukso,
  mainnet,
  optimism,
  optimismSepolia,
  polygon,
  polygonAmoy,
  redstone,
  sepolia,
  zora,
  zoraSepolia,
} from 'viem/chains'
import { isLoopbackHost } from '../lib/origin.ts'
import { parseEthereumAddress } from './address.ts'
import { formatQuantity } from './integer.ts'

/** A chain as viem describes it, as far as it is used here. */
export interface Chain {
  readonly id: number
  readonly name: string
  readonly nativeCurrency: { readonly name: string; readonly symbol: string; readonly decimals: number }
  readonly rpcUrls: { readonly default: { readonly http: readonly string[] } }
  readonly blockExplorers?: { readonly default: { readonly name: string; readonly url: string } } | undefined
  /** Contracts that every wallet may ask, by name. */
  readonly contracts?: Readonly<Record<string, unknown>> | undefined
}

/** The chains of an app that names none, in the order in which wallets are offered them. Retired networks are left out. */
export const defaultChains: readonly Chain[] = [
  ...[arbitrum, arbitrumSepolia, sepolia, mainnet, optimism, optimismSepolia, polygon, polygonAmoy],
  ...[celo, filecoin, filecoinCalibration, base, baseSepolia, lukso],
  ...[linea, avalanche, avalancheFuji, zora, hyperEvm, zoraSepolia, redstone, garnet],
]

/** What an app says about its chains; without anything the default ones are used. */
export interface ChainOptions {
  readonly host: {
    readonly supportedChains?: readonly Chain[]
    readonly defaultChain?: Chain
    /** The app's own nodes by chain id. */
    readonly rpcConfig?: { readonly rpcUrls?: Readonly<Record<number, string>> }
  }
}

/** The chains that wallets may use: those of the app, or the default ones. */
export function supportedChains({ host }: ChainOptions): readonly Chain[] {
  const named = host.supportedChains?.length ? host.supportedChains : defaultChains
  const first = host.defaultChain
  return first && !named.some(({ id }) => id === first.id) ? [first, ...named] : named
}
export const supportedChainIds = (options: ChainOptions): readonly number[] =>
  supportedChains(options).map(({ id }) => id)

/** Whether the app has named a chain itself: in its list, by a node, or as its default. The nodes of all others are no choice of the app. */
export const isNamed = ({ host }: ChainOptions, id: number): boolean =>
  host.supportedChains?.some((chain) => chain.id === id) ||
  host.defaultChain?.id === id ||
  host.rpcConfig?.rpcUrls?.[id] !== undefined
/** The chains that the app has named itself, and the one on which its wallets begin. */
export const namedChainIds = (options: ChainOptions): readonly number[] =>
  supportedChainIds(options).filter((id) => isNamed(options, id) || id === defaultChainId(options))

/** A chain by its id; `undefined` when wallets may not use it. */
export const chainOf = (options: ChainOptions, id: number): Chain | undefined =>
  supportedChains(options).find((chain) => chain.id === id)

/** The chain of a wallet that has not chosen one: the app's default, Ethereum, or the first supported chain. */
export function defaultChainId(options: ChainOptions): number {
  const ids = supportedChainIds(options)
  return options.host.defaultChain?.id ?? (ids.includes(mainnet.id) ? mainnet.id : (ids[0] ?? mainnet.id))
}

/** The URL of the node that the kit uses: the app's own, or the chain's public one. */
export const rpcUrlOf = (options: ChainOptions, id: number): string | undefined =>
  options.host.rpcConfig?.rpcUrls?.[id] ?? chainOf(options, id)?.rpcUrls.default.http[0]

/**
 * The contract that says what a transaction costs beside its gas, on a chain of the OP stack. A host may describe such a
 * chain without its contracts, so viem's own description counts as well.
 */
export function gasPriceOracleOf(options: ChainOptions, id: number): string | undefined {
  const known = [chainOf(options, id), defaultChains.find((chain) => chain.id === id)]
  for (const chain of known) {
    const { address } = (chain?.contracts?.gasPriceOracle ?? {}) as { readonly address?: unknown }
    const oracle = parseEthereumAddress(address)
    if (oracle) return oracle
  }
  return undefined
}

/**
 * The page of a transaction at the chain's explorer, also where a host describes a known chain without one. `undefined` for a chain that
 * nobody knows one of: another chain's explorer would show that there is no such transaction, or a different one.
 */
export function explorerUrlOf(options: ChainOptions, id: number, hash: string): string | undefined {
  const known = chainOf(options, id) && defaultChains.find((chain) => chain.id === id)
  const base = (chainOf(options, id)?.blockExplorers ?? known?.blockExplorers)?.default.url
  return base && isNodeUrl(base) ? `${base.replace(/\/+$/, '')}/tx/${hash}` : undefined
}

/** The parameters of `wallet_addEthereumChain` (EIP-3085). */
export interface AddChainParams {
  readonly chainId: `0x${string}`
  readonly chainName: string
  readonly nativeCurrency: Chain['nativeCurrency']
  readonly rpcUrls: readonly string[]
  readonly blockExplorerUrls?: readonly string[]
}

/** Names the chain's public nodes only: the URL of an app's own node may contain a key that no wallet should store. */
export function addChainParams(chain: Chain): AddChainParams {
  const { name, symbol, decimals } = chain.nativeCurrency
  const explorer = chain.blockExplorers?.default.url
  return {
    chainId: formatQuantity(chain.id),
    chainName: chain.name,
    nativeCurrency: { name, symbol, decimals },
    rpcUrls: chain.rpcUrls.default.http.filter(isNodeUrl),
    ...(explorer && isNodeUrl(explorer) && { blockExplorerUrls: [explorer] }),
  }
}

/** Wallets accept https, or a node on the same machine. */
function isNodeUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname))
}
