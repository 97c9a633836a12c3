/** Fee models: what a transaction may pay per gas, and what it then costs. Pure functions over answers of a node. */

import { maxOf, minOf } from '../lib/bigint.ts'
import { InvalidRequest } from '../lib/invalid-request.ts'
import { quantity, readFields, readList, unusable } from './answers.ts'
import type { LeastPrice } from './failure-reason.ts'
import type { CompleteTransaction } from './transaction.ts'

/**
 * `legacy`: one gas price. `eip1559`: a base fee and a tip. `op-stack`: the same, and a layer-1 fee beside the gas.
 * `arbitrum`: a base fee alone; the estimate of its gas contains layer 1, and tips are ignored.
 */
export type FeeModel = 'legacy' | 'eip1559' | 'op-stack' | 'arbitrum'
export type FeesPerGas =
  | { readonly type: 0 | 1; readonly gasPrice: bigint }
  | { readonly type: 2; readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }

export const feeSpeeds = ['slow', 'usual', 'fast'] as const
export type FeeSpeed = (typeof feeSpeeds)[number]
export type FeeLevels = Readonly<Record<FeeSpeed, FeesPerGas>>
/** A user's choice: one of the levels, or fees per gas of their own. */
export type FeeChoice =
  | FeeSpeed
  | { readonly gasPrice: bigint }
  | { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }

const GWEI = 1_000_000_000n
/** The tip where a node has no advice, or gives some that is not believed. */
export const USUAL_TIP = GWEI
/** Tips above both of these need a second witness: a node must not spend a user's money on fees. */
const MOST_TIP = 50n * GWEI
const MOST_TIP_BY_BASE_FEE = 10n
/** So many times that are believed of two witnesses that agree. */
const MOST_AGREED = 10n
/** Two witnesses agree if one names at most so many times what the other does. */
const AGREEMENT = 2n

/**
 * The least tip that the clients of a chain take into their pools, whatever their blocks say: 25 gwei on Polygon and its testnet (Bor),
 * 0.05 gwei on BNB Smart Chain and its own.
 */
const floors: Readonly<Record<number, bigint>> = {
  137: 25n * GWEI,
  80002: 25n * GWEI,
  56: GWEI / 20n,
  97: GWEI / 20n,
}
const floorOf = (chainId: number): bigint => (Object.hasOwn(floors, chainId) ? (floors[chainId] ?? 0n) : 0n)

/** Numerator and denominator. The base fee may double within six full blocks, in which a user reads what they approve. */
const baseFeeMargin: Readonly<Record<FeeSpeed, readonly [bigint, bigint]>> = {
  slow: [5n, 4n],
  usual: [2n, 1n],
  fast: [5n, 2n],
}

/** Arbitrum One, Nova and Sepolia. */
const ARBITRUM: readonly number[] = [42_161, 42_170, 421_614]
export const isArbitrum = (chainId: number): boolean => ARBITRUM.includes(chainId)

/**
 * @param baseFee of the latest block; `undefined` on chains before EIP-1559
 * @param gasPriceOracle the contract that names the layer-1 fee on chains of the OP stack
 */
export function feeModelOf(
  chainId: number,
  baseFee: bigint | undefined,
  gasPriceOracle?: string | undefined,
): FeeModel {
  if (gasPriceOracle !== undefined) return 'op-stack'
  if (baseFee === undefined) return 'legacy'
  return isArbitrum(chainId) ? 'arbitrum' : 'eip1559'
}

/** Legacy: nodes reject less than their own price, so only `fast` differs. */
export function legacyLevels(advice: bigint, type: 0 | 1 = 0, chainId?: number): FeeLevels {
  const gasPrice = maxOf(advice, chainId === undefined ? 0n : floorOf(chainId))
  const usual = { type, gasPrice }
  return { slow: usual, usual, fast: { type, gasPrice: (gasPrice * 5n) / 4n } }
}

export type Tips = Readonly<Record<FeeSpeed, bigint>>

