/** Buying from a provider, by card or from an account at an exchange: amount, quotes and the provider's page. */
import type { FlowContext } from '../../app/flow-context.ts'
import { isTurnedBack, type Stage } from '../../dialog/stage.ts'
import { type KitError, toKitError } from '../../errors/kit-error.ts'
import { within } from '../../lib/clock.ts'
import type { Price } from '../../lib/price.ts'
import type { FundingQuote, OpenedPurchase } from '../../protocol/funding.ts'
import { writeAmountText } from '../amount/amount-text.ts'
import { askAmount } from '../amount/flow.ts'
import { fundingLimits } from '../limits.ts'
import { type FundingMethod, leftMethod } from '../method.ts'
import { eventOf, failureWords, followPurchase } from './follow.ts'
import { groupDigits } from './money.ts'
import type { Offers } from './offers.ts'
import {
  createQuoting,
  type FundingOrder,
  keyOf,
  preferredOf,
  reasonWords,
  rowsOf,
  soldAsset,
} from './quotes.ts'
import { returnUrlOf } from './returns.ts'
import { type SelectQuoteProps, selectQuote } from './select-quote.tsx'
import type { PurchaseService } from './service.ts'

/** A contact that a user may have to verify before a guest's payment. */
export type Contact = 'email' | 'phone'

export interface BuyingOptions {
  readonly purchases: PurchaseService
  readonly offers: Offers
  /** The price of one unit of what is funded. Never rejects. */
  readonly price?: (() => Promise<Price | undefined>) | undefined
  /** The address that the provider's page leads to afterwards. */
  readonly returnUrl?: string | undefined
  /** Has the user verify a contact on this stage. Throws `Closed` when they turn back. `undefined`: the app can't do that. */
  verify(stage: Stage, contact: Contact): Promise<unknown> | undefined
}

/** Makes the method of buying from a provider. */
export const buying =
  (options: BuyingOptions): FundingMethod =>
  async (cx, target) => {
    const { kind } = options.offers
    let amount = target.amount
    let isEdited = false
    for (;;) {
      if (amount === undefined || isEdited) {
        const asked = await askAmount(cx, { target: { ...target, amount }, price: options.price })
        if (asked === 'back' && (amount === undefined || target.amount === undefined)) return leftMethod()
        if (asked !== 'back') amount = asked
      }
      isEdited = false
      const order = { ...target, amount: amount ?? 0n }
      const begun = await askQuote(cx, options, order)
      if (begun === 'back') {
        if (target.amount !== undefined) return leftMethod()
        isEdited = true
      } else if (begun === 'edit') isEdited = true
      else
        return followPurchase(cx, { purchases: options.purchases, target, kind }, begun.opened, begun.window)
    }
  }

interface Begun {
  readonly opened: OpenedPurchase
  readonly window: Window | null | undefined
}

/** Shows the quotes, renewing them as they expire, until one has become a purchase. */
async function askQuote(
  cx: FlowContext,
  options: BuyingOptions,
  order: FundingOrder,
): Promise<Begun | 'edit' | 'back'> {
  const { stage, page } = cx
  const quoting = createQuoting(cx, options, order)
  let notice: string | undefined
  let error: string | undefined
  let first: string | undefined
  let verifiedFor: FundingQuote | undefined
  for (;;) {
    const { quotes, unavailable, state } = quoting
    if (verifiedFor && state === 'ready') {
      notice = noticeOfGone(cx, order, verifiedFor, quotes)
      verifiedFor = undefined
    }
    const props: SelectQuoteProps = {
      kind: options.offers.kind,
      amount: `${groupDigits(writeAmountText(order.amount, order.decimals))} ${order.symbol}`,
      chain: order.chain,
      network: order.network,
      state,
      quotes: rowsOf(quotes, page.language),
      unavailable: unavailable.map((each) => ({ provider: each.name, reason: reasonWords(cx, order, each) })),
      first: first ?? preferredOf(quotes, options.offers),
      notice,
      error: error ?? (state === 'failed' ? cx.t('funding.card.unreachable') : undefined),
    }
    const asked = await stage.askDuring(selectQuote, props, (signal) => quoting.change(signal))
    if ('done' in asked) continue
    const { answer } = asked
    notice = undefined
    error = undefined
    if (answer === 'back' || answer === 'edit') return answer
    if (answer === 'retry') {
      quoting.renew()
      continue
    }
    if ('verify' in answer) {
      first = answer.for
      const contact = answer.verify === 'email' || answer.verify === 'phone' ? answer.verify : undefined
      const verified = contact && options.verify(stage, contact)
      if (!verified) {
        error = cx.t('funding.card.verify.off')
        continue
      }
      try {
        await verified
        verifiedFor = quotes.find((each) => keyOf(each) === answer.for)
      } catch (cause) {
        stage.signal.throwIfAborted()
        // The screens of that have said what was wrong; turning back is no failure.
        if (!isTurnedBack(cause)) cx.report(toKitError(cause, 'network_unavailable'))
      }
      quoting.renew()
      continue
    }
    first = answer.start
    const window = stage.takeWindow()
    const quote = quotes.find((each) => keyOf(each) === answer.start)
    if (!quote) {
      window?.close()
      continue
    }
    try {
      return { opened: await start(cx, options, order, quote), window }
    } catch (cause) {
      window?.close()
      stage.signal.throwIfAborted()
      const failure = toKitError(cause, 'network_unavailable')
      cx.report(failure)
      const said = startProblem(cx, order, quote, failure)
      if ('notice' in said) {
        notice = said.notice
        quoting.renew()
      } else error = said.error
    }
  }
}

