import { nodeUrlsOf, type RpcUrls } from '../settings/chain-rpc-urls.ts'
import type { Limits } from '../settings/limits.ts'
import { type ChainNode, createChainNode } from './node.ts'

/**
 * The nodes that are asked about contract wallets, each made when it is first needed; `otherwise` is the one to ask where the settings have
 * none for the chain. `undefined`: nobody can ask this chain.
 */
export function createChainNodes(deps: {
  rpcUrls: RpcUrls
  limits: Limits
}): (chainId: number, otherwise?: string) => ChainNode | undefined {
  const { rpcUrls, limits } = deps
  const nodes = new Map<string, ChainNode>()
  return (chainId, otherwise) => {
    const own = nodeUrlsOf(rpcUrls, chainId)
    const urls = own.length > 0 || otherwise === undefined ? own : [otherwise]
    if (urls.length === 0) return undefined
    const key = [chainId, ...urls].join(' ')
    const known =
      nodes.get(key) ?? createChainNode({ what: 'The chain of this wallet', urls, chainId, limits })
    nodes.set(key, known)
    return known
  }
}
