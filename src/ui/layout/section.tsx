import type { CSSObject } from '@emotion/react'
import { type ReactNode, useId } from 'react'
import { color, radius, text } from '../../../styles/tokens.ts'
import { dotted } from '../text/dotted.tsx'

/** A part of a long screen, under a heading of its own. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} css={section}>
      <h3 id={id} css={heading}>
        {dotted(title)}
      </h3>
      {children}
    </section>
  )
}

/** Rows that belong together, in one card with hairlines between them. */
export const Card = ({ children }: { children: ReactNode }) => <div css={[card, lines]}>{children}</div>

/** Some of the rows of a card, under a name of their own. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h4 id={id} css={partName}>
        {title}
      </h4>
      <div css={lines}>{children}</div>
    </section>
  )
}

/** Between two children, from where the words of a row begin. */
const lines: CSSObject = {
  display: 'flex',
  flexDirection: 'column',
  '& > * + *': { position: 'relative' },
  '& > * + *::before': {
    content: '""',
    position: 'absolute',
    zIndex: 1,
    insetInline: '47px 0',
    insetBlockStart: 0,
    borderBlockStart: `1px solid ${color('border')}`,
    pointerEvents: 'none',
  },
  '& > section + section::before': { insetInlineStart: 0 },
}
const card: CSSObject = {
  overflow: 'clip',
  border: `1px solid ${color('border')}`,
  borderRadius: radius(16),
  // Under the icons and words of rows that are cards of their own.
  '& [part=row]': { paddingInline: 11, minHeight: 52, border: 0, borderRadius: 0 },
  // The corners of the card would cut a square one.
  '& [part=row]:focus-visible': { borderRadius: `calc(${radius(16)} - 1px)` },
}
const partName: CSSObject = {
  ...text('caption'),
  margin: 0,
  padding: '12px 12px 4px',
  color: color('text-muted'),
  overflowWrap: 'anywhere',
}
const section: CSSObject = { display: 'flex', flexDirection: 'column', alignItems: 'stretch', gap: 8 }
const heading: CSSObject = {
  ...text('detail'),
  fontWeight: 500,
  margin: 0,
  color: color('text-muted'),
  overflowWrap: 'anywhere',
}
