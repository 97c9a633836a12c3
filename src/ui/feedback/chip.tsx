import type { CSSObject } from '@emotion/react'
import type { ReactNode } from 'react'
import { color, radius, text } from '../../../styles/tokens.ts'

/** A short fact about a row, at most one in each. */
export function Chip({ mark, children }: { mark?: ReactNode; children: string }) {
  return (
    <span part="chip" css={look}>
      {mark}
      {children}
    </span>
  )
}

const look: CSSObject = {
  ...text('caption'),
  flex: 'none',
  display: 'inline-flex',
  alignItems: 'center',
  gap: 4,
  minHeight: 20,
  padding: '1px 5px',
  border: '1px solid transparent',
  borderRadius: radius(10),
  background: color('fill-pressed'),
  color: color('text-muted'),
}
