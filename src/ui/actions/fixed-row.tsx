import type { CSSObject } from '@emotion/react'
import type { ReactNode } from 'react'
import { media } from '../../../styles/tokens.ts'
import { faint, RowWords, type RowWordsProps, rowLook } from './row.tsx'

interface FixedRowProps extends Omit<RowWordsProps, 'stacked'> {
  /** A button that changes what the row says; a chip is below the name in every row then. */
  end?: ReactNode
  /** Another row is busy. */
  inert?: boolean | undefined
}

/** A line of a list that says what is so. */
export function FixedRow({ end, inert = false, ...words }: FixedRowProps) {
  return (
    <div
      part="row"
      css={[rowLook, { cursor: 'default' }, !!end && ended, inert && [faint, wholly]]}
      {...(inert && { role: 'group', 'aria-disabled': true })}
    >
      <RowWords {...words} stacked={!!end} />
      {end && <span css={{ flex: 'none', marginInlineStart: -4 }}>{end}</span>}
    </div>
  )
}

/** Its button is as faint as the rest. */
const wholly: CSSObject = { '[aria-disabled]': { opacity: 1 } }
const ended: CSSObject = {
  paddingInlineEnd: 7,
  // The words need the room of the icon.
  [media.tight]: { '[part=row-icon]': { display: 'none' } },
}
