import type { CSSObject } from '@emotion/react'
import { type ComponentProps, type ReactNode, useEffect, useId, useRef } from 'react'
import { color, quick, radius, ring, text } from '../../../styles/tokens.ts'
import { Icon } from '../brand/icon.tsx'
import { circleAlert } from '../icons/frame.ts'

interface FieldProps extends Omit<ComponentProps<'input'>, 'children' | 'className' | 'style'> {
  /** Its name: above the field, or only read out if a placeholder says it. */
  label: string
  labelShown?: boolean
  icon?: string
  /** At the start, inside the frame, instead of the icon. */
  leading?: ReactNode
  error?: string | undefined
  /** At the end, inside the frame. */
  trailing?: ReactNode
  /** In the place of the error while there is none; makes room for two lines of it. */
  below?: ReactNode
  /** Leads on to what follows the field, under its error if it has one. */
  after?: ReactNode
  /** The main field of the screen: it takes the focus when the dialog opens. */
  first?: boolean
  /** Something else is busy. */
  dimmed?: boolean
}

/** A real input in a drawn frame; the line of its error is always there, so that nothing jumps. */
export function Field({
  label,
  labelShown,
  icon,
  leading,
  error,
  trailing,
  below,
  after,
  first,
  dimmed,
  disabled,
  readOnly,
  ...input
}: FieldProps) {
  const id = useId()
  return (
    <div part="field">
      {labelShown && (
        <label htmlFor={id} css={caption}>
          {label}
        </label>
      )}
      <div
        css={[
          frame,
          error && wrong,
          disabled && { background: color('surface-sunken') },
          dimmed && { opacity: 0.5, transitionDelay: '150ms' },
        ]}
      >
        {icon && (
          <span css={leadingSlot}>
            <Icon path={icon} stroke={1.75} />
          </span>
        )}
        {leading}
        <input
          {...input}
          id={id}
          part="input"
          css={entry}
          aria-label={labelShown ? undefined : label}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-e` : undefined}
          disabled={disabled}
          readOnly={readOnly}
          data-first={first || undefined}
        />
        {trailing}
      </div>
      <UnderField id={`${id}-e`} error={error} below={below} after={after} />
    </div>
  )
}

/** The lines under a field's frame: its error or its hint, and one that leads on. */
export function UnderField({
  id,
  error,
  below,
  after,
}: {
  id?: string
  error?: string | undefined
  below?: ReactNode
  after?: ReactNode
}) {
  const words = error && <FieldError id={id}>{error}</FieldError>
  if (after !== undefined)
    return (
      <>
        {words && <div css={line}>{words}</div>}
        <div css={[line, words ? close : rest]}>{after}</div>
      </>
    )
  return <div css={[line, below !== undefined && (error ? overRest : rest)]}>{words || below}</div>
}

/** The words of an error under a field, with their icon. */
export function FieldError({ id, children }: { id?: string | undefined; children: string }) {
  const words = useRef<HTMLSpanElement>(null)
  // On a low screen it may have appeared behind the footer.
  useEffect(() => {
    words.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <span ref={words} id={id} css={problem}>
      <Icon path={circleAlert} size={16} />
      {children}
    </span>
  )
}

export const caption: CSSObject = { ...text('detail'), display: 'block', fontWeight: 500, marginBlockEnd: 4 }
export const frame: CSSObject = {
  display: 'flex',
  // With large text there is no room for all of it in one line.
  flexFlow: 'wrap',
  alignItems: 'center',
  gap: 12,
  minHeight: 48,
  paddingInline: '11px 7px',
  border: `1px solid ${color('border-strong')}`,
  borderRadius: radius(12),
  background: color('surface'),
  color: color('text-muted'),
  transition: quick('border-color', 'opacity'),
  '&:hover': { borderColor: color('text-faint') },
  // Typed data runs left to right, and begins where the script around it begins.
  '&:dir(rtl) > input': { textAlign: 'right' },
  '&:has(input:focus-visible)': { outline: ring, outlineOffset: -2 },
}
/** A frame around what is refused, with the focus or without. */
export const wrong: CSSObject = { '&&&': { borderColor: color('danger'), outlineColor: color('danger') } }
// As wide as the icons of the rows around, so that all labels start at one line.
const leadingSlot: CSSObject = { flex: 'none', display: 'grid', placeItems: 'center', width: 24 }
export const entry: CSSObject = {
  ...text('input'),
  flex: 1,
  alignSelf: 'stretch',
  minWidth: '4em',
  padding: 0,
  border: 0,
  outline: 'none',
  background: 'none',
  color: color('text'),
  fontFamily: 'inherit',
  // Large text must not cut it on a small phone.
  '&::placeholder': { color: color('text-faint'), opacity: 1, fontSize: 'min(1em,5.7vw)' },
  // The browser's own fill colour would break the theme.
  '&:autofill': { boxShadow: `inset 0 0 0 99px ${color('surface')}`, WebkitTextFillColor: color('text') },
}
const line: CSSObject = { ...text('detail'), minHeight: `calc(18px*var(--lk-text-scale,1))`, marginBlock: 4 }
const rest: CSSObject = { marginBlock: '12px 4px' }
const close: CSSObject = { marginBlock: '8px 4px' }
// As high as the hint, down to the gap below.
const overRest: CSSObject = { minHeight: 38, marginBlock: '4px -8px' }
const problem: CSSObject = {
  display: 'flex',
  alignItems: 'flex-start',
  gap: 4,
  color: color('danger-text'),
  // In the middle of the first line, whatever its height.
  '& > svg': { height: '1lh' },
}
