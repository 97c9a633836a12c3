/** Follows a purchase from the provider's page to its end. What the server says of it counts, and nothing else. */
import type { FlowContext } from '../../app/flow-context.ts'
import { addWords } from '../../copy/copy.ts'
import { errors } from '../../copy/en/errors.ts'
import { funding } from '../../copy/en/funding.ts'
import { transaction } from '../../copy/en/transaction.ts'
import { Closed } from '../../dialog/stage.ts'
import { KitError, toKitError } from '../../errors/kit-error.ts'
import { explorerUrlOf } from '../../ethereum/chains.ts'
import { within } from '../../lib/clock.ts'
import { untilClosed } from '../../lib/popup.ts'
import type { OpenedPurchase, Purchase, PurchaseOpening } from '../../protocol/funding.ts'
import type { PaymentFrameMessage } from '../../protocol/outside/coinbase-frame.ts'
import { solanaClusters, solanaExplorerUrl } from '../../solana/clusters.ts'
import { readAmountText } from '../amount/amount-text.ts'
import { fundingLimits } from '../limits.ts'
import { type FundingOutcome, type LeftMethod, leftMethod } from '../method.ts'
import type { FundingTarget } from '../target.ts'
import { formatMoney, groupDigits } from './money.ts'
import type { PurchaseKind } from './offers.ts'
import { type PayInFrameProps, payInFrame } from './pay-in-frame.tsx'
import {
  type PurchasePhase,
  type PurchaseStatusAnswer,
  type PurchaseStatusProps,
  purchaseStatus,
} from './purchase-status.tsx'
import { followReturns } from './returns.ts'
import { isUnderWay, isUnpaid, type PurchaseService } from './service.ts'

addWords(errors, transaction, funding)

export interface FollowOptions {
  readonly purchases: PurchaseService
  readonly target: Pick<FundingTarget, 'address' | 'network' | 'decimals' | 'chainType' | 'chain'>
  readonly kind: PurchaseKind
}

/**
 * Has the user pay at the provider, and stays until the purchase is over or they leave.
 * @param window the window that their press has opened; `null` or `undefined` where there is none
 * @throws Closed when they close the dialog before anything is paid
 */
export async function followPurchase(
  cx: FlowContext,
  options: FollowOptions,
  { purchase, opening }: OpenedPurchase,
  window: Window | null | undefined,
): Promise<FundingOutcome | LeftMethod> {
  const visit = createVisit(cx, options, purchase)
  return duringVisit(visit, () => {
    if (opening.kind !== 'frame' || !isUnpaid(purchase)) return payInWindow(visit, opening, window)
    window?.close()
    return payInDialog(visit, opening)
  })
}

/** Shows a purchase that is paid until it is over or the user leaves. */
export const watchPurchase = (
  cx: FlowContext,
  options: FollowOptions,
  purchase: Purchase,
): Promise<FundingOutcome | LeftMethod> => {
  const visit = createVisit(cx, options, purchase, { isWatched: true })
  return duringVisit(visit, () => payInWindow(visit, undefined, undefined))
}

/** A window that comes back with the purchase finds this page, which then asks at once. */
async function duringVisit<T>(visit: Visit, work: () => Promise<T>): Promise<T> {
  const stop = followReturns(visit.id, visit.onReturn)
  try {
    return await work()
  } finally {
    stop()
  }
}

type Change = { readonly purchase: Purchase } | 'unreachable'

interface Visit {
  readonly cx: FlowContext
  readonly options: FollowOptions
  readonly id: string
  purchase(): Purchase
  /** Resolves with the next change of the purchase, or once its status can't be had. */
  change(signal: AbortSignal): Promise<Change>
  /** The provider's page has led back: the purchase is asked for at once. */
  onReturn(): void
  /** Whether that has happened since it was last asked. */
  takeReturn(): boolean
  /** Takes a purchase that the server has answered with. */
  take(purchase: Purchase): void
  /** How it ends with this state; `undefined` as long as it goes on. */
  endedBy(change: Change): Promise<FundingOutcome | LeftMethod | undefined>
  /** The outcome if the user leaves now. */
  submitted(): FundingOutcome
}

