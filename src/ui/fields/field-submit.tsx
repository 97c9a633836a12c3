import type { CSSObject } from '@emotion/react'
import { color, focusRing, media, quick, radius, text } from '../../../styles/tokens.ts'

/** The submit button inside a field, shown once the input can be sent. */
export function FieldSubmit({ off, children }: { off: boolean; children: string }) {
  return (
    <button type="submit" part="button" css={look} aria-disabled={off || undefined}>
      {children}
    </button>
  )
}

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
