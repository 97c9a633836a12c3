/** All that a review in the page shows of an Ethereum transaction, and whether it still holds when the user approves. */

import { decodeCall } from '../../ethereum/call-decoder.ts'
import { type ChainOptions, chainOf, gasPriceOracleOf } from '../../ethereum/chains.ts'
import type { FeeChoice } from '../../ethereum/fees.ts'
import type { Attempt } from '../../ethereum/next-attempt.ts'
import { type PreparedTransaction, prepareTransaction } from '../../ethereum/prepare-transaction.ts'
import type { TransactionReceipt } from '../../ethereum/receipt.ts'
import type { ChainNode } from '../../ethereum/rpc.ts'
import { compareWithReceipt, simulate } from '../../ethereum/simulate.ts'
import { readToken } from '../../ethereum/tokens.ts'
import { type Clock, within } from '../../lib/clock.ts'
import { type Price, toDollars } from '../../lib/price.ts'
import type { Prices } from '../../prices/prices.ts'
import { signingLimits } from '../limits.ts'
import type { WordOptions } from '../page-knowledge.ts'
import type { PreviewPrices, TokenShortage } from '../preview.ts'
import { findWalletCode } from '../wallet-code.ts'
import { feeWarnings, toEditableFees } from './fees.ts'
import type { PreviewContext } from './preview.ts'
import { assetOf, failureWarnings, isSameOutcome, type Simulated, toBalanceChanges } from './simulated.ts'

/** A transaction that was prepared, with what a simulation and a source of prices said about it. */
export interface TransactionReview extends PreparedTransaction {
  /** `undefined`: it is reviewed elsewhere. */
  readonly simulated?: Simulated | undefined
  readonly prices?: PreviewPrices | undefined
  /** Tokens that the wallet would transfer and doesn't have, where the transaction fails. */
  readonly tokenShortage?: TokenShortage | undefined
  /** The contract whose code the wallet has at its own address; `undefined`: none, or the node hasn't said. */
  readonly walletCode?: string | undefined
  /** The fees that were prepared. */
  readonly choice?: FeeChoice | undefined
}

/** Sources of a review in the page, beside the chain's node. */
export interface ReviewSources {
  readonly clock: Clock
  readonly prices?: Prices | undefined
  readonly words?: WordOptions | undefined
  /** Simulates it in place of {@link simulate}, such as after the calls that come before it. */
  readonly simulate?: ((signal: AbortSignal) => Promise<Simulated>) | undefined
}

export interface LoadOptions {
  readonly chains: ChainOptions
  readonly node: ChainNode
  /** Without it the transaction is only prepared, because it is reviewed elsewhere. */
  readonly review?: ReviewSources | undefined
  readonly choice?: FeeChoice | undefined
  readonly signal: AbortSignal
}

/**
 * Prepares a transaction, and simulates and prices it for a review. A simulation or a price that doesn't come is left out; without the
 * rest there is nothing to review.
 * @throws NodeError, Unreachable or InvalidRequest as `prepareTransaction` does, or the signal's reason
 */
export async function loadReview(
  { request, replaces, least }: Attempt,
  { chains, node, review, choice, signal }: LoadOptions,
): Promise<TransactionReview> {
  const gasPriceOracle = gasPriceOracleOf(chains, request.chainId)
  const options = { gasPriceOracle, replaces, least, fees: choice, signal }
  const preparing = prepareTransaction(node, request, options)
  if (!review) return { ...(await preparing), choice }
  const { chainId, to, data } = request
  const { clock, prices } = review
  const chain = `eip155:${chainId}`
  const symbol = chainOf(chains, chainId)?.nativeCurrency.symbol
  const coin = prices && symbol ? prices.of({ chain, symbol }) : undefined
  const simulating = within(
    clock,
    signingLimits.simulationTime,
    (own) => review.simulate?.(own) ?? simulate(node, request, { now: clock.now, signal: own }),
    signal,
  ).catch((): Simulated => ({ outcome: 'unavailable', isUnanswered: true }))
  const coding = findWalletCode(node, request.from, clock, signal)
  const [prepared, simulated, walletCode] = await Promise.all([preparing, simulating, coding])
  signal.throwIfAborted()
  const called = to && data !== '0x' ? (decodeCall(data, to)?.contract ?? to) : undefined
  const tokens = pricedTokens(simulated, called)
  const fails =
    prepared.simulationError !== undefined ||
    (simulated.outcome === 'simulated' && simulated.status === 'failed')
  const [found, tokenShortage] = await Promise.all([
    prices &&
      inTime(clock, signal, () =>
        Promise.all([coin, ...tokens.map(({ token, decimals }) => prices.of({ chain, token, decimals }))]),
      ),
    // The latest balance says nothing about a transaction that follows others.
    fails && !review.simulate ? readShortage(node, request, review, signal) : undefined,
  ])
  return {
    ...prepared,
    simulated,
    walletCode,
    prices: found && pricesOf(found, tokens),
    tokenShortage,
    choice,
  }
}

