import { usdcOn } from '../../lib/usdc.ts'
import { type AssetShape, assets } from './assets.ts'

/** The mark of a network, and the one of its coin where that is another network's. */
const networks: ReadonlyMap<string, readonly [network: string, coin?: string]> = new Map([
  ['eip155:1', ['ethereum']],
  ['eip155:10', ['optimism', 'ethereum']],
  ['eip155:137', ['polygon']],
  ['eip155:8453', ['base', 'ethereum']],
  ['eip155:42161', ['arbitrumOne', 'ethereum']],
  ['eip155:42220', ['celo']],
  ['eip155:43113', ['avalanche']],
  ['eip155:43114', ['avalanche']],
  ['eip155:80002', ['polygon']],
  ['eip155:84532', ['base', 'ethereum']],
  ['eip155:421614', ['arbitrumOne', 'ethereum']],
  ['eip155:11155111', ['ethereum']],
  ['eip155:11155420', ['optimism', 'ethereum']],
])

export type Drawing = readonly AssetShape[]

export interface AssetDrawing {
  /** The coin or token; `undefined` where there is no mark of it. */
  readonly asset?: Drawing | undefined
  /** The network, unless its mark is the asset's. */
  readonly network?: Drawing | undefined
}

/**
 * Our drawings of an asset and its network. A token is known by its contract alone: any contract may call itself USDC.
 * @param chain CAIP-2
 * @param token the contract or mint; `undefined` for the network's own coin
 */
export function assetDrawing(chain: string, token: string | undefined): AssetDrawing {
  const [network, coin = network] = marksOf(chain)
  const asset = token === undefined ? coin : isUsdc(chain, token) ? 'USDC' : undefined
  return { asset: drawingOf(asset), network: network === asset ? undefined : drawingOf(network) }
}

/**
 * Our drawing of a network; `undefined` where there is no mark of it.
 * @param chain CAIP-2
 */
export const networkDrawing = (chain: string): Drawing | undefined => drawingOf(marksOf(chain)[0])

function marksOf(chain: string): readonly [network?: string, coin?: string] {
  return chain.startsWith('solana:') ? ['solana'] : (networks.get(chain) ?? [])
}

function isUsdc(chain: string, token: string): boolean {
  const known = usdcOn(chain)
  // Ethereum's addresses are the same in any case, Solana's are not.
  return known === token || (chain.startsWith('eip155:') && known?.toLowerCase() === token.toLowerCase())
}

const drawingOf = (name: string | undefined): Drawing | undefined =>
  name === undefined ? undefined : assets[name]
