import { isForWantOfMoney, NodeError, orRefusal } from '../lib/node-errors.ts'
import { parseQuantity } from './integer.ts'
import { layerOneFee } from './layer-one-fee.ts'
import type { Ask, ChainNode } from './rpc.ts'
import type { CompleteTransaction, WalletTransaction } from './transaction.ts'

/** A transaction with everything that its signature covers, and what it may cost. */
export interface PreparedTransaction {
  readonly transaction: CompleteTransaction & { readonly from: `0x${string}` }
  /** The most that it may cost: its execution, and what its chain takes for writing it to layer 1. */
  readonly fee: bigint
  /** The part of it that the chain takes for layer 1, which the transaction itself does not say. */
  readonly layerOneFee: bigint
  /** Whether the wallet has less than the value and the fee together. */
  readonly isUnderfunded: boolean
  /** Why the network will likely refuse it or let it fail. It can be sent all the same. */
  readonly doubt: NodeError | undefined
}
export interface PrepareOptions {
  /** The contract that says what layer 1 costs, on a chain of the OP stack. */
  readonly gasPriceOracle?: string | undefined
  /** A transaction that the network found too cheap: the new one pays more. */
  readonly dearerThan?: CompleteTransaction | undefined
  readonly signal?: AbortSignal | undefined
}
type Fees =
  | { readonly type: 0 | 1; readonly gasPrice: bigint }
  | { readonly type: 2; readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }

/** JSON-RPC's number for what went wrong inside of the other side. */
const INTERNAL = -32603
/** The cheapest transaction there is. */
const LEAST_GAS = 21_000n
/** What a transaction may use that the node expects to fail, so that nobody can say how much it needs. */
const GAS_IN_DOUBT = 1_000_000n
/** Where a node has no advice of its own: one gwei. */
const USUAL_PRIORITY = 1_000_000_000n

/**
 * Fills in what a page has left open, by asking the chain's node. Its answers are checked, and so is that it is of this
 * chain at all. Throws a {@link NodeError}, the node's own reason among them, or `Unreachable`.
 */
export async function prepareTransaction(
  node: ChainNode,
  request: WalletTransaction,
  { gasPriceOracle, dearerThan, signal }: PrepareOptions = {},
): Promise<PreparedTransaction> {
  const ask: Ask = (method, params = []) => node.ask(method, params, { signal })
  const [, block, nonce, balance] = await Promise.all([
    mustBeChain(node, request.chainId, signal),
    ask('eth_getBlockByNumber', ['latest', false]).then(readBlock),
    request.nonce ?? ask('eth_getTransactionCount', [request.from, 'pending']).then(quantity('a nonce')),
    ask('eth_getBalance', [request.from, 'latest']).then(quantity('a balance')),
  ])
  const [fees, estimated] = await Promise.all([
    feesFor(request, block.baseFee, ask).then((fresh) => (dearerThan ? above(fresh, dearerThan) : fresh)),
    request.gasLimit ?? estimate(request, block.gasLimit, ask),
  ])
  const price = fees.type === 2 ? fees.maxFeePerGas : fees.gasPrice
  const complete = (gasLimit: bigint) => ({ ...request, ...fees, nonce, gasLimit })
  const gas = typeof estimated === 'bigint' ? estimated : LEAST_GAS
  const layerOne = gasPriceOracle ? await layerOneFee(ask, gasPriceOracle, complete(gas)) : 0n
  const doubt = [estimated, layerOne].find((each) => each instanceof NodeError)
  const apart = typeof layerOne === 'bigint' ? layerOne : 0n
  const spare = balance - request.value - apart
  // What it does not use stays with the wallet, but the network wants to see that it is there.
  const gasLimit = typeof estimated === 'bigint' ? gas : gasInDoubt(spare, price, block.gasLimit)
  return {
    transaction: complete(gasLimit),
    fee: apart + gasLimit * price,
    layerOneFee: apart,
    isUnderfunded: spare < gasLimit * price || isForWantOfMoney(estimated),
    doubt,
  }
}

function gasInDoubt(spare: bigint, price: bigint, most: bigint): bigint {
  const affordable = price > 0n && spare > 0n ? spare / price : GAS_IN_DOUBT
  const gas = affordable < GAS_IN_DOUBT ? affordable : GAS_IN_DOUBT
  if (gas < LEAST_GAS) return LEAST_GAS
  return gas < most ? gas : most
}

/** Nodes take the place of a waiting transaction only for a tenth more; an eighth is safely above that. */
function above(
  fresh: Fees,
  { gasPrice = 0n, maxFeePerGas = gasPrice, maxPriorityFeePerGas = gasPrice }: CompleteTransaction,
): Fees {
  const raised = (now: bigint, before: bigint) => {
    const least = before + before / 8n + 1n
    return now > least ? now : least
  }
  if (fresh.type !== 2) return { ...fresh, gasPrice: raised(fresh.gasPrice, maxFeePerGas) }
  return {
    ...fresh,
    maxFeePerGas: raised(fresh.maxFeePerGas, maxFeePerGas),
    maxPriorityFeePerGas: raised(fresh.maxPriorityFeePerGas, maxPriorityFeePerGas),
  }
}

/** Throws where a node is of another chain than the wallet: what it says of ours is worth nothing. */
export async function mustBeChain(node: ChainNode, chainId: number, signal?: AbortSignal): Promise<void> {
  const answer = await node.ask('eth_chainId', [], { signal })
  if (parseQuantity(answer) !== BigInt(chainId)) throw unusable(`the ID of chain ${chainId}`)
}

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

async function estimate(request: WalletTransaction, most: bigint, ask: Ask): Promise<bigint | NodeError> {
  const { from, to, value, data, accessList } = request
  const call = {
    from,
    value: hex(value),
    ...(to && { to }),
    ...(data !== '0x' && { data }),
    ...(accessList && { accessList }),
  }
  const answer = await orRefusal(ask('eth_estimateGas', [call]))
  if (answer instanceof NodeError) return answer
  const gas = quantity('an estimate')(answer)
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
