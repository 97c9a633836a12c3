import type { ReactNode } from 'react'
import { Figure } from '../../ui/text/figure.tsx'
import { useWords } from '../../ui/text/words.tsx'
import { Address } from '../../ui/wallet/address.tsx'
import { type Asset, type BalanceChange, formatAmount } from '../preview.ts'

/** An amount with its symbol, or what is known of it: a token's address, and its number. */
export function ChangeAmount({
  token,
  asset,
  id,
  amount,
  figure,
}: Partial<BalanceChange> & { asset?: Asset | undefined; figure?: string }): ReactNode {
  const t = useWords()
  if (asset)
    return (
      <Figure>
        {figure === undefined ? formatAmount(amount ?? 0n, asset) : `${figure} ${asset.symbol}`}
      </Figure>
    )
  const count = figure ?? t('call.units', { amount: (amount ?? 0n).toLocaleString('en') })
  return (
    <>
      <Figure>{id === undefined ? count : `#${id}`}</Figure>
      {token && <Address>{token}</Address>}
    </>
  )
}
