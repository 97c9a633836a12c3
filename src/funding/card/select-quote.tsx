import type { CSSObject } from '@emotion/react'
import { useState } from 'react'
import { color, text } from '../../../styles/tokens.ts'
import type { CopyKey, Translate } from '../../copy/copy.ts'
import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { Button } from '../../ui/actions/button.tsx'
import { Link } from '../../ui/actions/link.tsx'
import { LinkButton } from '../../ui/actions/link-button.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Chip } from '../../ui/feedback/chip.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { Choices } from '../../ui/fields/choices.tsx'
import { Content } from '../../ui/layout/content.tsx'
import { Body, Footer, Note } from '../../ui/layout/layout.tsx'
import { useAnnounced } from '../../ui/panel/use-announced.ts'
import { Dotted } from '../../ui/text/dotted.tsx'
import { Figure } from '../../ui/text/figure.tsx'
import { useWords } from '../../ui/text/words.tsx'
import { Details } from '../../ui/wallet/detail-row.tsx'
import { networkRow } from '../../ui/wallet/network-row.tsx'
import type { PurchaseKind } from './offers.ts'

/** A provider's quote, ready to be read. */
export interface QuoteRow {
  /** Names it in an answer. */
  readonly key: string
  readonly provider: string
  /** `card`, `apple-pay`, …; a newer server knows others. */
  readonly method: string
  readonly opens: 'url' | 'frame' | 'popup'
  readonly isSandbox: boolean
  /** With its symbol. */
  readonly receives: string
  /** With its currency; `undefined` where the provider says it only later. */
  readonly total?: string | undefined
  readonly fee?: string | undefined
  readonly seconds?: number | undefined
  /** No other one asks less. */
  readonly isBest: boolean
  /** Names of the countries that it is for; empty where it is for all. */
  readonly countries: readonly string[]
  /** Contacts that have to be verified before. */
  readonly missing: readonly string[]
  readonly termsUrl?: string | undefined
}
export interface SelectQuoteProps {
  kind: PurchaseKind
  /** The amount to buy, with its symbol. */
  amount: string
  /** CAIP-2 */
  chain: string
  network: string
  /** `old`: they are no longer renewed by themselves. */
  state: 'loading' | 'ready' | 'old' | 'failed'
  quotes: readonly QuoteRow[]
  /** Providers without a quote, each with the reason. */
  unavailable: readonly { readonly provider: string; readonly reason: string }[]
  /** The one that is chosen at first. */
  first?: string | undefined
  /** A change since the user has looked. */
  notice?: string | undefined
  error?: string | undefined
}
export type SelectQuoteAnswer =
  | { readonly start: string }
  | { readonly verify: string; readonly for: string }
  | 'edit'
  | 'retry'
  | 'back'

/** Quotes of all providers for an amount, side by side. */
export const selectQuote = defineScreen<SelectQuoteProps, SelectQuoteAnswer>('funding-quotes', {
  view: SelectQuote,
  back: true,
  // The window has to open within the press; whoever pays in a frame needs none.
  opens: (answer, { quotes }) => {
    const key = typeof answer === 'object' && 'start' in answer ? answer.start : undefined
    const quote = quotes.find((each) => each.key === key)
    return quote !== undefined && quote.opens !== 'frame'
  },
})

function SelectQuote(props: SelectQuoteProps & Answering<SelectQuoteAnswer>) {
  const { kind, amount, chain, network, state, quotes, unavailable, first, notice, error, busy, answer } =
    props
  const t = useWords()
  const [picked, setPicked] = useState<string>()
  const chosen = [picked, first].find((key) => quotes.some((each) => each.key === key)) ?? quotes[0]?.key
  const quote = quotes.find((each) => each.key === chosen)
  const isBusy = busy !== undefined
  const isStarting = typeof busy === 'object'
  const problem = isBusy ? undefined : error
  useAnnounced(notice)
  useAnnounced(problem, 'alert')
  const missing = quote?.missing[0]
  const isLoading = state === 'loading' && quotes.length === 0
  return (
    <>
      <Body title={t(kind === 'card' ? 'funding.card' : 'funding.exchange')}>
        <Content gap={16}>
          <Details
            rows={[
              [
                t('funding.card.amount'),
                <span key="amount" css={editable}>
                  <Figure>{amount}</Figure>
                  <LinkButton disabled={isBusy} busy={busy === 'edit'} onClick={() => answer('edit')}>
                    {t('funding.card.edit')}
                  </LinkButton>
                </span>,
              ],
              networkRow(t('funding.receive.network'), chain, network),
            ]}
          />
          {isLoading && (
            <div>
              <p css={[legend, { margin: 0 }]}>{t('funding.card.choose')}</p>
              <Content gap={8}>
                <Skeleton height={64} round={12} />
                <Skeleton height={64} round={12} />
              </Content>
            </div>
          )}
          {quotes.length > 0 && (
            <Choices
              label={t('funding.card.choose')}
              options={quotes.map((each) => ({ value: each.key, content: <QuoteFacts quote={each} /> }))}
              chosen={chosen}
              busy={isBusy}
              onChoose={setPicked}
            />
          )}
          {state !== 'loading' && quotes.length === 0 && state !== 'failed' && (
            <Banner>{t('funding.card.none')}</Banner>
          )}
          {unavailable.length > 0 && (
            <ul css={others}>
              {unavailable.map(({ provider, reason }) => (
                <li key={provider}>
                  <bdi css={{ color: color('text-muted'), fontWeight: 500 }}>{provider}</bdi>
                  {' · '}
                  {reason}
                </li>
              ))}
            </ul>
          )}
        </Content>
      </Body>
      <Footer>
        {problem && <Banner tone="danger">{problem}</Banner>}
        {notice && !problem && <Banner tone="warning">{notice}</Banner>}
        {quote?.termsUrl !== undefined && missing === undefined && (
          <Note>
            {t('funding.card.terms', { provider: quote.provider })}{' '}
            <Link href={quote.termsUrl}>{t('funding.card.termsLink')}</Link>
          </Note>
        )}
        {state === 'failed' || state === 'old' ? (
          <Button busy={busy === 'retry'} disabled={isBusy} onClick={() => answer('retry')}>
            {t(state === 'old' ? 'funding.card.renew' : 'common.retry')}
          </Button>
        ) : quote && chosen !== undefined ? (
          <Button
            busy={isStarting}
            disabled={isBusy}
            onClick={() =>
              answer(missing === undefined ? { start: chosen } : { verify: missing, for: chosen })
            }
          >
            {missing === undefined
              ? t('funding.card.continue', { provider: quote.provider })
              : t(contactWords(missing, 'verify'))}
          </Button>
        ) : state === 'loading' ? (
          <Button disabled>{t('common.continue')}</Button>
        ) : (
          <Button busy={busy === 'edit'} disabled={isBusy} onClick={() => answer('edit')}>
            {t('funding.card.editAmount')}
          </Button>
        )}
      </Footer>
    </>
  )
}

