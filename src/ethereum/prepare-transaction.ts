import { maxOf, minOf } from '../lib/bigint.ts'
import { InvalidRequest } from '../lib/invalid-request.ts'
import { catchNodeError, INTERNAL_ERROR, NodeError } from '../lib/node-errors.ts'
import { quantity, readFields, unusable } from './answers.ts'
import { type FailureReason, failureReason, type LeastPrice } from './failure-reason.ts'
import {
  arbitrumLevels,
  bumpFees,
  chosenFees,
  eip1559Levels,
  type FeeChoice,
  type FeeLevels,
  type FeeModel,
  type FeeSpeed,
  type FeesPerGas,
  feeHistoryParams,
  feeModelOf,
  feeSpeeds,
  isArbitrum,
  legacyLevels,
  likelyCost,
  maxSendable,
  mostCost,
  mostPerGas,
  needsAdvice,
  raiseTo,
  readTips,
  settleTips,
  type Tips,
  USUAL_TIP,
} from './fees.ts'
import { estimateGas, fallbackGasLimit, gasLimitOf, LEAST_GAS } from './gas.ts'
import { parseQuantity } from './integer.ts'
import {
  coversSize,
  largestOf,
  layerOneFee,
  NO_OPERATOR_FEE,
  operatorFeeOf,
  readOperatorFee,
} from './layer-one-fee.ts'
import type { Ask, ChainNode } from './rpc.ts'
import type { CompleteTransaction, WalletTransaction } from './transaction.ts'
import { withNonce } from './wallet-code.ts'

/** A level of fees, and what the transaction costs with it. */
export interface PricedLevel {
  readonly perGas: FeesPerGas
  /** The most that it may cost beside its value. */
  readonly most: bigint
  /** What it costs if it is mined at the present base fee. */
  readonly likely: bigint
}

/** A transaction with everything that its signature covers, and what it may cost. */
export interface PreparedTransaction {
  readonly transaction: CompleteTransaction & { readonly from: `0x${string}` }
  readonly model: FeeModel
  /** The most that it may cost: its execution, and what its chain takes beside the gas. */
  readonly fee: bigint
  /** What it costs if it is mined at the present base fee. */
  readonly likelyFee: bigint
  /** The part of both that the chain takes for layer 1 and for its operator, which the transaction itself does not say. */
  readonly layerOneFee: bigint
  /** Fees to choose from; `undefined` where the page has set the fees. */
  readonly levels: Readonly<Record<FeeSpeed, PricedLevel>> | undefined
  /** The wallet's balance on the transaction's own chain. */
  readonly balance: bigint
  /** Whether the wallet has less than the value and the fee together. */
  readonly isUnderfunded: boolean
  /** By how much. Zero where only the node says that it has too little. */
  readonly missing: bigint
  /** The most that the wallet can send with these fees. */
  readonly maxSendable: bigint
  readonly baseFee: bigint | undefined
  /** Why the network will likely refuse it or let it fail. It can be sent all the same. */
  readonly simulationError: NodeError | undefined
  /** The same as a cause, with the contract's own words. */
  readonly reason: FailureReason | undefined
}
export interface PrepareOptions {
  /** The contract that says what layer 1 costs, on a chain of the OP stack. */
  readonly gasPriceOracle?: string | undefined
  /** A transaction that the network found too cheap: the new one pays more. */
  readonly replaces?: CompleteTransaction | undefined
  /** The price for which the network takes it, as a node has named it. */
  readonly least?: LeastPrice | undefined
  /** The user's choice of fees, before those of the page. */
  readonly fees?: FeeChoice | undefined
  /** Names levels to choose from even where the request names its fees. */
  readonly offersLevels?: boolean | undefined
  readonly signal?: AbortSignal | undefined
}

/** Above this, many programs round a number. */
const MOST_NONCE = BigInt(Number.MAX_SAFE_INTEGER)

