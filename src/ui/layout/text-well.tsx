import type { CSSObject } from '@emotion/react'
import { Marked } from '../text/marked.tsx'
import { Well } from './well.tsx'

interface TextWellProps {
  /** What it contains, for screen readers. */
  label: string
  children: string
  /** Called with whether its last line is visible, at first and after each scrolling. */
  onEdge?: (atEnd: boolean) => void
}

/** A text as it is, line breaks kept, with marks in place of invisible characters. */
export function TextWell({ label, children, onEdge }: TextWellProps) {
  return (
    <Well label={label} subject={children} onEdge={onEdge}>
      <bdi css={plain} dir="auto">
        <Marked>{children}</Marked>
      </bdi>
    </Well>
  )
}

const plain: CSSObject = { display: 'block', whiteSpace: 'pre-wrap' }