export function eip1559Levels(baseFee: bigint, tips: Tips): FeeLevels {
  const level = (speed: FeeSpeed): FeesPerGas => {
    const [times, per] = baseFeeMargin[speed]
    const tip = tips[speed]
    return { type: 2, maxFeePerGas: (baseFee * times + per - 1n) / per + tip, maxPriorityFeePerGas: tip }
  }
  return { slow: level('slow'), usual: level('usual'), fast: level('fast') }
}

/** Arbitrum: transactions are taken in the order of their arrival, so all levels are the same. */
export function arbitrumLevels(baseFee: bigint): FeeLevels {
  const { usual } = eip1559Levels(baseFee, { slow: 0n, usual: 0n, fast: 0n })
  return { slow: usual, usual, fast: usual }
}

/** Parameters of `eth_feeHistory`: ten blocks, and which tip a tenth, half and nine tenths of their gas paid at most. */
export const feeHistoryParams = ['0xa', 'latest', [10, 50, 90]] as const

/**
 * The median tips of the last blocks; `undefined` if nobody paid any. Throws a `NodeError` for a malformed answer.
 */
export function readTips(history: unknown): Tips | undefined {
  const reward = readFields(history, 'a fee history').get('reward')
  if (reward === undefined || reward === null) return undefined
  const rows = readList(reward, 'a fee history')
  // Nodes may answer for fewer blocks than asked, never for more.
  if (rows.length > 10) throw unusable('a fee history')
  const tips = rows.map((row) => readList(row, 'a fee history').slice(0, 3).map(quantity('a fee history')))
  const median = (at: number) => {
    const paid = tips
      .map((row) => row[at] ?? 0n)
      .filter((tip) => tip > 0n)
      .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
    return paid[Math.floor(paid.length / 2)]
  }
  const usual = median(1)
  if (usual === undefined) return undefined
  return { slow: minOf(median(0) ?? usual, usual), usual, fast: maxOf(median(2) ?? usual, usual) }
}

/** What tips are judged by. */
export interface TipMarket {
  readonly chainId: number
  readonly baseFee: bigint
}
/** The tips that blocks paid, and the one that the node advises: two witnesses of one price. */
export interface TipWitnesses {
  readonly paid?: Tips | undefined
  readonly advice?: bigint | undefined
}

/** The highest tip that one witness is believed. */
const ceilingOf = ({ chainId, baseFee }: TipMarket): bigint =>
  maxOf(MOST_TIP, baseFee * MOST_TIP_BY_BASE_FEE, 4n * floorOf(chainId))

/** Whether the blocks alone don't decide the tip. */
export const needsAdvice = (paid: Tips | undefined, market: TipMarket): boolean =>
  paid === undefined || paid.usual > ceilingOf(market)

/** The tips of each level, no less than the chain needs, and no more than is believed. */
export function settleTips({ paid, advice }: TipWitnesses, market: TipMarket): Tips {
  const floor = floorOf(market.chainId)
  const ceiling = ceilingOf(market)
  const settled = maxOf(floor, settleUsual(paid?.usual, advice, ceiling) ?? USUAL_TIP)
  // The levels beside it are the blocks' own as long as the one between them is.
  const [slow, fast] =
    paid && settled === maxOf(floor, paid.usual)
      ? [paid.slow, minOf(paid.fast, maxOf(ceiling, settled * AGREEMENT))]
      : [(settled * 4n) / 5n, (settled * 3n) / 2n]
  return { slow: maxOf(floor, minOf(slow, settled)), usual: settled, fast: maxOf(fast, settled) }
}

/** `undefined` where neither witness is believed. */
function settleUsual(
  paid: bigint | undefined,
  advice: bigint | undefined,
  ceiling: bigint,
): bigint | undefined {
  if (paid !== undefined && paid <= ceiling) return paid
  if (advice !== undefined && advice <= ceiling) return advice
  if (paid === undefined || advice === undefined) return undefined
  const [less, more] = [minOf(paid, advice), maxOf(paid, advice)]
  return more <= less * AGREEMENT && less <= ceiling * MOST_AGREED ? less : undefined
}

/**
 * Fees of at least the price that a node has named for taking a transaction. A price that nobody would mean to pay isn't believed.
 * @param least in wei for each gas
 */
