import type { CSSObject } from '@emotion/react'
import { color, text } from '../../../styles/tokens.ts'

/** Centred text below a title: lines of much the same length. */
export const paragraph: CSSObject = {
  ...text('body'),
  margin: 0,
  maxWidth: '36ch',
  color: color('text-muted'),
  textWrap: 'balance',
  overflowWrap: 'anywhere',
  '&:has(> [data-long])': { alignSelf: 'stretch', maxWidth: 'none' },
}
/** More than three centred lines are hard to read, so they are aligned to the start. */
export const longParagraph: CSSObject = {
  alignSelf: 'stretch',
  maxWidth: 'none',
  textAlign: 'start',
  textWrap: 'pretty',
}