function createVisit(
  cx: FlowContext,
  options: FollowOptions,
  begun: Purchase,
  { isWatched = false } = {},
): Visit {
  const { clock } = cx
  const { purchases, kind, target } = options
  const pace = paceOf(begun.provider)
  const since = clock.now()
  let due = since + (isWatched ? 0 : pace.first)
  let errors = 0
  let purchase = begun
  let hasReturned = false
  let wake = () => {}

  async function change(signal: AbortSignal): Promise<Change> {
    for (;;) {
      if (clock.now() - since > fundingLimits.purchaseFollowed) return new Promise(() => {})
      const wait = due - clock.now()
      if (wait > 0) {
        const nap = new AbortController()
        wake = () => nap.abort()
        await clock.sleep(wait, AbortSignal.any([signal, nap.signal])).catch(() => signal.throwIfAborted())
      }
      try {
        const found = await within(
          clock,
          fundingLimits.purchaseTime,
          (stop) => purchases.read(begun.id, { signal: stop }),
          signal,
        )
        errors = 0
        if (isNews(purchase, found)) {
          purchase = found
          return { purchase: found }
        }
      } catch (cause) {
        signal.throwIfAborted()
        // A server that hasn't heard of it yet is no failure of the service.
        const isMissing = cause instanceof KitError && cause.status === 404
        if (!isMissing && ++errors >= fundingLimits.purchaseErrors) return 'unreachable'
      } finally {
        const isLong = clock.now() - since > fundingLimits.purchaseQuick
        due = clock.now() + (isLong ? fundingLimits.purchaseSlow : pace.every)
      }
    }
  }

  const outcome = (status: FundingOutcome['status']): FundingOutcome => {
    const { received, amount, transactionHash, id, provider, isSandbox } = purchase
    const read = readAmountText(received ?? amount ?? '', target.decimals)
    return {
      method: kind,
      status,
      ...(read.problem === undefined && { received: read.amount }),
      ...(transactionHash !== undefined && { transactionHash }),
      purchase: { id, provider, isSandbox },
    }
  }
  function ended(status: 'success' | 'failure' | 'service-failure'): void {
    cx.track('sdk_fiat_on_ramp_completed_with_status', { ...eventOf(purchase, target), status })
  }

  return {
    cx,
    options,
    id: begun.id,
    purchase: () => purchase,
    change,
    onReturn() {
      hasReturned = true
      due = clock.now()
      wake()
    },
    takeReturn() {
      const has = hasReturned
      hasReturned = false
      return has
    },
    take(next) {
      purchase = next
      due = clock.now() + pace.first
    },
    submitted: () => outcome('submitted'),
    async endedBy(next) {
      if (next === 'unreachable') {
        ended('service-failure')
        const error = new KitError('network_unavailable', 'The status of the purchase can not be loaded', {
          retryable: true,
        })
        return leftMethod({ words: failureWords(cx, begun.provider), error })
      }
      const { status } = purchase
      if (!isUnpaid(purchase)) {
        purchases.settle(begun.id)
        cx.stage.commit()
      }
      if (status === 'failed') {
        ended('failure')
        const error = new KitError('provider_refused', 'The purchase has failed', {
          details: purchase.failure ?? 'unknown',
          retryable: true,
        })
        return leftMethod({ words: failureWords(cx, begun.provider), error })
      }
      if (status === 'abandoned') return leftMethod()
      if (status !== 'completed') return undefined
      ended('success')
      await untilLeft(() => cx.stage.ask(purchaseStatus, statusProps(cx, options, purchase, 'done')))
      return outcome('completed')
    },
  }
}

/** A failure that was there at the start is of an earlier card. */
const isNews = (known: Purchase, found: Purchase): boolean =>
  found.status !== known.status || found.updatedAt.getTime() > known.updatedAt.getTime()

const paceOf = (provider: string) =>
  Object.hasOwn(fundingLimits.purchasePace, provider)
    ? fundingLimits.purchasePace[provider as keyof typeof fundingLimits.purchasePace]
    : fundingLimits.purchasePace.other

/** Closing what is over is as good as pressing its button. */
async function untilLeft(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (cause) {
    if (!(cause instanceof Closed)) throw cause
  }
}

