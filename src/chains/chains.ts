import type { ChainSettings, Config } from '../config.ts'
import { isLoopbackHost } from '../core/origin.ts'
import { defaultChains } from './default-chains.ts'
import { formatQuantity } from './hex.ts'

export { defaultChains } from './default-chains.ts'

const ethereum = 1
type Chosen = Pick<Config, 'host'>

/** The chains that wallets may be on: the host's, or the usual ones. */
export function supportedChains({ host }: Chosen): readonly ChainSettings[] {
  const named = host.supportedChains?.length ? host.supportedChains : defaultChains
  const first = host.defaultChain
  return first && !named.some(({ id }) => id === first.id) ? [first, ...named] : named
}
export const supportedChainIds = (config: Chosen): readonly number[] =>
  supportedChains(config).map(({ id }) => id)

/** A chain by its number, if wallets may be on it. */
export const chainOf = (config: Chosen, id: number): ChainSettings | undefined =>
  supportedChains(config).find((chain) => chain.id === id)

/** Where a wallet is to be when nobody says: the host's default, Ethereum, or the first that is supported. */
export function defaultChainId(config: Chosen): number {
  const ids = supportedChainIds(config)
  return config.host.defaultChain?.id ?? (ids.includes(ethereum) ? ethereum : (ids[0] ?? ethereum))
}

/** The node that the kit itself asks: the host's own, or the chain's public one. */
export const rpcUrlOf = (config: Chosen, id: number): string | undefined =>
  config.host.rpcConfig?.rpcUrls?.[id] ?? chainOf(config, id)?.rpcUrls.default.http[0]

/** EIP-3085: what a wallet is told of a chain that it does not know. */
export interface AddChainParams {
  readonly chainId: `0x${string}`
  readonly chainName: string
  readonly nativeCurrency: ChainSettings['nativeCurrency']
  readonly rpcUrls: readonly string[]
  readonly blockExplorerUrls?: readonly string[]
}

/** The chain's public nodes, not the host's own ones: their addresses may hold a key that no wallet should keep. */
export function addChainParams(chain: ChainSettings): AddChainParams {
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

/** What wallets accept: https, or a node on one's own machine. */
function isNodeUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname))
}
