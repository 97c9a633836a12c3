import type { CSSObject } from '@emotion/react'
import type { ReactNode } from 'react'
import { color, text } from '../../../styles/tokens.ts'
import { Pending } from '../feedback/pending.tsx'
import { Figure } from '../text/figure.tsx'
import { useWords } from '../text/words.tsx'

interface HoldingProps {
  /** `undefined` while it is unknown. */
  amount: string | undefined
  /** Its worth. */
  worth?: string | undefined
  /** It is being read. */
  isPending?: boolean
}

/** An amount at the end of a row, above its worth, where those of all rows can be compared. */
export function Holding({ amount, worth, isPending }: HoldingProps): ReactNode {
  const t = useWords()
  if (amount === undefined) return isPending ? <Pending>{t('common.loading')}</Pending> : null
  return (
    <span css={column}>
      <Figure>{amount}</Figure>
      {worth !== undefined && (
        <span css={value}>
          <Figure>{worth}</Figure>
        </span>
      )}
    </span>
  )
}

const column: CSSObject = { display: 'grid', justifyItems: 'end', maxWidth: '100%' }
const value: CSSObject = { ...text('detail'), color: color('text-muted') }
