import type { CSSObject } from '@emotion/react'
import { type ReactNode, useId } from 'react'
import { color, text } from '../../../styles/tokens.ts'
import { faint } from '../actions/row.tsx'
import { choiceCard, choiceControl, chosenCard } from './choice-card.ts'

interface ChoicesProps<T extends string> {
  label: string
  options: readonly Choice<T>[]
  chosen: T | undefined
  /** Nothing can be chosen now. */
  busy: boolean
  onChoose(value: T): void
}

/** An option: words in a line, with a detail at its end, or content of several lines. */
export type Choice<T extends string> = { readonly value: T } & (
  | { readonly label: string; readonly detail?: ReactNode }
  | { readonly content: ReactNode }
)

/** One of several; all words of each can be pressed. */
export function Choices<T extends string>({ label, options, chosen, busy, onChoose }: ChoicesProps<T>) {
  const name = useId()
  const isRich = options.some((option) => 'content' in option)
  return (
    <fieldset css={[group, isRich && wide]}>
      <legend css={legend}>{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          css={[card, 'label' in option && inLine, option.value === chosen ? chosenCard : busy && faint]}
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            css={dot}
            checked={option.value === chosen}
            readOnly={busy}
            aria-disabled={busy || undefined}
            onChange={() => !busy && onChoose(option.value)}
          />
          {'label' in option ? <span>{option.label}</span> : <span css={rich}>{option.content}</span>}
          {'label' in option && option.detail !== undefined && <span css={end}>{option.detail}</span>}
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
const wide: CSSObject = { gap: 8, margin: 0 }
const legend: CSSObject = { ...text('detail'), padding: '8px 0', color: color('text-muted') }
const card: CSSObject = { ...choiceCard, ...text('detail') }
const inLine: CSSObject = {
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: '0 12px',
  minHeight: 44,
  padding: '8px 11px',
}
const dot: CSSObject = {
  ...choiceControl,
  borderRadius: '50%',
  '&:checked': { borderWidth: 6, borderColor: color('accent'), background: color('on-accent') },
}
const rich: CSSObject = { flex: 1, minWidth: 0, display: 'grid', gap: 4, overflowWrap: 'anywhere' }
const end: CSSObject = { marginInlineStart: 'auto', minWidth: 0, overflowWrap: 'anywhere' }