export function raiseTo(fees: FeesPerGas, least: LeastPrice, market: TipMarket): FeesPerGas {
  const most = ceilingOf(market) * MOST_AGREED
  const believed = (price: bigint | undefined) => (price === undefined || price > most ? 0n : price)
  const tip = believed(least.tip)
  // An eighth above is what the strictest nodes ask of a replacement.
  const price = maxOf(believed(least.price), (believed(least.replaced) * 9n + 7n) / 8n)
  if (fees.type !== 2) return { ...fees, gasPrice: maxOf(fees.gasPrice, price, tip) }
  const { maxFeePerGas, maxPriorityFeePerGas } = fees
  const raisedTip = maxOf(maxPriorityFeePerGas, tip, believed(least.replaced) === 0n ? 0n : price)
  // The base fee may rise as much as before.
  const raised = maxFeePerGas + raisedTip - maxPriorityFeePerGas
  return { type: 2, maxFeePerGas: maxOf(raised, price + raisedTip), maxPriorityFeePerGas: raisedTip }
}

/** The fees of a user's choice. Throws an {@link InvalidRequest} for a choice that the chain doesn't have. */
export function chosenFees(choice: FeeChoice, levels: FeeLevels): FeesPerGas {
  if (typeof choice === 'string') return levels[choice]
  const { type } = levels.usual
  if ('gasPrice' in choice) {
    if (type === 2) throw new InvalidRequest('This transaction has no gasPrice')
    return { type, gasPrice: positive(choice.gasPrice) }
  }
  const { maxFeePerGas, maxPriorityFeePerGas } = choice
  if (type !== 2) throw new InvalidRequest('This transaction has a gasPrice alone')
  if (maxPriorityFeePerGas > maxFeePerGas)
    throw new InvalidRequest("The transaction's maxPriorityFeePerGas is above its maxFeePerGas")
  return {
    type,
    maxFeePerGas: positive(maxFeePerGas),
    maxPriorityFeePerGas: positive(maxPriorityFeePerGas),
  }
}

function positive(fee: bigint): bigint {
  if (fee < 0n || fee >= 1n << 128n) throw new InvalidRequest('The fee is out of range')
  return fee
}

export const mostPerGas = (fees: FeesPerGas): bigint => (fees.type === 2 ? fees.maxFeePerGas : fees.gasPrice)

/** The most that a transaction may cost beside its value. */
export const mostCost = (fees: FeesPerGas, gasLimit: bigint, layerOneFee = 0n): bigint =>
  gasLimit * mostPerGas(fees) + layerOneFee

/** The cost if the transaction is mined at the present base fee. */
export function likelyCost(
  fees: FeesPerGas,
  gas: bigint,
  baseFee: bigint | undefined,
  layerOneFee = 0n,
): bigint {
  const most = mostPerGas(fees)
  const now = fees.type === 2 && baseFee !== undefined ? baseFee + fees.maxPriorityFeePerGas : most
  return gas * minOf(now, most) + layerOneFee
}

/** The most that a wallet can send: its balance less the most that sending costs. Zero where it can't even pay for that. */
export function maxSendable(balance: bigint, fees: FeesPerGas, gasLimit: bigint, layerOneFee = 0n): bigint {
  return maxOf(0n, balance - mostCost(fees, gasLimit, layerOneFee))
}

/**
 * Fees that make nodes replace a waiting transaction: each an eighth above its own, which the strictest nodes ask for,
 * and no less than `market`.
 */
export function bumpFees(
  market: FeesPerGas,
  {
    gasPrice = 0n,
    maxFeePerGas = gasPrice,
    maxPriorityFeePerGas = gasPrice,
  }: Pick<CompleteTransaction, 'gasPrice' | 'maxFeePerGas' | 'maxPriorityFeePerGas'>,
): FeesPerGas {
  const raised = (now: bigint, before: bigint) => maxOf(now, before + before / 8n + 1n)
  if (market.type !== 2) return { ...market, gasPrice: raised(market.gasPrice, maxFeePerGas) }
  const tip = raised(market.maxPriorityFeePerGas, maxPriorityFeePerGas)
  const most = raised(market.maxFeePerGas, maxFeePerGas)
  return { type: 2, maxFeePerGas: maxOf(most, tip), maxPriorityFeePerGas: tip }
}