/** The contact that a user has verified may show that the quote which needed it is not for them. */
function noticeOfGone(
  cx: FlowContext,
  order: FundingOrder,
  wanted: FundingQuote,
  quotes: readonly FundingQuote[],
): string | undefined {
  if (quotes.some((each) => keyOf(each) === keyOf(wanted))) return undefined
  const { provider, name, countries } = wanted
  const reason = countries.length > 0 ? 'region' : 'unavailable'
  return `${name}: ${reasonWords(cx, order, { provider, reason })}`
}

async function start(
  cx: FlowContext,
  { purchases, returnUrl = returnUrlOf(cx.page.address()) }: BuyingOptions,
  order: FundingOrder,
  quote: FundingQuote,
): Promise<OpenedPurchase> {
  const { clock, config, page, stage } = cx
  const { address, chain, asset, amount, decimals } = order
  const text = writeAmountText(amount, decimals)
  const accentColor = config.accent
  const opened = await within(
    clock,
    fundingLimits.quoteTime,
    (signal) =>
      purchases.start(
        {
          address,
          chain,
          asset: soldAsset(asset),
          amount: text,
          currency: quote.currency,
          provider: quote.provider,
          method: quote.method,
          expectedTotal: quote.total,
          theme: themeOf(cx),
          // The provider takes no other form.
          ...(/^#[\da-f]{6}$/i.test(accentColor ?? '') && { accentColor }),
          ...(/^[a-z]{2,3}(-[a-z\d]{2,8}){0,3}$/i.test(page.language) && { language: page.language }),
          ...(returnUrl !== undefined && { returnUrl }),
          ...(quote.termsUrl !== undefined && { termsAcceptedAt: new Date(clock.now()) }),
        },
        { signal },
      ),
    stage.signal,
  )
  cx.track('sdk_fiat_on_ramp_started', eventOf({ ...quote, amount: text }, order))
  return opened
}

function themeOf({ config, page }: Pick<FlowContext, 'config' | 'page'>): 'light' | 'dark' {
  if (config.theme !== 'auto') return config.theme
  return page.window.matchMedia?.('(prefers-color-scheme:dark)').matches ? 'dark' : 'light'
}

/** The reason why a purchase can't start. With a notice the quotes are loaded again. */
function startProblem(
  cx: FlowContext,
  order: FundingOrder,
  { provider, name }: FundingQuote,
  error: KitError,
): { readonly notice: string } | { readonly error: string } {
  const { t } = cx
  const reason = (code: string) => `${name}: ${reasonWords(cx, order, { provider, reason: code })}`
  switch (error.code) {
    case 'quote_changed':
      return { notice: t('funding.card.changed') }
    case 'contact_not_verified':
      return { notice: t(`funding.card.missing.${contactOf(error)}`) }
    case 'provider_refused':
      return { notice: reason(refusalOf(error)) }
    case 'not_supported':
      return { notice: reason('not-supported') }
    case 'too_many_requests':
      return { error: t('funding.card.tooMany') }
    default:
      return { error: failureWords(cx, provider) }
  }
}

const textOf = (data: unknown, field: string): unknown =>
  typeof data === 'object' && data !== null ? (data as Record<string, unknown>)[field] : undefined
function refusalOf({ data }: KitError): string {
  const reason = textOf(data, 'reason')
  return typeof reason === 'string' ? reason : 'unavailable'
}
function contactOf({ data }: KitError): Contact | 'other' {
  const missing = textOf(data, 'missing')
  const first: unknown = Array.isArray(missing) ? missing[0] : undefined
  return first === 'email' || first === 'phone' ? first : 'other'
}
