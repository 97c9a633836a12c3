import type { CSSObject } from '@emotion/react'
import { Fragment, type ReactNode } from 'react'
import { pieces } from '../../copy/copy.ts'
import { longParagraph } from '../layout/paragraph.ts'
import { breakableFigure } from './figure.tsx'

/** More than three centred lines are hard to read. */
const longestCentred = 140

/** A name or an address that breaks between its parts; within one of them only where that one doesn't fit a line. */
export const breakable = (text: string): ReactNode => (
  <span css={{ hyphens: 'manual' }}>
    {text.split(/(?=[@.])/).map((part, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no other identity
      <Fragment key={i}>
        {i > 0 && <wbr />}
        {part}
      </Fragment>
    ))}
  </span>
)

/**
 * Short words with a hyphen in them, whose parts mean something else apart, amounts with their symbol, and numbers that need a line or
 * more.
 */
const inseparable = /(\p{L}{1,8}(?:-\p{L}{1,8})+|\b[\d.,]{1,14} \p{Lu}{2,6}\b|\d[\d.,]{12,}\d)/u
/** Without one of these there is none of them. Browsers take long to read Unicode classes, so they read them for no other text. */
const hyphenOrDigit = /[-\d]/
const longNumber = /^[\d.,]+$/

/**
 * A text that breaks neither at a hyphen nor between an amount and its symbol, and within a long number only between groups of digits;
 * anything but a text stays as it is.
 */
export function unbroken(text: ReactNode): ReactNode {
  if (typeof text !== 'string' || !hyphenOrDigit.test(text) || !inseparable.test(text)) return text
  return text.split(inseparable).map((part, i) =>
    i % 2 === 0 ? (
      part
    ) : longNumber.test(part) ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no other identity
      <Fragment key={i}>{breakableFigure(part)}</Fragment>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no other identity
      <span key={i} css={{ whiteSpace: 'nowrap' }}>
        {part}
      </span>
    ),
  )
}

/** A sentence with a name where it has a place for one, drawn by `draw`. What ends the sentence stays on the name's line. */
export const withName = (words: string, draw: () => ReactNode): ReactNode =>
  pieces(words).map(({ text, name }, i, all) => {
    if (!name) return all[i - 1]?.name ? text.slice(endOf(text).length) : text
    return (
      <span key={name} css={whole}>
        {draw()}
        {endOf(all[i + 1]?.text)}
      </span>
    )
  })

interface NamingProps {
  /** With `{name}` where it belongs. */
  words: string
  /** An address, a number or a name, which keeps its own direction. */
  name: string
}
/** A sentence with somebody's address in it. */
export function Naming({ words, name }: NamingProps): ReactNode {
  const sentence = withName(words, () => <bdi dir="auto">{breakable(name)}</bdi>)
  if (words.length + name.length <= longestCentred) return sentence
  return (
    <span data-long css={[longParagraph, { display: 'block' }]}>
      {sentence}
    </span>
  )
}

const endOf = (text = '') => /^[.,:;!?]*/.exec(text)?.[0] ?? ''

/** What fits a line is not broken. */
const whole: CSSObject = { display: 'inline-block', maxWidth: '100%' }
