import type { CSSObject } from '@emotion/react'
import type { ReactNode } from 'react'
import { color } from '../../../styles/tokens.ts'
import { Figure } from '../text/figure.tsx'

/** An amount with what it is worth below it, where that is known. */
export function Worth({ children, worth }: { children: ReactNode; worth: string | undefined }): ReactNode {
  if (worth === undefined) return children
  return (
    <span css={pair}>
      <span>{children}</span>
      <span css={{ color: color('text-muted'), fontWeight: 400 }}>
        <Figure>{worth}</Figure>
      </span>
    </span>
  )
}

const pair: CSSObject = { display: 'inline-grid', justifyItems: 'end', maxWidth: '100%' }
