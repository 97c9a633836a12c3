import { usdcOn } from '../../lib/usdc.ts'
import { assets } from './assets.ts'

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

export interface AssetDrawing {
  /** The coin or token; `undefined` where there is no mark of it. */
  readonly asset?: string | undefined
  /** The network, unless its mark is the asset's. */
  readonly network?: string | undefined
}

/**
 * Image addresses of our drawings of an asset and its network. A token is known by its contract alone: any contract may call itself USDC.
 * @param chain CAIP-2
 * @param token the contract or mint; `undefined` for the network's own coin
 */
export function assetDrawing(chain: string, token: string | undefined): AssetDrawing {
  const [network, coin = network] = chain.startsWith('solana:') ? ['solana'] : (networks.get(chain) ?? [])
  const asset = token === undefined ? coin : isUsdc(chain, token) ? 'USDC' : undefined
  return { asset: drawingOf(asset), network: network === asset ? undefined : drawingOf(network) }
}

function isUsdc(chain: string, token: string): boolean {
  const known = usdcOn(chain)
  // Ethereum's addresses are the same in any case, Solana's are not.
  return known === token || (chain.startsWith('eip155:') && known?.toLowerCase() === token.toLowerCase())
}

function drawingOf(name: string | undefined): string | undefined {
  const inside = name === undefined ? undefined : assets[name]
  if (inside === undefined) return undefined
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none">${inside}</svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
