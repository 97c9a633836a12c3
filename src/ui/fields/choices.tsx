import type { CSSObject } from '@emotion/react'
import { type ReactNode, useId } from 'react'
import { color, focusRing, media, quick, radius, text } from '../../../styles/tokens.ts'

interface ChoicesProps<T extends string> {
  label: string
  options: readonly { readonly value: T; readonly label: string; readonly detail?: ReactNode }[]
  chosen: T
  /** Nothing can be chosen now. */
  busy: boolean
  onChoose(value: T): void
}

/** One of several; all words of each can be pressed. */
export function Choices<T extends string>({ label, options, chosen, busy, onChoose }: ChoicesProps<T>) {
  const name = useId()
  return (
    <fieldset css={group}>
      <legend css={legend}>{label}</legend>
      {options.map(({ value, label: words, detail }) => (
        <label key={value} css={[card, value === chosen && selected]}>
          <input
            type="radio"
            name={name}
            value={value}
            css={dot}
            checked={value === chosen}
            readOnly={busy}
            aria-disabled={busy || undefined}
            onChange={() => !busy && onChoose(value)}
          />
          <span>{words}</span>
          {detail !== undefined && <span css={end}>{detail}</span>}
        </label>
      ))}
    </fieldset>
  )
}

const group: CSSObject = {
  display: 'grid',
  gap: 4,
  minWidth: 0,
  margin: '4px 0 8px',
  padding: 0,
  border: 0,
}
const legend: CSSObject = { ...text('detail'), padding: '8px 0', color: color('text-muted') }
const card: CSSObject = {
  ...text('detail'),
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: '0 12px',
  minHeight: 44,
  padding: '8px 11px',
  border: `1px solid ${color('border')}`,
  borderRadius: radius(12),
  background: color('surface'),
  color: color('text'),
  textAlign: 'start',
  cursor: 'pointer',
  transition: quick('background-color', 'border-color'),
  [media.hover]: { '&:hover': { background: color('fill-hover') } },
  '&:has(:focus-visible)': focusRing()['&:focus-visible'],
}
const selected: CSSObject = {
  background: color('accent-subtle'),
  [media.hover]: { '&:hover': { background: color('accent-subtle') } },
}
const dot: CSSObject = {
  appearance: 'none',
  flex: 'none',
  width: 20,
  height: 20,
  margin: 0,
  border: `1px solid ${color('border-strong')}`,
  borderRadius: '50%',
  background: color('surface'),
  outline: 'none',
  cursor: 'inherit',
  '&:checked': { borderWidth: 6, borderColor: color('accent') },
}
const end: CSSObject = { marginInlineStart: 'auto', minWidth: 0, overflowWrap: 'anywhere' }
