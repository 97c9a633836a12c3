import type { CSSObject } from '@emotion/react'
import { type ComponentProps, type CSSProperties, type ReactNode, useId } from 'react'
import { color, tabular, text } from '../../../styles/tokens.ts'
import { caption, entry, frame, UnderField, wrong } from './field.tsx'

interface AmountFieldProps extends Omit<ComponentProps<'input'>, 'children' | 'className' | 'style'> {
  label: string
  symbol: string
  value: string
  error?: string | undefined
  /** Its worth, or a hint, under the digits. */
  below?: ReactNode
  /** At the end of that line: fills the field. */
  trailing?: ReactNode
}

/** Sizes of the digits, each for up to so many of them. */
const sizes = [
  [9, 32],
  [13, 24],
  [16, 20],
] as const
/** A smaller one makes phones zoom. */
const least = 16

/** An amount that is typed, in digits as large as one line of them may be; its counter-value has its own line from the start. */
export function AmountField({
  label,
  symbol,
  error,
  below,
  trailing,
  ...input
}: AmountFieldProps): ReactNode {
  const id = useId()
  const size = sizes.find(([most]) => input.value.length <= most)?.[1] ?? least
  return (
    <div part="field">
      <label htmlFor={id} css={caption}>
        {label}
      </label>
      <div css={[frame, box, error && wrong]}>
        <div css={line}>
          <input
            {...input}
            id={id}
            part="input"
            css={[entry, digits]}
            style={{ '--_amount': `${size}px` } as CSSProperties}
            placeholder="0"
            inputMode="decimal"
            autoComplete="off"
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? `${id}-e` : undefined}
            data-first
          />
          <span css={unit} aria-hidden>
            {symbol}
          </span>
        </div>
        <div css={[line, under]}>
          <span>{below}</span>
          {trailing}
        </div>
      </div>
      <UnderField id={`${id}-e`} error={error} />
    </div>
  )
}

const box: CSSObject = {
  flexFlow: 'column',
  alignItems: 'stretch',
  gap: 0,
  padding: '11px 15px 7px',
  '&:dir(rtl) input': { textAlign: 'right' },
}
const line: CSSObject = {
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: '0 12px',
}
const digits: CSSObject = {
  ...tabular,
  minWidth: 'min(3em,100%)',
  // As high for every size, so that nothing below moves.
  height: 'calc(38px*var(--lk-text-scale,1))',
  fontSize: 'calc(var(--_amount)*var(--lk-text-scale,1))',
  fontWeight: 600,
  letterSpacing: 'calc(-.02em*var(--_track,1))',
  '&::placeholder': { fontSize: '1em' },
}
const unit: CSSObject = {
  ...text('input'),
  maxWidth: '50%',
  color: color('text-muted'),
  textAlign: 'end',
  overflowWrap: 'anywhere',
}
const under: CSSObject = {
  ...text('detail'),
  minHeight: 'calc(28px*var(--lk-text-scale,1))',
  color: color('text-muted'),
}