/**
 * Fills in what a page has left open, by asking the chain's node; the kit, the vault and the server do it in this one way. The
 * answers are checked, and so is that the node is of this chain at all. Throws a {@link NodeError}, the node's own reason among
 * them, `Unreachable`, or an {@link InvalidRequest} for fees that the chain doesn't have.
 */
export async function prepareTransaction(
  node: ChainNode,
  request: WalletTransaction,
  { gasPriceOracle, replaces, least, fees: choice, offersLevels = false, signal }: PrepareOptions = {},
): Promise<PreparedTransaction> {
  const ask: Ask = (method, params = []) => node.ask(method, params, { signal })
  // All at once: a user waits for the slowest answer, and not for one after the other.
  const open = withoutFees(request, choice)
  const largest = gasPriceOracle === undefined ? undefined : largestOf(open)
  const [, block, nonce, balance, estimate, history, gasPrice, forLargest, operator] = await Promise.all([
    assertChainId(node, request.chainId, signal),
    ask('eth_getBlockByNumber', ['latest', false]).then(readBlock),
    request.nonce ?? nextNonce(request.from, ask),
    ask('eth_getBalance', [request.from, 'latest']).then(quantity('a balance')),
    request.gasLimit === undefined ? estimateGas(request, ask) : undefined,
    needsTips(offersLevels ? withoutFees(request, 'usual') : open)
      ? catchNodeError(ask('eth_feeHistory', feeHistoryParams))
      : undefined,
    needsGasPrice(open) ? ask('eth_gasPrice').then(quantity('a gas price')) : undefined,
    gasPriceOracle && largest ? layerOneFee(ask, gasPriceOracle, largest) : 0n,
    gasPriceOracle === undefined ? NO_OPERATOR_FEE : readOperatorFee(ask, gasPriceOracle),
  ])
  const { baseFee } = block
  const model = feeModelOf(request.chainId, baseFee, gasPriceOracle)
  const cx = { model, baseFee, choice, replaces, least, history, gasPrice, offersLevels }
  const { fees, levels } = await feesFor(open, cx, ask)
  const { used, error } = estimate ?? { used: undefined, error: undefined }
  const known = request.gasLimit ?? (used && gasLimitOf(used, request.data, block.gasLimit))
  const authorizationList = withNonce(open.authorizationList, nonce)
  const complete = (gasLimit: bigint) => ({
    ...open,
    ...fees,
    ...(authorizationList && { type: 4 as const, authorizationList }),
    nonce,
    gasLimit,
  })
  const sized = complete(known ?? LEAST_GAS)
  const layerOne =
    gasPriceOracle && largest && !coversSize(largest, sized)
      ? await layerOneFee(ask, gasPriceOracle, sized)
      : forLargest
  const forData = layerOne instanceof NodeError ? 0n : layerOne
  const { constant, perMillion } = operator instanceof NodeError ? NO_OPERATOR_FEE : operator
  const available = balance - request.value - forData - constant
  const perGas = mostPerGas(fees) + perMillion / 1_000_000n + (perMillion > 0n ? 1n : 0n)
  const gasLimit = known ?? fallbackGasLimit(available, perGas, block.gasLimit)
  const l1Fee = forData + operatorFeeOf({ constant, perMillion }, gasLimit)
  const price = (perGas: FeesPerGas): PricedLevel => ({
    perGas,
    most: mostCost(perGas, gasLimit, l1Fee),
    likely: likelyCost(perGas, used ?? gasLimit, baseFee, l1Fee),
  })
  const { most, likely } = price(fees)
  const cost = request.value + most
  const simulationError = error ?? [layerOne, operator].find((each) => each instanceof NodeError)
  const reason = simulationError && failureReason(simulationError)
  return {
    transaction: complete(gasLimit),
    model,
    fee: most,
    likelyFee: likely,
    layerOneFee: l1Fee,
    levels: levels && eachLevel((speed) => price(levels[speed])),
    balance,
    isUnderfunded: balance < cost || reason?.kind === 'insufficient-funds',
    missing: balance < cost ? cost - balance : 0n,
    maxSendable: maxSendable(balance, fees, gasLimit, l1Fee),
    baseFee,
    simulationError,
    reason,
  }
}

