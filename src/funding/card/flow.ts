/** Buying from a provider, by card or from an account at an exchange: amount, quotes, the provider's page, and what becomes of it. */

import { ago, moment } from '../../activity/when.ts'
import type { FlowContext } from '../../app/flow-context.ts'
import { addWords } from '../../copy/copy.ts'
import { errors } from '../../copy/en/errors.ts'
import { funding as words } from '../../copy/en/funding.ts'
import { transaction } from '../../copy/en/transaction.ts'
import { isTurnedBack, type Stage } from '../../dialog/stage.ts'
import { type KitError, toKitError } from '../../errors/kit-error.ts'
import { within } from '../../lib/clock.ts'
import type { Price } from '../../lib/price.ts'
import type {
  FundingQuote,
  FundingQuotes,
  OpenedPurchase,
  Purchase,
  UnavailableProvider,
} from '../../protocol/funding.ts'
import { writeAmountText } from '../amount/amount-text.ts'
import { askAmount } from '../amount/flow.ts'
import { fundingLimits } from '../limits.ts'
import { type FundingMethod, type FundingOutcome, type LeftMethod, leftMethod } from '../method.ts'
import type { FundingTarget } from '../target.ts'
import { eventOf, explorerUrlFor, failureWords, followPurchase, watchPurchase } from './follow.ts'
import { formatMoney, groupDigits } from './money.ts'
import type { Offers, PurchaseKind } from './offers.ts'
import { type PurchaseDetailProps, purchaseDetail } from './purchase-detail.tsx'
import { type QuoteRow, type SelectQuoteProps, selectQuote } from './select-quote.tsx'
import { isUnderWay, isUnpaid, type PurchaseService } from './service.ts'

addWords(errors, transaction, words)

/** A contact that a user may have to verify before a guest's payment. */
export type Contact = 'email' | 'phone'