function QuoteFacts({ quote }: { quote: QuoteRow }) {
  const t = useWords()
  return (
    <>
      <span css={line}>
        <span css={seller}>
          <bdi>{quote.provider}</bdi>
          <span css={muted}>{t(methodWords(quote.method))}</span>
        </span>
        {quote.total !== undefined && (
          <span css={total}>
            <Figure>{quote.total}</Figure>
          </span>
        )}
      </span>
      <span css={muted}>
        <Dotted
          parts={[
            <span key="receives">
              {t('funding.card.receives')} <Figure>{quote.receives}</Figure>
            </span>,
            quote.fee !== undefined && (
              <span key="fee">
                {t('funding.card.fee')} <Figure>{quote.fee}</Figure>
              </span>
            ),
            quote.seconds !== undefined && timeWords(t, quote.seconds),
            quote.total === undefined && t('funding.card.totalLater'),
          ]}
        />
      </span>
      {quote.countries.length > 0 && (
        <span css={muted}>{t('funding.card.countries', { countries: quote.countries.join(', ') })}</span>
      )}
      {quote.missing.map((contact) => (
        <span key={contact} css={muted}>
          {t(contactWords(contact, 'missing'))}
        </span>
      ))}
      {(quote.isBest || quote.isSandbox) && (
        <span css={chips}>
          {quote.isBest && <Chip tone="success">{t('funding.card.best')}</Chip>}
          {quote.isSandbox && <Chip tone="outline">{t('funding.card.sandbox')}</Chip>}
        </span>
      )}
    </>
  )
}

const MINUTE = 60
const HOUR = 3_600
const DAY = 86_400
/** How long a purchase usually takes. */
function timeWords(t: Translate, seconds: number): string {
  if (seconds < 2 * HOUR)
    return t('funding.card.minutes', { count: Math.max(1, Math.ceil(seconds / MINUTE)) })
  if (seconds < 2 * DAY) return t('funding.card.hours', { count: Math.ceil(seconds / HOUR) })
  return t('funding.card.days', { count: Math.ceil(seconds / DAY) })
}

const methods = ['card', 'apple-pay', 'google-pay', 'bank-transfer', 'exchange'] as const
type KnownMethod = (typeof methods)[number]
/** The words for a payment method. */
export const methodWords = (method: string) =>
  `funding.card.method.${methods.find((each) => each === method) ?? 'other'}` as const satisfies `funding.card.method.${KnownMethod | 'other'}`
const contactWords = <Use extends 'missing' | 'verify'>(contact: string, use: Use) =>
  `funding.card.${use}.${contact === 'phone' ? 'phone' : contact === 'email' ? 'email' : 'other'}` as const satisfies CopyKey

const editable: CSSObject = {
  display: 'inline-flex',
  flexWrap: 'wrap',
  alignItems: 'baseline',
  justifyContent: 'flex-end',
  gap: '0 8px',
}
const legend: CSSObject = { ...text('detail'), padding: '8px 0', color: color('text-muted') }
const line: CSSObject = {
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'baseline',
  justifyContent: 'space-between',
  gap: '0 12px',
}
const seller: CSSObject = {
  ...text('label'),
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'baseline',
  gap: '0 8px',
}
const total: CSSObject = { ...text('label'), fontWeight: 600, marginInlineStart: 'auto' }
const muted: CSSObject = { ...text('detail'), color: color('text-muted') }
const chips: CSSObject = { display: 'flex', flexWrap: 'wrap', gap: 4 }
const others: CSSObject = {
  ...text('detail'),
  display: 'grid',
  gap: 4,
  margin: 0,
  padding: 0,
  listStyle: 'none',
  color: color('text-muted'),
  overflowWrap: 'anywhere',
}
