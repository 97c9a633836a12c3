import { Figure } from '../../ui/text/figure.tsx'
import type { useWords } from '../../ui/text/words.tsx'
import type { DetailRow } from '../../ui/wallet/detail-row.tsx'

interface Money {
  /** The amount that is bought, with its symbol. */
  amount?: string | undefined
  total?: string | undefined
}

/** The amount and the total of a purchase, as far as they are known. */
export function moneyRows(t: ReturnType<typeof useWords>, { amount, total }: Money): readonly DetailRow[] {
  const rows = [
    [t('funding.card.receives'), amount],
    [t('funding.purchase.total'), total],
  ] as const
  return rows.flatMap(([label, figure]) =>
    figure === undefined ? [] : [[label, <Figure key={label}>{figure}</Figure>] as const],
  )
}
