import type { CSSObject } from '@emotion/react'
import { color, focusRing, media, quick, radius, text } from '../../../styles/tokens.ts'
import { Button } from '../actions/button.tsx'

/** The submit button inside a field, shown once the input can be sent. */
export function FieldSubmit({ off, children }: { off: boolean; children: string }) {
  return (
    <button type="submit" part="button" css={look} aria-disabled={off || undefined}>
      {children}
    </button>
  )
}

interface OnlyStepProps {
  busy: boolean
  /** Something else is busy. */
  inert: boolean
  children: string
}
/** The submit button of a field that is the only way on. */
export const OnlyStep = ({ busy, inert, children }: OnlyStepProps) => (
  <div css={below}>
    <Button type="submit" busy={busy} disabled={inert}>
      {children}
    </Button>
  </div>
)

const below: CSSObject = { display: 'grid', marginBlockStart: 8 }
const look: CSSObject = {
  ...text('action'),
  flex: 'none',
  minHeight: 32,
  padding: '2px 8px',
  border: '1px solid transparent',
  borderRadius: radius(8),
  background: 'none',
  color: color('accent-text'),
  fontFamily: 'inherit',
  cursor: 'pointer',
  transition: quick('background-color'),
  [media.hover]: { '&:hover': { background: color('fill-hover') } },
  [media.coarse]: { minHeight: 44 },
  ...focusRing(-2),
}
