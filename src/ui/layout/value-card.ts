import type { CSSObject } from '@emotion/react'
import { edge } from '../../../styles/edge.ts'
import { color, isolated, mono, radius, text } from '../../../styles/tokens.ts'

/** A card with a value that is to be copied, and what does that beside it. */
export const valueCard: CSSObject = {
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: 12,
  paddingBlock: 7,
  paddingInline: '15px 7px',
  border: `1px solid ${color('border')}`,
  borderRadius: radius(12),
  color: color('text-muted'),
}
/** The same for a secret. */
export const secretCard: CSSObject = {
  ...valueCard,
  border: edge,
  background: color('surface-sunken'),
}
/** The value itself: all of it is selected at once. */
export const cardValue: CSSObject = {
  ...text('detail'),
  ...isolated,
  minWidth: 0,
  fontFamily: mono,
  color: color('text'),
  overflowWrap: 'anywhere',
  userSelect: 'all',
}
