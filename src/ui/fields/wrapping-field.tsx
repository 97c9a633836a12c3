import type { CSSObject } from '@emotion/react'
import { type ComponentProps, type KeyboardEvent, useId } from 'react'
import { ring } from '../../../styles/tokens.ts'
import { caption, entry, frame, UnderField, wrong } from './field.tsx'

interface WrappingFieldProps
  extends Omit<ComponentProps<'textarea'>, 'children' | 'className' | 'style' | 'onChange' | 'value'> {
  /** Its name, above the field. */
  label: string
  value: string
  error?: string | undefined
  /** The main field of the screen: it takes the focus when the dialog opens. */
  first?: boolean
  onType(text: string): void
}

/** A field for one line of text that can be longer than the field: all of it is in sight, so that it can be checked. */
export function WrappingField({ label, value, error, first, onType, ...input }: WrappingFieldProps) {
  const id = useId()
  const submit = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    event.currentTarget.form?.requestSubmit()
  }
  return (
    <div part="field">
      <label htmlFor={id} css={caption}>
        {label}
      </label>
      <div css={[frame, focusable, error && wrong]}>
        <span css={grown}>
          <textarea
            {...input}
            id={id}
            part="input"
            rows={1}
            css={[entry, field]}
            dir="ltr"
            value={value}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? `${id}-e` : undefined}
            data-first={first || undefined}
            onKeyDown={submit}
            onChange={(event) => onType(event.currentTarget.value.replace(/[\r\n]+/g, ''))}
          />
          {/* As high as the text, which a text area is not by itself. */}
          <span css={[entry, field, mirror]} dir="ltr" aria-hidden>
            {`${value}\u200B`}
          </span>
        </span>
      </div>
      <UnderField id={`${id}-e`} error={error} />
    </div>
  )
}

const focusable: CSSObject = {
  '&:has(textarea:focus-visible)': { outline: ring, outlineOffset: -2 },
  '&:dir(rtl) textarea': { textAlign: 'right' },
}
const grown: CSSObject = { flex: 1, minWidth: 0, display: 'grid', paddingBlock: 12 }
const field: CSSObject = {
  gridArea: '1/1',
  minWidth: 0,
  overflow: 'hidden',
  resize: 'none',
  whiteSpace: 'pre-wrap',
  overflowWrap: 'anywhere',
  textAlign: 'start',
}
const mirror: CSSObject = { visibility: 'hidden' }
