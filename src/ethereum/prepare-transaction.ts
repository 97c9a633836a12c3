import { NodeError } from '../lib/node-errors.ts'
import { parseQuantity } from './hex.ts'
import type { ChainNode } from './rpc.ts'
import type { CompleteTransaction, WalletTransaction } from './transaction.ts'

/** A transaction with everything that its signature covers, and what it may cost. */
export interface PreparedTransaction {
  readonly transaction: CompleteTransaction & { readonly from: `0x${string}` }
  /** The most that its execution may cost. */
  readonly fee: bigint
  /** Whether the wallet has less than the value and the fee together. */
  readonly isUnderfunded: boolean
}
type Fees =
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
 * chain at all. Throws a {@link NodeError}, the node's own reason among them, or `Unreachable`.
 */
export async function prepareTransaction(
  node: ChainNode,
  request: WalletTransaction,
  signal?: AbortSignal,
): Promise<PreparedTransaction> {
  const ask = (method: string, params: readonly unknown[] = []) => node.ask(method, params, { signal })
  const [, block, nonce, balance] = await Promise.all([
    mustBeChain(node, request.chainId, signal),
    ask('eth_getBlockByNumber', ['latest', false]).then(readBlock),
    request.nonce ?? ask('eth_getTransactionCount', [request.from, 'pending']).then(quantity('a nonce')),
    ask('eth_getBalance', [request.from, 'latest']).then(quantity('a balance')),
  ])
  const [fees, gasLimit] = await Promise.all([
    feesFor(request, block.baseFee, ask),
    request.gasLimit ?? estimate(request, block.gasLimit, ask),
  ])
  const fee = gasLimit * (fees.type === 2 ? fees.maxFeePerGas : fees.gasPrice)
  return {
    transaction: { ...request, ...fees, nonce, gasLimit },
    fee,
    isUnderfunded: balance < request.value + fee,
  }
}

/** Throws where a node is of another chain than the wallet: what it says of ours is worth nothing. */
export async function mustBeChain(node: ChainNode, chainId: number, signal?: AbortSignal): Promise<void> {
  const answer = await node.ask('eth_chainId', [], { signal })
  if (parseQuantity(answer) !== BigInt(chainId)) throw unusable(`that it is of chain ${chainId}`)
}

type Ask = (method: string, params?: readonly unknown[]) => Promise<unknown>

async function feesFor(request: WalletTransaction, baseFee: bigint | undefined, ask: Ask): Promise<Fees> {
  // A gas price means one of the older types, also on a chain with base fees.
  const isOlder = baseFee === undefined || request.gasPrice !== undefined
  const type = request.type ?? (isOlder ? (request.accessList ? 1 : 0) : 2)
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

async function estimate(request: WalletTransaction, most: bigint, ask: Ask): Promise<bigint> {
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

const unusable = (what: string) => new NodeError(INTERNAL, `The node did not return ${what}`)

const hex = (value: bigint) => `0x${value.toString(16)}`
