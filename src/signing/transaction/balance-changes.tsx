import type { CSSObject } from '@emotion/react'
import type { ReactNode } from 'react'
import { text } from '../../../styles/tokens.ts'
import { Figure } from '../../ui/text/figure.tsx'
import { useWords } from '../../ui/text/words.tsx'
import { Address } from '../../ui/wallet/address.tsx'
import { Details } from '../../ui/wallet/detail-row.tsx'
import { type AssetChange, formatAmount, type TransactionPreview } from '../preview.ts'

/** What a trial run says of the wallet's balances, and of who may act for it afterwards. */
export function BalanceChanges({ changes }: { changes: NonNullable<TransactionPreview['balanceChanges']> }) {
  const t = useWords()
  const { out, in: incoming, allowances } = changes
  return (
    <section aria-label={t('transaction.changes')}>
      <h3 css={heading}>{t('transaction.changes')}</h3>
      {out.length + incoming.length + allowances.length === 0 && (
        <p css={note}>{t('transaction.changes.none')}</p>
      )}
      {[...out.map((each) => [t('transaction.changes.out'), each] as const)]
        .concat(incoming.map((each) => [t('transaction.changes.in'), each] as const))
        .map(([label, change], i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes its order
          <Details key={i} rows={changeRows(label, change, t('solana.mint'))} />
        ))}
      {allowances.map(({ kind, to, account }) => (
        <Details
          key={`${kind} ${account} ${to}`}
          rows={[[t(`transaction.changes.${kind}`), <Address key="to">{to}</Address>]]}
        />
      ))}
    </section>
  )
}

function changeRows(
  label: string,
  { amount, asset, token }: AssetChange,
  tokenLabel: string,
): readonly (readonly [string, ReactNode])[] {
  return [
    [label, <ChangedAmount key="amount" amount={amount} asset={asset} />],
    ...(token === undefined ? [] : [[tokenLabel, <Address key="token">{token}</Address>] as const]),
  ]
}

function ChangedAmount({ amount, asset }: Pick<AssetChange, 'amount' | 'asset'>) {
  const t = useWords()
  return (
    <Figure>
      {asset ? formatAmount(amount, asset) : t('call.units', { amount: amount.toLocaleString('en') })}
    </Figure>
  )
}

const heading: CSSObject = { ...text('detail'), margin: 0, fontWeight: 600 }
const note: CSSObject = { ...text('detail'), margin: '4px 0' }
