import { createNode, type NodeOptions } from '../../../src/ethereum/rpc.ts'
import { erc20Selectors } from '../../../src/ethereum/tokens.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { Unreachable } from '../../../src/lib/node-errors.ts'
import { nodeUrlsOf } from '../settings/chain-rpc-urls.ts'
import type { Limits } from '../settings/limits.ts'
import type { Outside } from '../settings/outside.ts'
import { type Cache, createCache } from './cache.ts'

/** One node, asked over JSON-RPC. Throws a `NodeError` if it refuses, or an `Unreachable`. */
export interface PreviewNode {
  /** @param options.isFresh asks the node itself, whatever it has answered before */
  ask(
    method: string,
    params?: unknown,
    options?: NodeOptions & { readonly isFresh?: boolean },
  ): Promise<unknown>
}
export interface PreviewNodes {
  /** The nodes of a chain, the preferred one first; none for an unknown chain. */
  ethereum(chainId: number): readonly PreviewNode[]
  /** @param cluster `mainnet`, `devnet` or `testnet` */
  solana(cluster: string): readonly PreviewNode[]
}

/** Nodes whose every answer has a time limit, and whose answers about blocks and contracts are shared for a short while. */
export function createPreviewNodes({
  outside,
  limits,
}: {
  outside: Pick<Outside, 'chainRpcUrls' | 'solanaRpcUrls'>
  limits: Limits
}): PreviewNodes {
  const cache = createCache({ most: limits.nodeAnswers })
  const known = new Map<string, PreviewNode>()
  const nodeAt = (chain: string, url: string, kind: 'ethereum' | 'solana') => {
    const key = `${chain} ${url}`
    const node = known.get(key) ?? createPreviewNode(key, url, kind, cache, limits)
    known.set(key, node)
    return node
  }
  return {
    ethereum: (chainId) =>
      nodeUrlsOf(outside.chainRpcUrls, chainId).map((url) => nodeAt(String(chainId), url, 'ethereum')),
    solana: (cluster) =>
      nodeUrlsOf(outside.solanaRpcUrls, cluster).map((url) => nodeAt(cluster, url, 'solana')),
  }
}

function createPreviewNode(
  name: string,
  url: string,
  kind: 'ethereum' | 'solana',
  cache: Cache,
  limits: Limits,
): PreviewNode {
  const raw = kind === 'ethereum' ? ethereumNode(url) : solanaNode(url)
  async function send(method: string, params: unknown): Promise<unknown> {
    const signal = AbortSignal.timeout(limits.previewNodeTime)
    try {
      return await raw(method, params, signal)
    } catch (cause) {
      throw signal.aborted ? new Unreachable('The node did not answer in time', { cause }) : cause
    }
  }
  return {
    ask(method, params = [], { isFresh = false } = {}) {
      const life = lifeOf(method, params, limits)
      if (life === undefined || isFresh) return send(method, params)
      return cache.get(`${name} ${method} ${JSON.stringify(params)}`, life, () => send(method, params))
    },
  }
}

type Ask = (method: string, params: unknown, signal: AbortSignal) => Promise<unknown>

function ethereumNode(url: string): Ask {
  const node = createNode({ url, fetch: (input, init) => fetch(input, init), clock: systemClock })
  return (method, params, signal) => node.ask(method, params, { signal, retries: false })
}

/** Solana's libraries are large, and most requests are not for it. */
function solanaNode(url: string): Ask {
  let rpc: Promise<import('../../../src/solana/rpc.ts').SolanaRpc> | undefined
  return async (method, params, signal) => {
    rpc ??= import('../../../src/solana/rpc.ts').then(({ createSolanaRpc }) =>
      createSolanaRpc({ urls: [url], fetch: (input, init) => fetch(input, init), clock: systemClock }),
    )
    return (await rpc).ask(method, params as readonly unknown[], { signal })
  }
}

/** Answers about the latest block, the same for every user. */
const ofBlock = new Set([
  'eth_blockNumber',
  'eth_getBlockByNumber',
  'eth_gasPrice',
  'eth_feeHistory',
  'eth_maxPriorityFeePerGas',
  'getLatestBlockhash',
  'getRecentPrioritizationFees',
])
/** Answers that hardly ever change. */
const lasting = new Set(['eth_chainId', 'eth_getCode', 'getMinimumBalanceForRentExemption'])
const metadata: readonly unknown[] = [erc20Selectors.name, erc20Selectors.symbol, erc20Selectors.decimals]

/** How long an answer may be shared; `undefined` for balances, nonces, simulations and whatever else is of one wallet. */
function lifeOf(method: string, params: unknown, limits: Limits): number | undefined {
  if (ofBlock.has(method)) return limits.blockAnswerLife
  if (lasting.has(method)) return limits.metadataLife
  if (method !== 'eth_call' || !Array.isArray(params)) return undefined
  const [call] = params as readonly { data?: unknown }[]
  return metadata.includes(call?.data) ? limits.metadataLife : undefined
}
