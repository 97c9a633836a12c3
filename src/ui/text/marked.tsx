import type { CSSObject } from '@emotion/react'
import type { ReactNode } from 'react'
import { color, mono, radius, text } from '../../../styles/tokens.ts'
import { visibleMarks } from './visible-marks.ts'

/** Somebody else's text as it is, with marks in place of invisible characters. */
export function Marked({ children }: { children: string }): ReactNode {
  return visibleMarks(children).map((piece, i) =>
    typeof piece === 'string' ? (
      piece
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text have no other identity
      <span key={i} css={mark}>
        {piece.mark}
      </span>
    ),
  )
}

const mark: CSSObject = {
  ...text('caption'),
  display: 'inline-block',
  padding: '0 4px',
  marginInline: 2,
  border: '1px solid transparent',
  borderRadius: radius(6),
  background: color('warning-subtle'),
  color: color('warning-text'),
  fontFamily: mono,
  direction: 'ltr',
  WebkitUserSelect: 'none',
  userSelect: 'none',
}
