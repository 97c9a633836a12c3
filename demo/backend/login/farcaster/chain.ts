import type { Address } from 'viem'
import { type ChainNode, createChainNode } from '../../chains/node.ts'
import { Unavailable } from '../../lib/refusal.ts'
import type { Limits } from '../../settings/limits.ts'

/** The chain on which fids are registered. */
export interface FarcasterChain extends Pick<ChainNode, 'signed'> {
  /** The fid that an address owns. @throws Unavailable */
  fidOf(address: Address): Promise<bigint | undefined>
}

const OPTIMISM = 10
const idRegistry = '0x00000000Fc6c5F01Fc30151999387Bb99A9f489b'
const what = 'The registry of Farcaster'

/** @param options.url a JSON-RPC node of Optimism */
export function createFarcasterChain({ url, limits }: { url: string; limits: Limits }): FarcasterChain {
  const node = createChainNode({ what, chainId: OPTIMISM, urls: [url], limits })
  return {
    signed: node.signed,
    async fidOf(address) {
      const { decodeFunctionResult, encodeFunctionData, parseAbi } = await import('viem')
      const abi = parseAbi(['function idOf(address owner) view returns (uint256 fid)'])
      const data = await node.call(
        idRegistry,
        encodeFunctionData({ abi, functionName: 'idOf', args: [address] }),
      )
      if (data === undefined || data.length !== 66)
        throw new Unavailable(`${what} could not be asked. Please try again.`)
      return decodeFunctionResult({ abi, functionName: 'idOf', data }) || undefined
    },
  }
}
