import type { CSSObject } from '@emotion/react'
import { Fragment, type ReactNode } from 'react'
import { pieces } from '../../copy/copy.ts'

/** What fits a line is not broken. */
export const whole: CSSObject = { display: 'inline-block', maxWidth: '100%' }
/** More than three centred lines are hard to read. */
const longestCentred = 140

/** A name or an address that breaks between its parts; within one of them only where that one doesn't fit a line. */
export const breakable = (text: string): ReactNode =>
  text.split(/(?=[@.])/).map((part, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no other identity
    <Fragment key={i}>
      {i > 0 && <wbr />}
      {part}
    </Fragment>
  ))

interface NamingProps {
  /** With `{name}` where it belongs. */
  words: string
  /** An address, a number or a name, which keeps its own direction. */
  name: string
}
/** A sentence with somebody's address in it. */
export function Naming({ words, name }: NamingProps): ReactNode {
  const sentence = pieces(words).map((piece) =>
    piece.name === 'name' ? (
      <bdi key="name" dir="auto" css={whole}>
        {breakable(name)}
      </bdi>
    ) : (
      piece.text
    ),
  )
  if (words.length + name.length <= longestCentred) return sentence
  return <span css={{ display: 'block', textAlign: 'start' }}>{sentence}</span>
}
