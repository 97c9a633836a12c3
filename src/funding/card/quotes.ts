/** Quotes of providers for an amount: loaded, renewed as they expire, and put into rows. */
import type { FlowContext } from '../../app/flow-context.ts'
import { KitError } from '../../errors/kit-error.ts'
import { within } from '../../lib/clock.ts'
import { USDC } from '../../lib/usdc.ts'
import type {
  FundingQuote,
  FundingRequest as FundingQuoteRequest,
  FundingQuotes,
  UnavailableProvider,
} from '../../protocol/funding.ts'
import { writeAmountText } from '../amount/amount-text.ts'
import { fundingLimits } from '../limits.ts'
import type { FundingTarget } from '../target.ts'
import { formatMoney, groupDigits } from './money.ts'
import type { Offers } from './offers.ts'
import type { QuoteRow, SelectQuoteProps } from './select-quote.tsx'
import type { PurchaseService } from './service.ts'

/**
 * The asset by the name that providers know.
 * @throws KitError `not_supported` for a token, of which they sell none
 */
export function soldAsset(asset: FundingTarget['asset']): FundingQuoteRequest['asset'] {
  if (asset === 'native-currency') return 'native-currency'
  if (asset === USDC) return USDC
  throw new KitError('not_supported', 'Invalid funding data', { details: 'No provider sells this token' })
}

/** A wallet, with the amount that it is to get. */
export type FundingOrder = FundingTarget & { readonly amount: bigint }

export interface Quoting {
  readonly state: SelectQuoteProps['state']
  readonly quotes: readonly FundingQuote[]
  readonly unavailable: readonly UnavailableProvider[]
  /** Resolves once there is something else to show. */
  change(signal: AbortSignal): Promise<void>
  /** Asks for them anew; those that are there stay meanwhile. */
  renew(): void
}

export function createQuoting(
  { clock }: Pick<FlowContext, 'clock'>,
  { purchases, offers }: { readonly purchases: PurchaseService; readonly offers: Offers },
  { address, chain, asset, amount, decimals }: FundingOrder,
): Quoting {
  let state: SelectQuoteProps['state'] = 'loading'
  let found: Pick<FundingQuotes, 'quotes' | 'unavailable'> = { quotes: [], unavailable: [] }
  let renewals = 0
  let due = clock.now()
  const request = {
    address,
    chain,
    asset: soldAsset(asset),
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

/** Names a quote in an answer. */
export const keyOf = ({ provider, method }: Pick<FundingQuote, 'provider' | 'method'>) =>
  `${provider} ${method}`

/** The proposed provider's first quote, where it has one. */
export const preferredOf = (quotes: readonly FundingQuote[], offers: Offers): string | undefined => {
  const { id } = offers.preferred()
  const quote = quotes.find(({ provider }) => provider === id) ?? quotes[0]
  return quote && keyOf(quote)
}

export function rowsOf(quotes: readonly FundingQuote[], locale: string): readonly QuoteRow[] {
  const totals = quotes.flatMap(({ total, missing }) =>
    total === undefined || missing.length > 0 ? [] : Number(total),
  )
  const least = totals.length > 1 ? Math.min(...totals) : undefined
  return quotes.map((quote) => {
    const { provider, name, method, opens, isSandbox, receives, total, fee, currency, seconds } = quote
    const regions = new Intl.DisplayNames(locale, { type: 'region' })
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
      countries: quote.countries.map((each) => regions.of(each) ?? each),
      termsUrl: quote.termsUrl,
    }
  })
}

const refusals = ['not-supported', 'amount-too-low', 'amount-too-high', 'region', 'unavailable'] as const

/** Why a provider sells nothing of this. */
export function reasonWords(
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
