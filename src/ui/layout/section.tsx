import type { CSSObject } from '@emotion/react'
import { type ReactNode, useId } from 'react'
import { color, text } from '../../../styles/tokens.ts'

/** A part of a long screen, under a heading of its own. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} css={section}>
      <h3 id={id} css={heading}>
        {title}
      </h3>
      {children}
    </section>
  )
}

const section: CSSObject = { display: 'flex', flexDirection: 'column', alignItems: 'stretch', gap: 8 }
const heading: CSSObject = {
  ...text('detail'),
  fontWeight: 500,
  margin: 0,
  color: color('text-muted'),
  overflowWrap: 'anywhere',
}
