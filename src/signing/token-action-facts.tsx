import type { CSSObject } from '@emotion/react'
import { Fragment, type ReactNode } from 'react'
import { color, text } from '../../styles/tokens.ts'
import type { TokenAction } from '../ethereum/token-action.ts'
import { Figure } from '../ui/text/figure.tsx'
import { useWords } from '../ui/text/words.tsx'
import { Address } from '../ui/wallet/address.tsx'
import { Details } from '../ui/wallet/detail-row.tsx'
import { type Asset, formatAmount } from './preview.ts'

export type Row = readonly [label: string, value: ReactNode]

/** The end of an offer or an allowance: as a date where it is one. */
export function expiryRow(t: ReturnType<typeof useWords>, seconds: bigint): Row {
  const label = t('call.expires')
  return [label, <bdi key={label}>{formatDate(t, seconds)}</bdi>]
}

/** A time in seconds since 1970, as a date where it is one. */
export function formatDate(t: ReturnType<typeof useWords>, seconds: bigint): string {
  // From the year 10000 on it is no date.
  if (seconds >= 253_402_300_800n) return t('sign.data.endless')
  return new Date(Number(seconds) * 1_000).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })
}

/** What a call or a permit does with tokens, as facts: whose, who gets or may spend them, and how many. */
export function TokenActionFacts({ action, asset }: { action: TokenAction; asset?: Asset | undefined }) {
  const t = useWords()
  const { contract, from, party, amount, token, amountOrToken, unlimited, reach, expires } = action
  const figures = [
    [
      t('call.amount'),
      unlimited
        ? t('call.maximum')
        : amount !== undefined &&
          (asset ? formatAmount(amount, asset) : t('call.units', { amount: amount.toLocaleString('en') })),
    ],
    [t('call.token'), token],
    [t('call.amountOrToken'), amountOrToken],
  ] as const
  const named = [
    [t('call.from'), from],
    [t(action.action === 'transfer' ? 'call.recipient' : 'call.spender'), party],
    [t('call.contract'), contract],
  ] as const
  return (
    <Details
      rows={[
        [t('transaction.action'), t(`call.${action.action}`)],
        ...named.flatMap(([label, address]) =>
          address ? [[label, <Address key={label}>{address}</Address>] as const] : [],
        ),
        ...figures.flatMap(([label, figure]) =>
          figure === undefined || figure === false || (unlimited && action.action !== 'approve')
            ? []
            : [
                [
                  label,
                  <Fragment key={label}>
                    <Figure>{String(figure)}</Figure>
                    {reach === 'all' && label !== t('call.token') && <div>{t('call.all')}</div>}
                    {label === t('call.amount') && !unlimited && !asset && (
                      <div css={note}>{t('call.unitsNote')}</div>
                    )}
                  </Fragment>,
                ] as const,
              ],
        ),
        ...(expires === undefined ? [] : [expiryRow(t, expires)]),
        ...(action.action === 'approveAll'
          ? [
              [
                t('allowance.label'),
                <Fragment key="all">
                  {t('call.all')}
                  <div css={note}>{t('allowance.note.all')}</div>
                </Fragment>,
              ] as const,
            ]
          : []),
      ]}
    />
  )
}

const note: CSSObject = { ...text('caption'), color: color('text-muted'), textWrap: 'balance' }
