import { parseQuantity } from './hex.ts'
import { type ChainNode, NodeError } from './rpc.ts'
import type { AccessEntry, TransactionRequest } from './transaction.ts'

/** A transaction with all that its signature covers. */
export interface PreparedTransaction {
  readonly from: string
  readonly to: string | undefined
  readonly value: bigint
  readonly data: string
  readonly chainId: number
  readonly nonce: bigint
  readonly gas: bigint
  readonly fees: Fees
  readonly accessList: readonly AccessEntry[] | undefined
  /** The most that its execution may cost. */
  readonly fee: bigint
  /** The wallet has less than all this may cost. */
  readonly short: boolean
}
export type Fees =
  | { readonly type: 0 | 1; readonly gasPrice: bigint }
  | { readonly type: 2; readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }

/** JSON-RPC's number for what went wrong inside of the other side. */
const INTERNAL = -32603
/** The cheapest transaction there is. */
const LEAST_GAS = 21_000n
/** Where a node has no advice of its own: one gwei. */
const USUAL_PRIORITY = 1_000_000_000n

/**
 * Fills in what a page has left open, by asking the chain's node. Its answers are checked, and so is that it is of this
 * chain at all (security T17, T18). Throws a {@link NodeError}, the node's own reason among them, or `Unreachable`.
 */
export async function prepareTransaction(
  node: ChainNode,
  request: TransactionRequest,
  signal?: AbortSignal,
): Promise<PreparedTransaction> {
  const ask = (method: string, params: readonly unknown[] = []) => node.ask(method, params, { signal })
  const [, block, nonce, balance] = await Promise.all([
    mustBeChain(node, request.chainId, signal),
    ask('eth_getBlockByNumber', ['latest', false]).then(readBlock),
    request.nonce ?? ask('eth_getTransactionCount', [request.from, 'pending']).then(quantity('a nonce')),
    ask('eth_getBalance', [request.from, 'latest']).then(quantity('a balance')),
  ])
  const [fees, gas] = await Promise.all([
    feesFor(request, block.baseFee, ask),
    request.gas ?? estimate(request, block.gasLimit, ask),
  ])
  const { from, to, value, data, chainId, accessList } = request
  const fee = gas * (fees.type === 2 ? fees.maxFeePerGas : fees.gasPrice)
  return { from, to, value, data, chainId, accessList, nonce, gas, fees, fee, short: balance < value + fee }
}

/** Throws where a node is of another chain than the wallet: what it says of ours is worth nothing. */
export async function mustBeChain(node: ChainNode, chainId: number, signal?: AbortSignal): Promise<void> {
  const answer = await node.ask('eth_chainId', [], { signal })
  if (parseQuantity(answer) !== BigInt(chainId)) throw unusable(`that it is of chain ${chainId}`)
}

type Ask = (method: string, params?: readonly unknown[]) => Promise<unknown>

async function feesFor(request: TransactionRequest, baseFee: bigint | undefined, ask: Ask): Promise<Fees> {
  const type = request.type ?? (baseFee === undefined ? (request.accessList ? 1 : 0) : 2)
  if (type !== 2)
    return { type, gasPrice: request.gasPrice ?? (await ask('eth_gasPrice').then(quantity('a gas price'))) }
  if (baseFee === undefined && request.maxFeePerGas === undefined) throw unusable('a base fee')
  const wished = request.maxPriorityFeePerGas ?? (await priority(ask))
  // The base fee may double within six blocks, in which a person reads what they approve.
  const maxFeePerGas = request.maxFeePerGas ?? (baseFee ?? 0n) * 2n + wished
  return { type, maxFeePerGas, maxPriorityFeePerGas: wished < maxFeePerGas ? wished : maxFeePerGas }
}

async function priority(ask: Ask): Promise<bigint> {
  try {
    return await ask('eth_maxPriorityFeePerGas').then(quantity('a priority fee'))
  } catch (cause) {
    if (cause instanceof NodeError && cause.code !== INTERNAL) return USUAL_PRIORITY
    throw cause
  }
}

async function estimate(request: TransactionRequest, most: bigint, ask: Ask): Promise<bigint> {
  const { from, to, value, data, accessList } = request
  const call = {
    ...{ from, value: hex(value) },
    ...(to && { to }),
    ...(data !== '0x' && { data }),
    ...(accessList && { accessList }),
  }
  const gas = await ask('eth_estimateGas', [call]).then(quantity('an estimate'))
  if (gas < LEAST_GAS || gas > most) throw unusable('an estimate')
  // A contract may need more once others have written to it; a plain transfer never does.
  const roomy = data === '0x' ? gas : (gas * 12n) / 10n
  return roomy < most ? roomy : most
}

function readBlock(answer: unknown): { baseFee: bigint | undefined; gasLimit: bigint } {
  const block = (typeof answer === 'object' && answer !== null ? answer : {}) as Record<string, unknown>
  const gasLimit = parseQuantity(block.gasLimit)
  const baseFee = parseQuantity(block.baseFeePerGas)
  if (
    !gasLimit ||
    (block.baseFeePerGas !== undefined && block.baseFeePerGas !== null && baseFee === undefined)
  )
    throw unusable('a block')
  return { baseFee, gasLimit }
}

const quantity = (what: string) => (answer: unknown) => {
  const read = parseQuantity(answer)
  if (read === undefined) throw unusable(what)
  return read
}

const unusable = (what: string) => new NodeError(INTERNAL, `The node did not say ${what}`)

const hex = (value: bigint) => `0x${value.toString(16)}`