/** Reads how many tokens a transfer that fails lacks; `undefined` where it lacks none, or the contract doesn't say. */
async function readShortage(
  node: ChainNode,
  { from, to, data }: Attempt['request'],
  { clock }: ReviewSources,
  signal: AbortSignal,
): Promise<TokenShortage | undefined> {
  const call = to ? decodeCall(data, to) : undefined
  if (!to || call?.action !== 'transfer' || call.from !== undefined || call.amount === undefined)
    return undefined
  const { amount } = call
  try {
    const found = await within(
      clock,
      signingLimits.figuresWait,
      (own) => readToken(node, to, { owner: from, signal: own }),
      signal,
    )
    if (found.kind !== 'token' || found.balance === undefined || found.balance >= amount) return undefined
    const { symbol, decimals, balance } = found
    return { token: to, asset: { symbol, decimals }, missing: amount - balance }
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}

/** A price that takes longer than a moment is done without. */
export async function inTime<T>(
  clock: Clock,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await within(clock, signingLimits.priceWait, work, signal)
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}

/** Tokens whose contract has said its decimals: that of the call first. */
function pricedTokens(
  simulated: Simulated,
  called: string | undefined,
): readonly { readonly token: string; readonly decimals: number }[] {
  if (simulated.outcome !== 'simulated') return []
  const { leaves, comes, allowances } = simulated
  const named = [called, ...[...leaves, ...comes, ...allowances].map(({ token }) => token)]
  return [...new Set(named)]
    .flatMap((token) => {
      const asset = assetOf(simulated, token)
      return token !== undefined && asset ? [{ token, decimals: asset.decimals }] : []
    })
    .slice(0, signingLimits.pricedTokens)
}

function pricesOf(
  [coin, ...others]: readonly (Price | undefined)[],
  tokens: readonly { readonly token: string }[],
): PreviewPrices | undefined {
  const priced = tokens.flatMap(({ token }, at) => {
    const price = others[at]
    return price === undefined ? [] : [[token, toDollars(price)] as const]
  })
  if (coin === undefined && priced.length === 0) return undefined
  return { ...(coin && { coin: toDollars(coin) }), tokens: Object.fromEntries(priced) }
}

/** Preview context beside the transaction's own bytes. */
export function reviewContext(chains: ChainOptions, review: TransactionReview): Partial<PreviewContext> {
  const { transaction, simulated, prices, choice, simulationError, isUnderfunded, tokenShortage } = review
  const { chainId, to, data } = transaction
  const { symbol, decimals } = chainOf(chains, chainId)?.nativeCurrency ?? { symbol: '', decimals: 18 }
  const contract = to && (decodeCall(data, to)?.contract ?? to)
  const known = simulated?.outcome === 'simulated' ? assetOf(simulated, contract) : undefined
  // The contract that the wallet lacks tokens of has said its figures.
  const asset = known ?? tokenShortage?.asset
  const ran = simulated && toBalanceChanges(simulated, { symbol, decimals })
  // The estimate of gas runs it as well, though it says nothing but that it fails.
  const balanceChanges = ran && typeof ran !== 'object' && simulationError ? 'failed' : ran
  const fees = toEditableFees(review, choice)
  // The node that estimates gas says the same in other words.
  const isExplained = simulationError !== undefined || isUnderfunded || tokenShortage !== undefined
  const failures = !simulated || isExplained ? [] : failureWarnings(simulated)
  return {
    ...(asset && { asset }),
    ...(balanceChanges && { balanceChanges }),
    ...(fees && { fees }),
    ...(prices && { prices }),
    ...(tokenShortage && { tokenShortage }),
    ...(review.walletCode && { walletCode: review.walletCode }),
    warnings: [...failures, ...feeWarnings(review)],
  }
}

/** An estimate may grow by this part before the limit that was shown no longer suffices. */
const GAS_MARGIN = 10n

/**
 * Whether a transaction that was reviewed can still be signed as it was shown: it would do the same, its fee is still taken, its nonce is
 * free and its wallet can pay.
 */
export function isReviewCurrent(shown: TransactionReview, fresh: TransactionReview): boolean {
  const { gasPrice = 0n, maxFeePerGas = gasPrice, nonce, gasLimit, value } = shown.transaction
  const { gasPrice: price = 0n } = fresh.transaction
  return (
    nonce === fresh.transaction.nonce &&
    fresh.walletCode === shown.walletCode &&
    fresh.transaction.gasLimit * GAS_MARGIN <= gasLimit * (GAS_MARGIN + 1n) &&
    (fresh.baseFee === undefined || fresh.baseFee <= maxFeePerGas || isBelowBaseFee(shown)) &&
    price <= gasPrice &&
    fresh.layerOneFee <= shown.layerOneFee + shown.layerOneFee / GAS_MARGIN &&
    fresh.balance < value + shown.fee === shown.isUnderfunded &&
    fresh.tokenShortage?.missing === shown.tokenShortage?.missing &&
    fresh.reason?.kind === shown.reason?.kind &&
    isSameOutcome(shown.simulated, fresh.simulated)
  )
}

/** The user has read that its fee is too low at present. */
function isBelowBaseFee({ baseFee = 0n, transaction }: PreparedTransaction): boolean {
  const { gasPrice = 0n, maxFeePerGas = gasPrice } = transaction
  return maxFeePerGas < baseFee
}

/** Whether the network moved something else than a review in the page showed. */
export function isReceiptDifferent(
  { simulated, transaction }: TransactionReview,
  receipt: TransactionReceipt,
): boolean {
  if (receipt.status !== 'success' || !receipt.hasAllLogs || simulated?.outcome !== 'simulated') return false
  // Of a transaction that was to fail nothing was shown, and what is only partly known can't be compared.
  if (simulated.status === 'failed' || !(simulated.logged ?? simulated).isComplete) return false
  return compareWithReceipt(simulated, receipt, transaction.from).length > 0
}
