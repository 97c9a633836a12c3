import type { ReactNode } from 'react'
import { color } from '../../../styles/tokens.ts'
import { atMost, formatWorth } from '../../ethereum/amounts.ts'
import { Pending } from '../../ui/feedback/pending.tsx'
import { Figure } from '../../ui/text/figure.tsx'
import { useWords } from '../../ui/text/words.tsx'
import { Address } from '../../ui/wallet/address.tsx'
import { type DetailRow, Details } from '../../ui/wallet/detail-row.tsx'
import { networkRow } from '../../ui/wallet/network-row.tsx'
import { Worth } from '../../ui/wallet/worth.tsx'
import { type Asset, formatAmount, shownUnits, type TransactionPreview } from '../preview.ts'
import { codeRow } from '../wallet-code-row.tsx'
import { ChangeAmount } from './change-amount.tsx'

export interface CostProps {
  preview: TransactionPreview
  preparing?: boolean | undefined
  /** Label of the fee, where it is that of several transactions. */
  feeLabel?: string | undefined
  /** Whether a fee that is unknown is named as such; not where the host page decides it later. */
  isFeeExpected?: boolean | undefined
}

/** The network of a review, and all that it costs: the fee, its payer, and the total. */
export function Cost({ preview, preparing, feeLabel, isFeeExpected = true }: CostProps): ReactNode {
  const {
    network,
    coin,
    fee,
    isFeeClaimed,
    rent,
    deposits,
    sponsor,
    sponsorName,
    sponsorMayTake = [],
    deploysAccount,
    total,
    value,
    coinsOut = value,
    prices,
  } = preview
  const t = useWords()
  // What an account of the wallet pays is no part of it.
  const totalLabel = t(coinsOut > value ? 'transaction.totalOfWallet' : 'transaction.total')
  const label = feeLabel ?? t('transaction.fee')
  const most = fee === undefined ? '' : formatAmount(atMost(fee), coin)
  const name = network.isClaimed ? t('sign.networkSaid', { network: network.name }) : network.name
  const payer = (address: string): [string, ReactNode] => [
    t('transaction.sponsor'),
    <Address key="payer">{address}</Address>,
  ]
  const unavailable = (
    <span key="unavailable" css={{ color: color('text-faint') }}>
      {t('transaction.unavailable')}
    </span>
  )
  const rows: DetailRow[] = [networkRow(t('sign.network'), network.chain, name)]
  if (preview.walletCode) rows.push(codeRow(t, preview.walletCode))
  if (deploysAccount) rows.push([t('transaction.firstUse'), t('transaction.deploysAccount')])
  if (fee !== undefined)
    rows.push([
      label,
      <Worth key="fee" worth={worthOf(fee, coin, prices?.coin)}>
        <Figure>{isFeeClaimed ? t('transaction.feeSaid', { fee: most }) : most}</Figure>
      </Worth>,
    ])
  else if (sponsorName !== undefined)
    rows.push([
      label,
      <bdi key="sponsor" css={{ color: color('success-text') }}>
        {t('transaction.paidBy', { sponsor: sponsorName })}
      </bdi>,
    ])
  else if (sponsor !== undefined) rows.push(payer(sponsor))
  else if (preparing) rows.push([label, <Pending key="fee">{t('common.loading')}</Pending>])
  else if (isFeeExpected) rows.push([label, unavailable])
  if (fee === undefined && sponsorName !== undefined && sponsor !== undefined) rows.push(payer(sponsor))
  if (fee !== undefined && sponsor !== undefined)
    rows.push([t('transaction.paymaster'), <Address key="paymaster">{sponsor}</Address>])
  if (sponsorMayTake === 'unread') rows.push([t('transaction.mayTake'), unavailable])
  else
    for (const { isUnlimited, amount, ...allowance } of sponsorMayTake)
      rows.push([
        t('transaction.mayTake'),
        <ChangeAmount
          key={allowance.token}
          {...allowance}
          {...(amount === undefined ? { figure: t('transaction.unreadAmount') } : { amount })}
          {...(isUnlimited && { figure: t('call.maximum') })}
        />,
      ])
  if (rent !== undefined)
    rows.push([t('transaction.rent'), <Figure key="rent">{formatAmount(rent, coin)}</Figure>])
  if (deposits !== undefined)
    rows.push([t('transaction.deposits'), <Figure key="deposits">{formatAmount(deposits, coin)}</Figure>])
  if (total !== undefined)
    rows.push([
      totalLabel,
      <Worth key="total" worth={worthOf(total, coin, prices?.coin)}>
        <Figure>{formatAmount(total, coin)}</Figure>
      </Worth>,
    ])
  else if (preparing) rows.push([totalLabel, <Pending key="total">{t('common.loading')}</Pending>])
  return <Details rows={rows} />
}

/** The worth of an amount in US dollars; `undefined` without a price. */
export const worthOf = (amount: bigint, asset: Asset, price: number | undefined): string | undefined =>
  price === undefined ? undefined : formatWorth(shownUnits(amount, asset), asset.decimals, price)