/** Throws where a node is of another chain than the wallet: what it says of ours is worth nothing. */
export async function assertChainId(node: ChainNode, chainId: number, signal?: AbortSignal): Promise<void> {
  const answer = await node.ask('eth_chainId', [], { signal })
  if (parseQuantity(answer) !== BigInt(chainId)) throw unusable(`the ID of chain ${chainId}`)
}

/** The next nonce: a node that forgets what is pending must not have a mined one repeated. */
async function nextNonce(from: string, ask: Ask): Promise<bigint> {
  const count = (tag: string) =>
    ask('eth_getTransactionCount', [from, tag]).then(quantity('a nonce', MOST_NONCE))
  const [pending, mined] = await Promise.all([count('pending'), count('latest')])
  return maxOf(pending, mined)
}

/** A user's choice replaces the fees that the page named. */
const withoutFees = (request: WalletTransaction, choice: FeeChoice | undefined): WalletTransaction =>
  choice === undefined
    ? request
    : { ...request, gasPrice: undefined, maxFeePerGas: undefined, maxPriorityFeePerGas: undefined }

/** Whether the tips of the last blocks decide anything, as far as the request tells. */
const needsTips = ({
  chainId,
  type,
  gasPrice,
  maxFeePerGas,
  maxPriorityFeePerGas,
}: WalletTransaction): boolean =>
  gasPrice === undefined &&
  (maxFeePerGas === undefined || maxPriorityFeePerGas === undefined) &&
  (type === undefined || type === 2 || type === 4) &&
  !isArbitrum(chainId)

/** Whether it pays a gas price that nobody has named. */
const needsGasPrice = ({ type, gasPrice, maxFeePerGas, maxPriorityFeePerGas }: WalletTransaction): boolean =>
  (type === 0 || type === 1) &&
  gasPrice === undefined &&
  maxFeePerGas === undefined &&
  maxPriorityFeePerGas === undefined

interface FeeContext {
  readonly model: FeeModel
  readonly baseFee: bigint | undefined
  /** The answer to `eth_feeHistory`. */
  readonly history: unknown
  /** The answer to `eth_gasPrice`, where the request alone tells that it is needed. */
  readonly gasPrice: bigint | undefined
  readonly choice: FeeChoice | undefined
  readonly replaces: CompleteTransaction | undefined
  readonly least: LeastPrice | undefined
  readonly offersLevels: boolean
}
interface Fees {
  readonly fees: FeesPerGas
  readonly levels: FeeLevels | undefined
}

async function feesFor(request: WalletTransaction, cx: FeeContext, ask: Ask): Promise<Fees> {
  const { choice = 'usual', replaces, least, baseFee = 0n } = cx
  const bumped = (fees: FeesPerGas) => {
    const higher = replaces ? bumpFees(fees, replaces) : fees
    return least ? raiseTo(higher, least, { chainId: request.chainId, baseFee }) : higher
  }
  const named = await namedFees(request, cx, ask)
  if (named && !cx.offersLevels) return { fees: bumped(named), levels: undefined }
  if (named) {
    // A request is prepared without levels as well.
    const market = await catchNodeError(marketLevels({ ...request, type: named.type }, cx, ask))
    const levels = market instanceof NodeError ? undefined : eachLevel((speed) => bumped(market[speed]))
    return { fees: bumped(named), levels }
  }
  const market = await marketLevels(request, cx, ask)
  const levels = eachLevel((speed) => bumped(market[speed]))
  return { fees: bumped(chosenFees(choice, levels)), levels }
}

