import type { CSSObject } from '@emotion/react'
import type { ReactNode } from 'react'
import { color, text } from '../../../styles/tokens.ts'
import { Spinner } from './spinner.tsx'

interface StatusLineProps {
  /** It is in progress. */
  busy?: boolean
  /** Without words the line keeps its place. */
  children?: ReactNode
}

/** What is happening, under what is being waited for; two lines of room, so that nothing moves. */
export function StatusLine({ busy, children }: StatusLineProps) {
  return (
    <p css={status}>
      {children && (
        <span css={words}>
          {busy && (
            <span css={mark}>
              <Spinner />
            </span>
          )}
          {children}
        </span>
      )}
    </p>
  )
}

const status: CSSObject = {
  ...text('detail'),
  display: 'grid',
  placeItems: 'center',
  minHeight: 36,
  margin: 0,
  color: color('text-muted'),
}
const words: CSSObject = { maxWidth: '36ch', textAlign: 'center', textWrap: 'balance' }
// In the line, because beside two lines it would move them out of the middle.
const mark: CSSObject = { display: 'inline-block', verticalAlign: -4, marginInlineEnd: 8 }
