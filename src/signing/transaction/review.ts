/** All that a review in the page shows of an Ethereum transaction, and whether it still holds when the user approves. */

import { decodeCall } from '../../ethereum/call-decoder.ts'
import { chainOf, gasPriceOracleOf } from '../../ethereum/chains.ts'
import type { FeeChoice } from '../../ethereum/fees.ts'
import type { Attempt } from '../../ethereum/next-attempt.ts'
import { type PreparedTransaction, prepareTransaction } from '../../ethereum/prepare-transaction.ts'
import type { ChainNode } from '../../ethereum/rpc.ts'
import { isStale, simulate } from '../../ethereum/simulate.ts'
import { within } from '../../lib/clock.ts'
import type { Prices } from '../../prices/prices.ts'
import type { WalletFlow } from '../../wallets/flow-context.ts'
import { signingLimits } from '../limits.ts'
import type { PreviewPrices } from '../preview.ts'
import { feeWarnings, toEditableFees } from './fees.ts'
import type { PreviewContext } from './preview.ts'
import { assetOf, failureWarnings, isSameOutcome, type Simulated, toBalanceChanges } from './simulated.ts'

export interface TransactionReview {
  readonly prepared: PreparedTransaction
  readonly simulated: Simulated
  readonly prices: PreviewPrices | undefined
  /** The fees that were prepared. */
  readonly choice: FeeChoice | undefined
  /** When its answers were asked for, in milliseconds since 1970. */
  readonly at: number
}

export interface ReviewSources {
  readonly node: ChainNode
  readonly prices?: Prices | undefined
}

/**
 * Prepares and simulates a transaction, and asks for prices. A simulation or a price that doesn't come is left out; without the rest
 * there is nothing to review.
 * @throws NodeError, Unreachable or InvalidRequest as `prepareTransaction` does, or the signal's reason
 */
export async function loadReview(
  cx: WalletFlow,
  { node, prices }: ReviewSources,
  { request, dearerThan }: Attempt,
  { choice, signal }: { choice?: FeeChoice | undefined; signal: AbortSignal },
): Promise<TransactionReview> {
  const at = cx.clock.now()
  const { chainId, to, data } = request
  const chain = `eip155:${chainId}`
  const symbol = chainOf(cx.config, chainId)?.nativeCurrency.symbol
  const coin = prices && symbol ? prices.of({ chain, symbol }) : undefined
  const gasPriceOracle = gasPriceOracleOf(cx.config, chainId)
  const simulating = within(
    cx.clock,
    signingLimits.simulationTime,
    (own) => simulate(node, request, { now: cx.clock.now, signal: own }),
    signal,
  ).catch((): Simulated => ({ outcome: 'unavailable' }))
  const [prepared, simulated] = await Promise.all([
    prepareTransaction(node, request, { gasPriceOracle, dearerThan, fees: choice, signal }),
    simulating,
  ])
  signal.throwIfAborted()
  const called = to && data !== '0x' ? (decodeCall(data, to)?.contract ?? to) : undefined
  const tokens = pricedTokens(simulated, called)
  const found =
    prices &&
    (await within(
      cx.clock,
      signingLimits.priceWait,
      () =>
        Promise.all([coin, ...tokens.map(({ token, decimals }) => prices.of({ chain, token, decimals }))]),
      signal,
    ).catch(() => {
      signal.throwIfAborted()
      return undefined
    }))
  return { prepared, simulated, prices: found && pricesOf(found, tokens), choice, at }
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
  [coin, ...others]: readonly (number | undefined)[],
  tokens: readonly { readonly token: string }[],
): PreviewPrices | undefined {
  const priced = tokens.flatMap(({ token }, at) => {
    const price = others[at]
    return price === undefined ? [] : [[token, price] as const]
  })
  if (coin === undefined && priced.length === 0) return undefined
  return { ...(coin !== undefined && { coin }), tokens: Object.fromEntries(priced) }
}

/** What a preview says beside the transaction's own bytes. */
export function reviewContext(
  cx: Pick<WalletFlow, 'config'>,
  { prepared, simulated, prices, choice }: TransactionReview,
): Partial<PreviewContext> {
  const { transaction } = prepared
  const { chainId, to, data } = transaction
  const { symbol, decimals } = chainOf(cx.config, chainId)?.nativeCurrency ?? { symbol: '', decimals: 18 }
  const contract = to && (decodeCall(data, to)?.contract ?? to)
  const asset = simulated.outcome === 'simulated' ? assetOf(simulated, contract) : undefined
  const balanceChanges = toBalanceChanges(simulated, { symbol, decimals })
  const fees = toEditableFees(prepared, choice)
  // The node that estimates gas says the same in other words.
  const failures = prepared.doubt || prepared.isUnderfunded ? [] : failureWarnings(simulated)
  return {
    ...(asset && { asset }),
    ...(balanceChanges && { balanceChanges }),
    ...(fees && { fees }),
    ...(prices && { prices }),
    warnings: [...failures, ...feeWarnings(prepared)],
  }
}

/** Whether an approval comes so late that the network has to be asked again. */
export function isReviewOld({ simulated, at }: TransactionReview, now: number): boolean {
  if (simulated.outcome === 'simulated') return isStale(simulated, now)
  const age = now - at
  return age < 0 || age >= signingLimits.previewAge
}

/** An estimate may grow by this part before the limit that was shown no longer suffices. */
const GAS_MARGIN = 10n

/**
 * Whether a transaction that was reviewed can still be signed as it was shown: it would do the same, its fee is still taken, its nonce is
 * free and its wallet can pay.
 */
export function isReviewCurrent(shown: TransactionReview, fresh: TransactionReview): boolean {
  const [before, now] = [shown.prepared, fresh.prepared]
  const { gasPrice = 0n, maxFeePerGas = gasPrice, nonce, gasLimit, value } = before.transaction
  const price = now.transaction.gasPrice
  return (
    nonce === now.transaction.nonce &&
    now.transaction.gasLimit * GAS_MARGIN <= gasLimit * (GAS_MARGIN + 1n) &&
    (now.baseFee === undefined || now.baseFee <= maxFeePerGas || isBelow(before)) &&
    (price === undefined || price <= gasPrice) &&
    before.isUnderfunded === now.isUnderfunded &&
    now.balance >= (before.isUnderfunded ? 0n : value + before.fee) &&
    now.layerOneFee <= before.layerOneFee + before.layerOneFee / GAS_MARGIN &&
    before.doubt?.message === now.doubt?.message &&
    isSameOutcome(shown.simulated, fresh.simulated)
  )
}

/** The user has read that its fee is too low at present. */
const isBelow = ({
  baseFee = 0n,
  transaction: { gasPrice, maxFeePerGas = gasPrice ?? 0n },
}: PreparedTransaction) => maxFeePerGas < baseFee
