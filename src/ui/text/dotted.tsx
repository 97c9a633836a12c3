import type { CSSObject } from '@emotion/react'
import type { ReactNode } from 'react'

/** Between two facts in one line. */
const SEPARATOR = ' · '
const WIDTH = 12

/**
 * Short facts beside each other, with a dot between two of them. Each stays whole as long as it fits a line, and no line begins or ends
 * with a dot.
 */
export function Dotted({ parts }: { parts: readonly ReactNode[] }): ReactNode {
  const shown = parts.filter((part) => part !== undefined && part !== false && part !== '')
  return (
    <span css={clip}>
      <span css={line}>
        {shown.map((part, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the facts of a line have no other identity
          <span key={i} css={fact}>
            {i > 0 && <span css={dot}>{SEPARATOR}</span>}
            {part}
          </span>
        ))}
      </span>
    </span>
  )
}

/** A text of several facts as such; any other text, and anything but a text, stays as it is. */
export const dotted = (text: ReactNode): ReactNode =>
  typeof text === 'string' && text.includes(SEPARATOR) ? <Dotted parts={text.split(SEPARATOR)} /> : text

// Every fact has a dot before it; that of a line's first one is outside of the box.
const clip: CSSObject = { display: 'block', overflowX: 'clip', overflowWrap: 'anywhere' }
const line: CSSObject = { display: 'block', marginInlineStart: -WIDTH }
const fact: CSSObject = {
  position: 'relative',
  display: 'inline-block',
  maxWidth: '100%',
  paddingInlineStart: WIDTH,
}
const dot: CSSObject = {
  position: 'absolute',
  insetInlineStart: 0,
  width: WIDTH,
  // In larger letters it is wider than its place.
  display: 'flex',
  justifyContent: 'center',
  whiteSpace: 'pre',
}
