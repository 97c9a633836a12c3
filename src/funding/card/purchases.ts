/** Purchases that were begun: as rows of a list, and opened again. */
import { ago, moment } from '../../activity/when.ts'
import type { FlowContext } from '../../app/flow-context.ts'
import { toKitError } from '../../errors/kit-error.ts'
import { within } from '../../lib/clock.ts'
import type { Purchase } from '../../protocol/funding.ts'
import type { ActivityPurchase } from '../../signing/activity/activity-list.tsx'
import { fundingLimits } from '../limits.ts'
import { type FundingOutcome, type LeftMethod, leftMethod } from '../method.ts'
import type { FundingTarget } from '../target.ts'
import { explorerUrlFor, failureWords, followPurchase, watchPurchase } from './follow.ts'
import { formatMoney, groupDigits } from './money.ts'
import type { PurchaseKind } from './offers.ts'
import { type PurchaseDetailProps, purchaseDetail } from './purchase-detail.tsx'
import { isUnderWay, isUnpaid, type PurchaseService } from './service.ts'

export function purchaseRow(
  cx: Pick<FlowContext, 't' | 'clock'>,
  purchase: Purchase,
  network: string,
): ActivityPurchase {
  const { id, name, status, createdAt } = purchase
  return {
    id,
    amount: amountOf(purchase),
    provider: name,
    network,
    when: ago(createdAt.getTime(), cx.clock.now()),
    state: cx.t(`funding.purchase.status.${status}`),
    tone: status === 'completed' ? 'success' : isUnderWay(purchase) ? 'accent' : 'plain',
  }
}

const amountOf = ({ received, amount, symbol }: Purchase): string => {
  const shown = received ?? amount
  return shown === undefined ? symbol : `${groupDigits(shown)} ${symbol}`
}

/** Purchases for this wallet that are not over: paid ones, and those that were begun lately. */
export function unfinished(
  purchases: readonly Purchase[],
  { address, chain, asset }: Pick<FundingTarget, 'address' | 'chain' | 'asset'>,
  now: number,
): readonly Purchase[] {
  return purchases
    .filter(
      (each) =>
        each.address.toLowerCase() === address.toLowerCase() &&
        each.chain === chain &&
        each.asset === asset &&
        (isUnderWay(each) ||
          (each.status === 'started' && now - each.createdAt.getTime() < fundingLimits.unpaidOffered)),
    )
    .slice(0, fundingLimits.purchasesOffered)
}

export interface PurchaseOptions {
  readonly purchases: PurchaseService
  readonly target: Pick<FundingTarget, 'address' | 'network' | 'decimals' | 'chainType' | 'chain'>
}

export const kindOf = ({ method }: Purchase): PurchaseKind => (method === 'exchange' ? 'exchange' : 'card')
const framed: readonly string[] = ['apple-pay', 'google-pay']

/**
 * Shows a purchase, which the user continues or discards where it isn't paid. Resolves with what it has become once they have continued
 * it, and with {@link LeftMethod} when they go back.
 * @throws Closed when they close the dialog before anything is paid
 */
export async function showPurchase(
  cx: FlowContext,
  { purchases, target }: PurchaseOptions,
  known: Purchase,
): Promise<FundingOutcome | LeftMethod> {
  const { stage } = cx
  let purchase = known
  let error: string | undefined
  for (;;) {
    const options = { purchases, target, kind: kindOf(purchase) }
    if (isUnderWay(purchase)) return watchPurchase(cx, options, purchase)
    const props = { ...detailOf(cx, purchase, target.network), error }
    const asked = await stage.askDuring(purchaseDetail, props, (signal) =>
      untilChanged(cx, purchases, purchase, signal),
    )
    error = undefined
    if ('done' in asked) {
      purchase = asked.done
      continue
    }
    if (asked.answer === 'back') return leftMethod()
    const window = stage.takeWindow()
    const { signal } = stage
    try {
      if (asked.answer === 'abandon') {
        await purchases.abandon(purchase.id, { signal })
        return leftMethod()
      }
      const opened = await purchases.reopen(purchase.id, { signal })
      return followPurchase(cx, options, opened, window)
    } catch (cause) {
      window?.close()
      signal.throwIfAborted()
      const failure = toKitError(cause, 'network_unavailable')
      if (failure.code === 'purchase_not_open') purchase = await purchases.read(purchase.id, { signal })
      else {
        cx.report(failure)
        error = failureWords(cx, purchase.provider)
      }
    }
  }
}

/** Asks the provider once, and resolves if that says something new. */
async function untilChanged(
  { clock }: Pick<FlowContext, 'clock'>,
  purchases: PurchaseService,
  known: Purchase,
  signal: AbortSignal,
): Promise<Purchase> {
  if (known.status !== 'completed')
    try {
      const found = await within(
        clock,
        fundingLimits.purchaseTime,
        (stop) => purchases.read(known.id, { signal: stop }),
        signal,
      )
      if (found.status !== known.status) return found
    } catch {
      // The known state stays on display.
    }
  return new Promise(() => {})
}

function detailOf(cx: FlowContext, purchase: Purchase, network: string): Omit<PurchaseDetailProps, 'error'> {
  const { t, page } = cx
  const { status, failure, name, method, isSandbox, total, fee, currency, address, createdAt } = purchase
  const hash = purchase.transactionHash
  const isOpen = isUnpaid(purchase)
  return {
    status,
    provider: name,
    method,
    isSandbox,
    amount: amountOf(purchase),
    address,
    chain: purchase.chain,
    network,
    when: moment(createdAt.getTime()),
    inWindow: !framed.includes(method),
    actions: isOpen ? (status === 'started' ? ['continue', 'abandon'] : ['continue']) : [],
    ...(status === 'failed' && { failure: failedWords(t, failure, name) }),
    ...(total !== undefined && { total: formatMoney(total, currency, page.language) }),
    ...(fee !== undefined && { fee: formatMoney(fee, currency, page.language) }),
    ...(hash !== undefined && { hash, explorerUrl: explorerUrlFor(cx, purchase.chain, hash) }),
  }
}

const plainFailures = ['declined', 'authorization', 'funds', 'canceled', 'expired', 'refunded'] as const
const namedFailures = ['risk', 'limit', 'region', 'verification'] as const
function failedWords(t: FlowContext['t'], failure: string | undefined, provider: string): string {
  const plain = plainFailures.find((each) => each === failure)
  if (plain) return t(`funding.purchase.failure.${plain}`)
  const named = namedFailures.find((each) => each === failure) ?? 'unknown'
  return t(`funding.purchase.failure.${named}`, { provider })
}
