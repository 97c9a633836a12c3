import type { CSSObject } from '@emotion/react'
import type { ReactNode } from 'react'
import { media } from '../../../styles/tokens.ts'
import { RowWords, type RowWordsProps, rowLook } from './row.tsx'

/** A line of a list that says what is so; `end` is a button that changes it, beside which a chip is below the name in every row. */
export function FixedRow({ end, ...words }: RowWordsProps & { end?: ReactNode }) {
  return (
    <div part="row" css={[rowLook, { cursor: 'default' }, !!end && ended]}>
      <RowWords {...words} stacked={!!end} />
      {end && <span css={{ flex: 'none', marginInlineStart: -4 }}>{end}</span>}
    </div>
  )
}

const ended: CSSObject = {
  paddingInlineEnd: 7,
  // The words need the room of the icon.
  [media.tight]: { '[part=row-icon]': { display: 'none' } },
}
