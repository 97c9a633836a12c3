import { nodeUrlsOf, type RpcUrls } from '../settings/chain-rpc-urls.ts'
import type { Limits } from '../settings/limits.ts'
import { type ChainNode, createChainNode } from './node.ts'

/** The nodes that are asked about contract wallets, each made when it is first needed. `undefined`: nobody can ask this chain. */
export function createChainNodes(deps: {
  rpcUrls: RpcUrls
  limits: Limits
}): (chainId: number) => ChainNode | undefined {
  const { rpcUrls, limits } = deps
  const nodes = new Map<number, ChainNode>()
  return (chainId) => {
    const urls = nodeUrlsOf(rpcUrls, chainId)
    if (urls.length === 0) return undefined
    const known =
      nodes.get(chainId) ?? createChainNode({ what: 'The chain of this wallet', urls, chainId, limits })
    nodes.set(chainId, known)
    return known
  }
}
