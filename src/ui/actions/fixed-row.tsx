import type { ReactNode } from 'react'
import { RowWords, type RowWordsProps, rowLook } from './row.tsx'

/** A line of a list that says what is so; `end` is a button that changes it. */
export function FixedRow({ end, ...words }: RowWordsProps & { end?: ReactNode }) {
  return (
    <div part="row" css={[rowLook, { cursor: 'default', paddingInlineEnd: end ? 7 : 11 }]}>
      <RowWords {...words} />
      {end && <span css={{ flex: 'none', marginInlineStart: -4 }}>{end}</span>}
    </div>
  )
}
