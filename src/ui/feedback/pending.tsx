import type { CSSObject } from '@emotion/react'
import type { ReactNode } from 'react'
import { hidden } from '../../../styles/tokens.ts'
import { Skeleton } from './skeleton.tsx'

/** The outline of a figure that is being read, in a line of text. */
export function Pending({ children }: { children: string }): ReactNode {
  return (
    <span css={place}>
      <span css={hidden}>{children}</span>
      <Skeleton width={64} height={12} />
    </span>
  )
}

const place: CSSObject = { position: 'relative', display: 'inline-block', verticalAlign: 'middle' }
