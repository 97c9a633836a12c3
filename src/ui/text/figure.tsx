import type { CSSObject } from '@emotion/react'
import { Fragment, type ReactNode } from 'react'
import { isolated, tabular } from '../../../styles/tokens.ts'

/** A number of so many characters stays on one line. */
const unbroken = 12
/** So many digits in a row of a longer number stay together; more of them break between groups of three. */
const longRun = 6

/** Splits a long number where a line may end: between its thousands, and between groups of three digits of a long run. */
export function figureParts(text: string): string[] {
  if ((/\d[\d.,]*/.exec(text)?.[0].length ?? 0) <= unbroken) return [text]
  const lines = ['']
  text.split(/(\d+)/).forEach((part, at, all) => {
    const before = at > 1 ? all[at - 1] : undefined
    const isFraction = before === '.'
    const isLong = at % 2 === 1 && part.length > longRun
    const groups = isLong ? part.match(isFraction ? /\d{1,3}/g : /\d{1,3}(?=(?:\d{3})*$)/g) : undefined
    for (const [i, group] of (groups ?? [part]).entries()) {
      const breaks = i > 0 || (at % 2 === 1 && (before === ',' || (isFraction && isLong)))
      lines.push(breaks ? group : (lines.pop() ?? '') + group)
    }
  })
  return lines
}

/** A number and its unit, broken at those places and between words alone. */
export const breakableFigure = (text: string): ReactNode =>
  text
    .split(/( )/)
    .flatMap(figureParts)
    .map((part, i, all) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no other identity
      <Fragment key={i}>
        {i > 0 && part !== ' ' && all[i - 1] !== ' ' && <wbr />}
        {part}
      </Fragment>
    ))

/** A number with its unit, left to right in every script. */
export const Figure = ({ children }: { children: string }): ReactNode => (
  <bdi css={look}>{breakableFigure(children)}</bdi>
)

const look: CSSObject = { ...isolated, ...tabular, overflowWrap: 'break-word' }