export interface BuyingOptions {
  readonly purchases: PurchaseService
  readonly offers: Offers
  /** The price of one unit of what is funded. Never rejects. */
  readonly price?: (() => Promise<Price | undefined>) | undefined
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
type FundingOrder = FundingTarget & { readonly amount: bigint }

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
  for (;;) {
    const { quotes, unavailable, state } = quoting
    const props: SelectQuoteProps = {
      kind: options.offers.kind,
      amount: `${groupDigits(writeAmountText(order.amount, order.decimals))} ${order.symbol}`,
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

interface Quoting {
  readonly state: SelectQuoteProps['state']
  readonly quotes: readonly FundingQuote[]
  readonly unavailable: readonly UnavailableProvider[]
  /** Resolves once there is something else to show. */
  change(signal: AbortSignal): Promise<void>
  /** Asks for them anew; those that are there stay meanwhile. */
  renew(): void
}

function createQuoting(
  { clock }: Pick<FlowContext, 'clock'>,
  { purchases, offers }: BuyingOptions,
  { address, chain, asset, amount, decimals }: FundingOrder,
): Quoting {
  let state: SelectQuoteProps['state'] = 'loading'
  let found: Pick<FundingQuotes, 'quotes' | 'unavailable'> = { quotes: [], unavailable: [] }
  let renewals = 0
  let due = clock.now()
  const request = {
    address,
    chain,
    asset,
    amount: writeAmountText(amount, decimals),
    ...(offers.kind === 'exchange' && { method: 'exchange' }),
  }

  async function load(signal: AbortSignal): Promise<void> {
    try {
      const { quotes, unavailable } = await within(
        clock,
        fundingLimits.quoteTime,
        (stop) => purchases.quotes(request, { signal: stop }),
        signal,
      )
      found = {
        quotes: quotes.filter((each) => offers.allows(each)),
        unavailable: unavailable.filter(({ provider }) => offers.providers.some(({ id }) => id === provider)),
      }
      state = 'ready'
      const ends = found.quotes.map(({ expiresAt }) => expiresAt?.getTime() ?? Number.POSITIVE_INFINITY)
      const end = Math.min(clock.now() + fundingLimits.quoteLife, ...ends)
      due = Math.max(clock.now() + fundingLimits.quoteInterval, end)
    } catch {
      signal.throwIfAborted()
      // Prices that were there are too old by now.
      found = { quotes: [], unavailable: found.unavailable }
      state = 'failed'
    }
  }

  return {
    get state() {
      return state
    },
    get quotes() {
      return found.quotes
    },
    get unavailable() {
      return found.unavailable
    },
    async change(signal) {
      if (state === 'failed' || state === 'old') return new Promise(() => {})
      if (state === 'ready') {
        await clock.sleep(Math.max(0, due - clock.now()), signal)
        if (++renewals > fundingLimits.quoteRenewals) {
          state = 'old'
          return undefined
        }
      }
      return load(signal)
    },
    renew() {
      renewals = 0
      due = clock.now()
      // The first change loads them; until then they are shown as they are.
      state = 'loading'
    },
  }
}

const keyOf = ({ provider, method }: Pick<FundingQuote, 'provider' | 'method'>) => `${provider} ${method}`

/** The proposed provider's first quote, where it has one. */
const preferredOf = (quotes: readonly FundingQuote[], offers: Offers): string | undefined => {
  const { id } = offers.preferred()
  const quote = quotes.find(({ provider }) => provider === id) ?? quotes[0]
  return quote && keyOf(quote)
}

function rowsOf(quotes: readonly FundingQuote[], locale: string): readonly QuoteRow[] {
  const totals = quotes.flatMap(({ total, missing }) =>
    total === undefined || missing.length > 0 ? [] : Number(total),
  )
  const least = totals.length > 1 ? Math.min(...totals) : undefined
  return quotes.map((quote) => {
    const { provider, name, method, opens, isSandbox, receives, total, fee, currency, seconds } = quote
    const isCheapest = total !== undefined && Number(total) === least && quote.missing.length === 0
    const sameCurrency = quotes.every((each) => each.currency === currency)
    return {
      key: `${provider} ${method}`,
      provider: name,
      method,
      opens,
      isSandbox,
      receives: `${groupDigits(receives.amount)} ${receives.symbol}`,
      total: total === undefined ? undefined : formatMoney(total, currency, locale),
      fee: fee === undefined ? undefined : formatMoney(fee, currency, locale),
      seconds,
      isBest: isCheapest && sameCurrency && totals.filter((each) => each === least).length === 1,
      missing: quote.missing,
      termsUrl: quote.termsUrl,
    }
  })
}

const refusals = ['not-supported', 'amount-too-low', 'amount-too-high', 'region', 'unavailable'] as const

/** Why a provider sells nothing of this. */
function reasonWords(
  { t }: Pick<FlowContext, 't'>,
  { symbol, network, chain }: Pick<FundingTarget, 'symbol' | 'network' | 'chain'>,
  { provider, reason, least, most }: Pick<UnavailableProvider, 'provider' | 'reason' | 'least' | 'most'>,
): string {
  const known = refusals.find((each) => each === reason) ?? 'unavailable'
  if (known === 'not-supported')
    return provider === 'coinbase-onramp'
      ? t('funding.card.unsupportedChain', { chain: chain.replace(/^eip155:/, '') })
      : t('funding.card.refused.not-supported', { symbol, network })
  if (known === 'amount-too-low' && least !== undefined)
    return t('funding.card.refused.least', { amount: `${groupDigits(least)} ${symbol}` })
  if (known === 'amount-too-high' && most !== undefined)
    return t('funding.card.refused.most', { amount: `${groupDigits(most)} ${symbol}` })
  return t(`funding.card.refused.${known}`)
}

async function start(
  cx: FlowContext,
  { purchases }: BuyingOptions,
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
          asset,
          amount: text,
          currency: quote.currency,
          provider: quote.provider,
          method: quote.method,
          expectedTotal: quote.total,
          theme: themeOf(cx),
          // The provider takes no other form.
          ...(/^#[\da-f]{6}$/i.test(accentColor ?? '') && { accentColor }),
          ...(/^[a-z]{2,3}(-[a-z\d]{2,8}){0,3}$/i.test(page.language) && { language: page.language }),
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

/** A purchase as a list shows it. */
export interface PurchaseRow {
  readonly id: string
  /** With its symbol. */
  readonly amount: string
  readonly provider: string
  readonly network: string
  readonly when: string
  readonly state: string
  readonly tone: 'accent' | 'success' | 'plain'
}

export function purchaseRow(
  cx: Pick<FlowContext, 't' | 'clock'>,
  purchase: Purchase,
  network: string,
): PurchaseRow {
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

const kindOf = ({ method }: Purchase): PurchaseKind => (method === 'exchange' ? 'exchange' : 'card')
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
