import type { CSSObject } from '@emotion/react'
import { Fragment } from 'react'
import { color, isolated, text } from '../../styles/tokens.ts'
import type { TokenAction } from '../ethereum/call-decoder.ts'
import { useWords } from '../ui/text/words.tsx'
import { Address } from '../ui/wallet/address.tsx'
import { Details } from '../ui/wallet/detail-row.tsx'

/** What a call or a permit does with tokens, as facts: whose, who gets or may spend them, and how many. */
export function TokenActionFacts({ action }: { action: TokenAction }) {
  const t = useWords()
  const { contract, from, party, amount, token, amountOrToken, unlimited } = action
  const figures = [
    [
      t('call.amount'),
      unlimited
        ? t('call.unlimited')
        : amount !== undefined && t('call.units', { amount: amount.toLocaleString('en') }),
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
                    <bdi css={isolated}>{String(figure)}</bdi>
                    {label === t('call.amount') && !unlimited && <div css={note}>{t('call.unitsNote')}</div>}
                  </Fragment>,
                ] as const,
              ],
        ),
      ]}
    />
  )
}

const note: CSSObject = { ...text('caption'), color: color('text-muted'), textWrap: 'balance' }
