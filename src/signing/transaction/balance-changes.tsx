import type { ReactNode } from 'react'
import { Pending } from '../../ui/feedback/pending.tsx'
import { useWords } from '../../ui/text/words.tsx'
import { Address } from '../../ui/wallet/address.tsx'
import { shortAddress } from '../../ui/wallet/address-text.ts'
import { Details } from '../../ui/wallet/detail-row.tsx'
import { Worth } from '../../ui/wallet/worth.tsx'
import type { AllowanceChange, Asset, BalanceChange, PreviewPrices, TransactionPreview } from '../preview.ts'
import { formatDate } from '../token-action-facts.tsx'
import { ChangeAmount } from './change-amount.tsx'
import { worthOf } from './cost.tsx'

type Changes = NonNullable<TransactionPreview['balanceChanges']>

interface BalanceChangesProps {
  /** `undefined`: a part of a request, which is tried as a whole. */
  changes: Changes | undefined
  coin?: Asset | undefined
  prices?: PreviewPrices | undefined
}

/** What leaves the wallet, what comes to it, and who may spend what afterwards, as a trial run says; or in words that there was none. */
export function BalanceChanges({ changes, coin, prices }: BalanceChangesProps): ReactNode {
  const t = useWords()
  if (changes === undefined) return null
  if (changes === 'waiting') {
    const waiting = <Pending>{t('transaction.trial.waiting')}</Pending>
    return <Details rows={[[t('transaction.changes'), waiting]]} />
  }
  if (typeof changes === 'string')
    return <Details rows={[[t('transaction.changes'), t(`transaction.trial.${changes}`)]]} />
  const { out, in: comes, allowances, isComplete, isDisputed, isSingle } = changes
  const worthOfChange = ({ token, asset, amount }: BalanceChange) => {
    const price =
      token === undefined
        ? prices?.coin
        : Object.hasOwn(prices?.tokens ?? {}, token)
          ? prices?.tokens[token]
          : undefined
    const counted = asset ?? (token === undefined ? coin : undefined)
    return counted && worthOf(amount, counted, price)
  }
  const rows: [string, ReactNode][] = [
    ...listRows(t('transaction.out'), out, worthOfChange),
    ...listRows(t('transaction.in'), comes, worthOfChange),
    ...allowances.flatMap((change) => allowanceRows(t, change)),
  ]
  if (rows.length === 0) rows.push([t('transaction.changes'), t('transaction.none')])
  if (!isComplete) rows.push([t('transaction.changes'), t('transaction.moreChanges')])
  if (isDisputed) rows.push([t('transaction.trial'), t('transaction.trial.disputed')])
  else if (isSingle) rows.push([t('transaction.trial'), t('transaction.trial.single')])
  return <Details rows={rows} />
}

/** Who may take or control what; an amount where it is one. */
function allowanceRows(
  t: ReturnType<typeof useWords>,
  { kind, spender, account, token, id, asset, amount, isUnlimited, until }: AllowanceChange,
): [string, ReactNode][] {
  const key = `${kind} ${spender} ${account} ${token} ${id}`
  if (kind === 'spender' || kind === 'delegate') {
    const isAll = id === undefined && (isUnlimited || amount === undefined)
    const figures = isAll ? { figure: t('call.maximum') } : { amount: amount ?? 1n, id }
    return [
      [
        t('transaction.allowed', { spender: shortAddress(spender) }),
        <ChangeAmount key={key} token={token} asset={asset} {...figures} />,
      ],
    ]
  }
  return [
    [t(`transaction.changes.${kind}`), <Address key={key}>{spender}</Address>],
    ...(account === undefined || account === spender
      ? []
      : [
          [t('transaction.changes.account'), <Address key={`${key} account`}>{account}</Address>] as [
            string,
            ReactNode,
          ],
        ]),
    ...(until === undefined
      ? []
      : [
          [t('transaction.changes.until'), <bdi key={`${key} until`}>{formatDate(t, until)}</bdi>] as [
            string,
            ReactNode,
          ],
        ]),
  ]
}

const listRows = (
  label: string,
  changes: readonly BalanceChange[],
  worthOf: (change: BalanceChange) => string | undefined,
): [string, ReactNode][] =>
  changes.map((change) => [
    label,
    <Worth key={`${change.token} ${change.id}`} worth={worthOf(change)}>
      <ChangeAmount {...change} />
    </Worth>,
  ])