async function payInWindow(
  visit: Visit,
  opening: PurchaseOpening | undefined,
  opened: Window | null | undefined,
): Promise<FundingOutcome | LeftMethod> {
  const { cx, options } = visit
  const { stage, clock, page } = cx
  let window = opened ?? undefined
  let link = opening
  let error: string | undefined
  let closures = 0
  let renewals = 0
  let isBlocked = !window
  // It may have been found again, and be paid. A card that was declined before doesn't end another attempt.
  if (!isUnpaid(visit.purchase())) {
    window?.close()
    window = undefined
    const end = await visit.endedBy({ purchase: visit.purchase() })
    if (end) return end
  } else if (opening) send(window, opening.url)
  for (;;) {
    const purchase = visit.purchase()
    const phase = phaseOf(purchase, { isClosed: !window, isBlocked: isBlocked && link !== undefined })
    const watched = window
    const expires =
      phase === 'blocked' && renewals < fundingLimits.quoteRenewals ? link?.expiresAt : undefined
    const work = async (signal: AbortSignal): Promise<Change | 'closed' | 'expired'> => {
      const waits: Promise<Change | 'closed' | 'expired'>[] = [visit.change(signal)]
      if (watched && phase === 'window')
        waits.push(untilClosed(watched, page.window, clock, signal).then(() => 'closed' as const))
      if (expires) {
        const left = expires.getTime() - fundingLimits.linkMargin - clock.now()
        waits.push(clock.sleep(Math.max(0, left), signal).then(() => 'expired' as const))
      }
      return Promise.race(waits)
    }
    let asked: { readonly answer: PurchaseStatusAnswer } | { readonly done: Change | 'closed' | 'expired' }
    try {
      asked = await stage.askDuring(
        purchaseStatus,
        {
          ...statusProps(cx, options, purchase, phase),
          error,
          ...(phase === 'blocked' && { link: link?.url }),
        },
        work,
      )
    } catch (cause) {
      // The provider has been paid: the user need not wait for the coins.
      if (cause instanceof Closed && !isUnpaid(visit.purchase())) return visit.submitted()
      throw cause
    }
    error = undefined
    if ('done' in asked && asked.done !== 'expired') {
      const { done } = asked
      if (done === 'closed') {
        window = undefined
        isBlocked = false
        // A window that has come back has not been closed by the user.
        if (!visit.takeReturn() && ++closures >= fundingLimits.windowClosures) return leftMethod()
        continue
      }
      const end = await visit.endedBy(done)
      if (!end) continue
      window?.close()
      return end
    }
    if ('answer' in asked) {
      if (asked.answer === 'close') return visit.submitted()
      if (asked.answer === 'back') {
        window?.close()
        return leftMethod()
      }
      const next = stage.takeWindow()
      window?.close()
      window = next ?? undefined
      isBlocked = !next
    } else renewals++
    try {
      const again = await options.purchases.reopen(visit.id, { signal: stage.signal })
      visit.take(again.purchase)
      link = again.opening
      send(window, link.url)
    } catch (cause) {
      stage.signal.throwIfAborted()
      window?.close()
      window = undefined
      isBlocked = false
      const failure = toKitError(cause, 'network_unavailable')
      // It is paid by now: the next question says so.
      if (failure.code === 'purchase_not_open') continue
      cx.report(failure)
      error = failureWords(cx, purchase.provider)
    }
  }
}

/** The window keeps its opener: browsers close none without, and a user who has gone back could still pay there. */
function send(window: Window | undefined, url: string): void {
  window?.location.replace(url)
}

function phaseOf(
  { status, method }: Purchase,
  { isClosed, isBlocked }: { isClosed: boolean; isBlocked: boolean },
): PurchasePhase {
  // A card whose bank asks counts as being processed.
  if (status === 'waiting-authorization' && method !== 'card') return 'bank'
  if (isUnderWay({ status })) return 'processing'
  if (isBlocked) return 'blocked'
  return isClosed ? 'closed' : 'window'
}

