import type { CSSObject } from '@emotion/react'
import type { ReactNode } from 'react'
import { color, text } from '../../../styles/tokens.ts'

/** A line of a footer: a link, and what leads to it. */
export const FooterLine = ({ children }: { children: ReactNode }) => <p css={line}>{children}</p>

const line: CSSObject = {
  ...text('body'),
  display: 'flex',
  flexWrap: 'wrap',
  justifyContent: 'center',
  alignItems: 'center',
  gap: '0 4px',
  margin: 0,
  color: color('text-muted'),
}