/** Fees that the page has named, completed; `undefined` if it named none. */
async function namedFees(
  request: WalletTransaction,
  { model, baseFee, history }: FeeContext,
  ask: Ask,
): Promise<FeesPerGas | undefined> {
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas } = request
  if (gasPrice !== undefined) return { type: olderType(request), gasPrice }
  if (maxFeePerGas === undefined && maxPriorityFeePerGas === undefined) return undefined
  if (baseFee === undefined && maxFeePerGas === undefined) throw noBaseFee()
  const market = { model, chainId: request.chainId, baseFee: baseFee ?? 0n }
  const tip = maxPriorityFeePerGas ?? (await tipsFor(market, history, ask)).usual
  const most = maxFeePerGas ?? (baseFee ?? 0n) * 2n + tip
  return { type: 2, maxFeePerGas: most, maxPriorityFeePerGas: minOf(tip, most) }
}

async function marketLevels(
  request: WalletTransaction,
  { model, baseFee, history, gasPrice }: FeeContext,
  ask: Ask,
): Promise<FeeLevels> {
  const type = feeTypeOf(request) ?? (baseFee === undefined ? olderType(request) : 2)
  if (type !== 2)
    return legacyLevels(
      gasPrice ?? (await ask('eth_gasPrice').then(quantity('a gas price'))),
      type,
      request.chainId,
    )
  if (baseFee === undefined) throw noBaseFee()
  return model === 'arbitrum'
    ? arbitrumLevels(baseFee)
    : eip1559Levels(baseFee, await tipsFor({ model, chainId: request.chainId, baseFee }, history, ask))
}

/** Type 4 has the fees of type 2. */
const feeTypeOf = ({ type, authorizationList }: WalletTransaction): 0 | 1 | 2 | undefined =>
  authorizationList || type === 4 ? 2 : type

const olderType = ({ type, accessList }: WalletTransaction): 0 | 1 =>
  type === 1 || (type === undefined && accessList) ? 1 : 0

/** Tips that were paid lately, and where those don't decide alone, the node's advice as well. */
async function tipsFor(
  market: { readonly model: FeeModel; readonly chainId: number; readonly baseFee: bigint },
  history: unknown,
  ask: Ask,
): Promise<Tips> {
  if (market.model === 'arbitrum') return { slow: 0n, usual: 0n, fast: 0n }
  const isTold = history !== undefined && !(history instanceof NodeError)
  const paid = isTold ? readTips(history) : undefined
  const advice = needsAdvice(paid, market) ? await advisedTip(market.baseFee, ask) : undefined
  return settleTips({ paid, advice }, market)
}

async function advisedTip(baseFee: bigint, ask: Ask): Promise<bigint> {
  const advice = await catchNodeError(ask('eth_maxPriorityFeePerGas'))
  if (!(advice instanceof NodeError)) return quantity('a priority fee')(advice)
  if (advice.code === INTERNAL_ERROR) throw advice
  const gasPrice = await catchNodeError(ask('eth_gasPrice'))
  if (gasPrice instanceof NodeError) return USUAL_TIP
  const tip = quantity('a gas price')(gasPrice) - baseFee
  return tip > 0n ? tip : 0n
}

const noBaseFee = () =>
  new InvalidRequest('This chain has no base fee, so transactions on it have a gasPrice')

function eachLevel<T>(of: (speed: FeeSpeed) => T): Readonly<Record<FeeSpeed, T>> {
  return Object.fromEntries(feeSpeeds.map((speed) => [speed, of(speed)])) as Record<FeeSpeed, T>
}

function readBlock(answer: unknown): { baseFee: bigint | undefined; gasLimit: bigint } {
  const block = readFields(answer, 'a block')
  const gasLimit = quantity('a block')(block.get('gasLimit'))
  if (gasLimit === 0n) throw unusable('a block')
  const baseFee = block.get('baseFeePerGas') ?? undefined
  return { gasLimit, baseFee: baseFee === undefined ? undefined : quantity('a block')(baseFee) }
}
