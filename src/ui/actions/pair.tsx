import type { CSSObject } from '@emotion/react'
import type { ReactNode } from 'react'

/**
 * The way back and the next step beside each other, in this order. The next step has the larger part of the width on every screen of a
 * flow; where both don't fit a line, it is the lower one.
 */
export const Pair = ({ children }: { children: ReactNode }): ReactNode => <div css={pair}>{children}</div>

const pair: CSSObject = {
  display: 'flex',
  flexWrap: 'wrap',
  gap: 8,
  '& > *': { flex: '1 0 auto', maxWidth: '100%' },
  '& > :last-child': { flexGrow: 3 },
}
