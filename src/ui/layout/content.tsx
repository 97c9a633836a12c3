import type { CSSObject } from '@emotion/react'
import type { ReactNode } from 'react'
import { giving } from './layout.tsx'

/** The part of a body below its hero: 24 below it, 8 between rows by default. */
export function Content({
  gap = 8,
  fit,
  children,
}: {
  gap?: 8 | 12 | 16 | 24
  fit?: boolean
  children: ReactNode
}) {
  return <div css={[content, { gap }, fit && giving()]}>{children}</div>
}

const content: CSSObject = { display: 'flex', flexDirection: 'column', alignItems: 'stretch' }
