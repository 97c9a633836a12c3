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
      {children && busy && <Spinner />}
      {children && <span css={busy ? beside : alone}>{children}</span>}
    </p>
  )
}

const status: CSSObject = {
  ...text('detail'),
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'center',
  gap: 8,
  minHeight: 36,
  margin: 0,
  color: color('text-muted'),
  textWrap: 'balance',
}
const alone: CSSObject = { maxWidth: '36ch', textAlign: 'center' }
// Narrow enough that two lines stand in the middle with their spinner.
const beside: CSSObject = { maxWidth: '30ch', textAlign: 'start' }
