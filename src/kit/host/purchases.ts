/** Purchases of the user's, for funding and for the list of their activity. */
import type { Config } from '../../app/config.ts'
import type { FlowContext } from '../../app/flow-context.ts'
import { KitError } from '../../errors/kit-error.ts'
import { watchPurchase } from '../../funding/card/follow.ts'
import { kindOf, purchaseRow, showPurchase, unfinished } from '../../funding/card/purchases.ts'
import { createReferences } from '../../funding/card/references.ts'
import { createPurchaseService, isUnpaid, type PurchaseService } from '../../funding/card/service.ts'
import type { UnfinishedPurchases } from '../../funding/flow.ts'
import { fundingLimits } from '../../funding/limits.ts'
import { leftMethod } from '../../funding/method.ts'
import { type FundingTarget, findPlace } from '../../funding/target.ts'
import { within } from '../../lib/clock.ts'
import { USDC, USDC_DECIMALS } from '../../lib/usdc.ts'
import type { Purchase } from '../../protocol/funding.ts'
import { sessionKey } from '../../session/keys.ts'
import type { BoughtActivity } from '../../signing/activity/flow.ts'
import type { KitContext } from '../context.ts'
import { announceFunded } from './funded.ts'
import { personOf } from './person.ts'

/** The purchases of a user, at the providers of the app's server. */
export const createPurchasesFor = (
  { appId, storage, clock, services }: Pick<KitContext, 'appId' | 'storage' | 'clock' | 'services'>,
  user: string,
): PurchaseService =>
  createPurchaseService({
    http: async () => (await services()).http(),
    references: createReferences({
      storage,
      key: sessionKey(appId, 'purchases'),
      user,
      now: clock.now,
    }),
  })

/** Purchases that are not over, as the methods list them. */
export function unfinishedOf(purchases: PurchaseService, target: FundingTarget): UnfinishedPurchases {
  let known: readonly Purchase[] = []
  return {
    async list(cx: FlowContext, signal) {
      try {
        const all = await within(
          cx.clock,
          fundingLimits.purchaseTime,
          (stop) => purchases.list({ signal: stop }),
          signal,
        )
        known = unfinished(all.purchases, target, cx.clock.now())
      } catch {
        // Nobody is kept from adding funds because a list can't be loaded.
        known = []
      }
      return known.map((each) => purchaseRow(cx, each, target.network))
    },
    async resume(flow, id) {
      const purchase = known.find((each) => each.id === id)
      return purchase ? showPurchase(flow, { purchases, target }, purchase) : leftMethod()
    },
  }
}

/** The user's purchases, for the list of their activity; `undefined` where the app sells nothing. */
export function boughtActivity(cx: KitContext): BoughtActivity | undefined {
  const config = cx.app.known()
  const providers = config.app.funding?.providers ?? []
  if (providers.length === 0) return undefined
  const purchases = createPurchasesFor(cx, personOf(cx, 'their purchases are shown').id)
  let known: readonly Purchase[] | undefined
  let next: string | undefined
  const targetOf = (purchase: Purchase) => targetFor(config, purchase)
  const words = { t: cx.t(), clock: cx.clock }
  return {
    list: () => known?.map((each) => purchaseRow(words, each, targetOf(each).network)),
    hasMore: () => next !== undefined,
    async load(page, signal) {
      try {
        const before = page === 'next' ? next : undefined
        const found = await within(
          cx.clock,
          fundingLimits.purchaseTime,
          (stop) => purchases.list({ before, signal: stop }),
          signal,
        )
        known = before === undefined ? found.purchases : [...(known ?? []), ...found.purchases]
        next = found.next
      } catch {
        // The list of what was sent is there without it.
      }
    },
    async show(flow, id) {
      const purchase = known?.find((each) => each.id === id)
      if (!purchase) return
      const ended = await showPurchase(flow, { purchases, target: targetOf(purchase) }, purchase)
      if ('back' in ended && ended.failure) flow.report(ended.failure.error)
    },
  }
}

/** The wallet that a purchase is for. */
function targetFor(config: Config, { address, chain, asset }: Purchase) {
  const place = findPlace(config, chain)
  return { ...place, address, chain, decimals: asset === USDC ? USDC_DECIMALS : place.coin.decimals }
}

/**
 * Shows a purchase with which its buyer has come back from the provider, in a dialog of its own. Only the user's own ones are shown, since
 * anybody can write a link.
 */
export async function resumePurchase(cx: KitContext, id: string): Promise<void> {
  const { user } = cx.app.state.get()
  if (!user) return
  const purchases = createPurchasesFor(cx, user.id)
  const purchase = await findPurchase(cx, purchases, id)
  if (!purchase) return
  const target = targetFor(cx.app.known(), purchase)
  const options = { purchases, target }
  try {
    await cx.runs.run('fund', { outlivesRefusals: true }, async (stage) => {
      const flow = cx.flow(stage)
      const ended = await (isUnpaid(purchase)
        ? showPurchase(flow, options, purchase)
        : watchPurchase(flow, { ...options, kind: kindOf(purchase) }, purchase))
      if (!('back' in ended)) announceFunded(cx, { ...purchase, decimals: target.decimals }, ended)
      else if (ended.failure) flow.report(ended.failure.error)
    })
  } catch (cause) {
    const expected = ['exited_funding_flow', 'flow_in_progress', 'session_changed']
    if (!(cause instanceof KitError && expected.includes(cause.code))) throw cause
  }
}

/** As its provider says it is now, or where that can't be asked, as the server last knew it. */
async function findPurchase(
  { clock }: Pick<KitContext, 'clock'>,
  purchases: PurchaseService,
  id: string,
): Promise<Purchase | undefined> {
  try {
    return await within(clock, fundingLimits.purchaseTime, (signal) => purchases.read(id, { signal }))
  } catch (cause) {
    if (cause instanceof KitError && cause.status === 404) return undefined
    const known = await within(clock, fundingLimits.purchaseTime, (signal) => purchases.list({ signal }))
    return known.purchases.find((each) => each.id === id)
  }
}
