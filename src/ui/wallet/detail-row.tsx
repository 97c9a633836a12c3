import type { CSSObject } from '@emotion/react'
import type { ReactNode } from 'react'
import { color, text } from '../../../styles/tokens.ts'

/** A list of facts, each with its label at the start and its value at the end. All are to be read before something is approved. */
export function Details({ rows }: { rows: readonly (readonly [label: string, value: ReactNode])[] }) {
  return (
    <dl css={list}>
      {rows.map(([label, value], i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a descriptor may give several rows the same label
        <div key={`${label} ${i}`} css={row} data-essential>
          <dt css={{ color: color('text-muted') }}>{label}</dt>
          <dd css={end}>{value}</dd>
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
