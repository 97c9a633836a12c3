import type { CSSObject } from '@emotion/react'
import { Marked } from './marked.tsx'
import { Well } from './well.tsx'

interface TextWellProps {
  /** What it holds, for people who don't see it. */
  label: string
  children: string
  /** Told whether its last line is in sight, at first and after each scrolling. */
  onEdge?: (atEnd: boolean) => void
}

/** Look §7.12: a text as it is, line breaks kept, with marks where a character would be invisible. */
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
