import type { CSSObject } from '@emotion/react'
import { Fragment } from 'react'
import { color, text } from '../../styles/tokens.ts'
import { isAllowance, type TokenAction } from '../ethereum/token-action.ts'
import { Banner } from '../ui/feedback/banner.tsx'
import { Figure } from '../ui/text/figure.tsx'
import { useWords } from '../ui/text/words.tsx'
import { Address } from '../ui/wallet/address.tsx'
import { shortAddress } from '../ui/wallet/address-text.ts'
import { Details } from '../ui/wallet/detail-row.tsx'
import { type Asset, formatAmount } from './preview.ts'

/** What a call or a permit does with tokens, as facts: whose, who gets or may spend them, and how many. */
export function TokenActionFacts({ action, asset }: { action: TokenAction; asset?: Asset | undefined }) {
  const t = useWords()
  const { contract, from, party, amount, token, amountOrToken, unlimited, reach } = action
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
      ]}
    />
  )
}

/** Says what an allowance reaches; nothing where it is known to reach a part alone. */
export function AllowanceWarning({ action }: { action: TokenAction }) {
  const t = useWords()
  if (!isAllowance(action) || action.reach === 'part') return null
  const isAll = action.unlimited || action.reach === 'all'
  return (
    <Banner tone="warning">
      {t(isAll ? 'sign.data.unlimited' : 'sign.data.spender', { spender: shortAddress(action.party) })}
    </Banner>
  )
}

const note: CSSObject = { ...text('caption'), color: color('text-muted'), textWrap: 'balance' }
