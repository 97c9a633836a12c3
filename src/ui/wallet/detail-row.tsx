import type { CSSObject } from '@emotion/react'
import type { ReactNode } from 'react'
import { color, text } from '../../../styles/tokens.ts'
import { unbroken } from '../text/breakable.tsx'

/** A fact. `below`: its value has the whole width under the label, as sentences and what is to be compared. */
export type DetailRow = readonly [label: string, value: ReactNode, place?: 'below' | undefined]

/** Beside a label, a longer text would be a narrow, ragged column. */
const longest = 60
/** The place of another party's text in a row. */
export const placeOf = (text: string): 'below' | undefined => (text.length > longest ? 'below' : undefined)

/** A list of facts, each with its label at the start and its value at the end. All are to be read before something is approved. */
export function Details({ rows }: { rows: readonly DetailRow[] }) {
  return (
    <dl css={list}>
      {rows.map(([label, value, place = typeof value === 'string' ? placeOf(value) : undefined], i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a descriptor may give several rows the same label
        <div key={`${label} ${i}`} css={place ? [row, stacked] : row} data-essential>
          <dt css={{ color: color('text-muted') }}>{label}</dt>
          <dd css={place ? [end, start] : end}>{unbroken(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

const list: CSSObject = { ...text('detail'), margin: 0 }
const row: CSSObject = {
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'baseline',
  justifyContent: 'space-between',
  gap: '0 16px',
  minHeight: 36,
  padding: '8px 0',
}
const stacked: CSSObject = { display: 'block' }
// A value wraps in the room beside its label; it goes below only where not even its longest word fits there.
const end: CSSObject = {
  flex: '1 1 min-content',
  margin: 0,
  minWidth: 0,
  maxWidth: '100%',
  fontWeight: 500,
  textAlign: 'end',
  overflowWrap: 'break-word',
}
const start: CSSObject = { marginBlockStart: 2, textAlign: 'start' }
