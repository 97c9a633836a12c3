/** Fees per gas of an operation: those that its bundler asks for, or else those of the network. */
import { quantity, readFields } from '../../ethereum/answers.ts'
import { eip1559Levels, feeHistoryParams, needsAdvice, readTips, settleTips } from '../../ethereum/fees.ts'
import type { ChainNode } from '../../ethereum/rpc.ts'
import { catchNodeError, METHOD_NOT_FOUND, NodeError, Unreachable } from '../../lib/node-errors.ts'
import { type Bundler, type BundlerOptions, invalidAnswer } from './bundler.ts'
import { operationError } from './errors.ts'
import { smartAccountLimits } from './limits.ts'

export interface OperationFees {
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/** The latest block, as far as fees and limits need it. */
export interface LatestBlock {
  readonly number: bigint
  readonly gasLimit: bigint
  /** Zero on chains before EIP-1559. */
  readonly baseFee: bigint
}

type FeeSource = (bundler: Bundler, block: LatestBlock, options: BundlerOptions) => Promise<OperationFees>

const ofLevel =
  (method: string, level: string): FeeSource =>
  async (bundler, _, options) => {
    const what = 'gas prices'
    const prices = readFields(await bundler.ask(method, [], options), what)
    const price = readFields(prices.get(level), what)
    return {
      maxFeePerGas: quantity(what)(price.get('maxFeePerGas')),
      maxPriorityFeePerGas: quantity(what)(price.get('maxPriorityFeePerGas')),
    }
  }

/** Rundler names the tip alone; the base fee may rise by half before the operation is included. */
const rundler: FeeSource = async (bundler, { baseFee }, options) => {
  const answer = await bundler.ask('rundler_maxPriorityFeePerGas', [], options)
  const maxPriorityFeePerGas = quantity('a priority fee')(answer)
  return { maxFeePerGas: (baseFee * 3n) / 2n + maxPriorityFeePerGas, maxPriorityFeePerGas }
}

/** By the bundler's host: each refuses operations that pay less than its own method says. */
const sources: readonly (readonly [RegExp, FeeSource])[] = [
  [/(^|\.)pimlico\.io$/, ofLevel('pimlico_getUserOperationGasPrice', 'fast')],
  [/(^|\.)zerodev\.app$/, ofLevel('zd_getUserOperationGasPrice', 'standard')],
  [/(^|\.)alchemy\.com$/, rundler],
]

/**
 * The fees of an operation now. A bundler that doesn't have its vendor's method, as behind a proxy, is paid what the network asks.
 * @throws KitError `bundler_unavailable`, or `bundler_answer_invalid` for fees that nobody can mean
 */
export async function operationFees(
  {
    bundler,
    node,
    chainId,
  }: { readonly bundler: Bundler; readonly node: ChainNode; readonly chainId: number },
  block: LatestBlock,
  { signal }: BundlerOptions = {},
): Promise<OperationFees> {
  const host = bundler.host.replace(/:\d+$/, '')
  const source = sources.find(([pattern]) => pattern.test(host))?.[1]
  const named = source && (await askSource(source, bundler, block, signal))
  return named ?? networkFees(node, chainId, block, signal)
}

async function askSource(
  source: FeeSource,
  bundler: Bundler,
  block: LatestBlock,
  signal: AbortSignal | undefined,
): Promise<OperationFees | undefined> {
  try {
    return requireBelievable(await source(bundler, block, { signal }), block)
  } catch (cause) {
    signal?.throwIfAborted()
    if (cause instanceof Unreachable) throw operationError('bundler_unavailable', { cause })
    if (!(cause instanceof NodeError)) throw cause
    if (cause.code === METHOD_NOT_FOUND) return undefined
    throw operationError('bundler_answer_invalid', { cause, details: cause.message })
  }
}

/** A bundler keeps what it is paid above its costs, so its word has a limit. */
function requireBelievable(fees: OperationFees, { baseFee }: LatestBlock): OperationFees {
  const { maxFeePerGas, maxPriorityFeePerGas } = fees
  const most = baseFee * smartAccountLimits.feeByBaseFee + smartAccountLimits.feeAboveBaseFee
  if (maxFeePerGas === 0n || maxPriorityFeePerGas > maxFeePerGas || maxFeePerGas > most)
    throw invalidAnswer('its fees are out of range')
  return fees
}

/** The usual fees of the network, as transactions pay them. */
async function networkFees(
  node: ChainNode,
  chainId: number,
  { baseFee }: LatestBlock,
  signal: AbortSignal | undefined,
): Promise<OperationFees> {
  const ask = (method: string, params: readonly unknown[] = []) => node.ask(method, params, { signal })
  const history = await catchNodeError(ask('eth_feeHistory', feeHistoryParams))
  const market = { chainId, baseFee }
  const paid = history instanceof NodeError ? undefined : readTips(history)
  const advice = needsAdvice(paid, market) ? await advisedTip(ask) : undefined
  const tips = settleTips({ paid, advice }, market)
  const { usual } = eip1559Levels(baseFee, tips)
  if (usual.type !== 2) throw new NodeError(0, 'The network has no fees for operations')
  return { maxFeePerGas: usual.maxFeePerGas, maxPriorityFeePerGas: usual.maxPriorityFeePerGas }
}

async function advisedTip(ask: (method: string) => Promise<unknown>): Promise<bigint | undefined> {
  const advice = await catchNodeError(ask('eth_maxPriorityFeePerGas'))
  return advice instanceof NodeError ? undefined : quantity('a priority fee')(advice)
}
