import type { CSSObject } from '@emotion/react'
import { color, focusRing, media, quick, radius } from '../../../styles/tokens.ts'

/** A label that can be pressed as a whole, around the control that it names. */
export const choiceCard: CSSObject = {
  display: 'flex',
  gap: 12,
  padding: 11,
  border: `1px solid ${color('border')}`,
  borderRadius: radius(12),
  background: color('surface'),
  color: color('text'),
  textAlign: 'start',
  cursor: 'pointer',
  transition: quick('background-color', 'border-color', 'opacity'),
  [media.hover]: { '&:hover': { background: color('fill-hover') } },
  '&:has(:focus-visible)': focusRing()['&:focus-visible'],
}
export const chosenCard: CSSObject = {
  background: color('accent-subtle'),
  [media.hover]: { '&:hover': { background: color('accent-subtle') } },
}
/** A control of the platform without the look of the platform. */
export const choiceControl: CSSObject = {
  appearance: 'none',
  flex: 'none',
  width: 20,
  height: 20,
  margin: 0,
  border: `1px solid ${color('border-strong')}`,
  background: color('surface'),
  outline: 'none',
  cursor: 'inherit',
}