async function payInDialog(
  visit: Visit,
  { url: first }: PurchaseOpening,
): Promise<FundingOutcome | LeftMethod> {
  const { cx, options } = visit
  const { stage, clock } = cx
  let url = first
  let state: PayInFrameProps['state'] = 'loading'
  let problem: string | undefined
  let until = clock.now() + fundingLimits.frameTime
  for (;;) {
    const purchase = visit.purchase()
    const asked = await stage.askDuring(
      payInFrame,
      { ...factsOf(cx, options, purchase), provider: purchase.name, url, state, problem },
      async (signal): Promise<Change | 'late'> => {
        const waits: Promise<Change | 'late'>[] = [visit.change(signal)]
        if (state === 'loading')
          waits.push(clock.sleep(Math.max(0, until - clock.now()), signal).then(() => 'late' as const))
        return Promise.race(waits)
      },
    )
    if ('done' in asked) {
      if (asked.done === 'late') {
        state = 'failed'
        continue
      }
      // The time after a payment is shown as everywhere.
      if (asked.done !== 'unreachable' && isUnderWay(visit.purchase()))
        return payInWindow(visit, undefined, undefined)
      const end = await visit.endedBy(asked.done)
      if (end) return end
      continue
    }
    if (asked.answer === 'back') return leftMethod()
    if (asked.answer === 'retry') {
      try {
        const again = await options.purchases.reopen(visit.id, { signal: stage.signal })
        visit.take(again.purchase)
        url = again.opening.url
        state = 'loading'
        problem = undefined
        until = clock.now() + fundingLimits.frameTime
      } catch (cause) {
        stage.signal.throwIfAborted()
        const failure = toKitError(cause, 'network_unavailable')
        if (failure.code !== 'purchase_not_open') cx.report(failure)
      }
      continue
    }
    const said = asked.answer.frame
    if (said.kind === 'loaded') state = 'loaded'
    else if (said.kind === 'failed' && state === 'loading') state = 'failed'
    else problem = said.kind === 'paid' ? undefined : problemWords(cx, purchase.name, said)
  }
}

function problemWords({ t }: FlowContext, provider: string, { kind, reason }: PaymentFrameMessage): string {
  if (kind === 'canceled') return t('funding.purchase.frame.canceled')
  switch (reason) {
    case 'limit':
    case 'region':
      return t(`funding.purchase.frame.${reason}`, { provider })
    case 'declined':
    case 'funds':
    case 'not-available':
      return t(`funding.purchase.frame.${reason}`)
    default:
      return t('funding.purchase.frame.unknown')
  }
}

/** The words for a purchase that has failed, or whose provider has. */
export const failureWords = ({ t }: Pick<FlowContext, 't'>, provider: string): string =>
  t(
    provider === 'moonpay'
      ? 'funding.card.failed.moonpay'
      : provider === 'coinbase-onramp'
        ? 'funding.card.failed.coinbase'
        : 'funding.card.failed',
  )

/** The part of a purchase that the app's analytics may know. */
export const eventOf = (
  { provider, method, amount }: Pick<Purchase, 'provider' | 'method' | 'amount'>,
  { chain, chainType }: Pick<FundingTarget, 'chain' | 'chainType'>,
) => ({
  provider: method === 'exchange' && provider === 'coinbase-onramp' ? 'coinbase-exchange' : provider,
  ...(amount !== undefined && { value: amount }),
  chainType,
  chainId: chain.startsWith('eip155:') ? chain.slice('eip155:'.length) : chain,
})

function factsOf(
  { page }: Pick<FlowContext, 'page'>,
  { target }: Pick<FollowOptions, 'target'>,
  { amount, received, symbol, total, currency }: Purchase,
) {
  const shown = received ?? amount
  return {
    ...(shown !== undefined && { amount: `${groupDigits(shown)} ${symbol}` }),
    ...(total !== undefined && { total: formatMoney(total, currency, page.language) }),
    chain: target.chain,
    network: target.network,
  }
}

function statusProps(
  cx: Pick<FlowContext, 'page' | 'config'>,
  options: FollowOptions,
  purchase: Purchase,
  phase: PurchasePhase,
): PurchaseStatusProps {
  const { name, address, transactionHash: hash } = purchase
  return {
    ...factsOf(cx, options, purchase),
    kind: options.kind,
    phase,
    provider: name,
    address,
    ...(hash !== undefined && { hash, explorerUrl: explorerUrlFor(cx, purchase.chain, hash) }),
  }
}

/** The page of a transaction in the chain's explorer. */
export function explorerUrlFor(
  { config }: Pick<FlowContext, 'config'>,
  chain: string,
  hash: string,
): string | undefined {
  if (chain.startsWith('solana:')) {
    const cluster = solanaClusters(config).find((each) => each.chain === chain)
    return cluster && solanaExplorerUrl(cluster, hash)
  }
  return explorerUrlOf(config, Number(chain.slice('eip155:'.length)), hash)
}
