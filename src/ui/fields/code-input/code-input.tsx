import type { CSSObject } from '@emotion/react'
import { type FormEvent, type SyntheticEvent, useEffect, useId, useRef, useState } from 'react'
import { color, ring, text } from '../../../../styles/tokens.ts'
import { useBusy } from '../../actions/use-busy.ts'
import { Icon } from '../../brand/icon.tsx'
import { Spinner } from '../../feedback/spinner.tsx'
import { check } from '../../icons/notices.ts'
import { useAnnounce } from '../../panel/panel-context.tsx'
import { useWords } from '../../text/words.tsx'
import { FieldError } from '../field.tsx'
import { fieldLimits } from '../limits.ts'
import { Boxes, type BoxState } from './boxes.tsx'
import { typedCode } from './rules.ts'
import { useSmsCode } from './use-sms-code.ts'
import { useTypeAhead } from './use-type-ahead.ts'

interface CodeInputProps {
  length?: number
  /** Its digits at first, if a code is known already. */
  value?: string | undefined
  /** The code is being checked. */
  busy: boolean
  /** Something else is busy. */
  inert?: boolean | undefined
  accepted?: boolean | undefined
  error?: string | undefined
  /** A new value each time the flow asks, which makes the same error a new one. */
  asked: unknown
  /** The code comes by SMS, from which the browser may take it. */
  fromSms?: boolean
  /** Why no code can be entered now. */
  blocked?: string | undefined
  /** What is said of something that is no digit, and of a code that is submitted too early; without it, nothing is said of the latter. */
  rules?: { readonly numeric: string; readonly complete: string } | undefined
  /** Called once for each complete code. */
  onComplete(code: string): void
}

/**
 * A code of six digits: one real input, which phones fill and screen readers understand, under six drawn
 * boxes. After an error the boxes shake and clear themselves; the words stay until something is typed.
 */
export function CodeInput(props: CodeInputProps) {
  const {
    length = fieldLimits.codeLength,
    value = '',
    busy,
    inert,
    accepted,
    error,
    asked,
    blocked,
    fromSms = false,
    rules,
    onComplete,
  } = props
  const t = useWords()
  const announce = useAnnounce()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [digits, setDigits] = useState(value)
  const [failed, setFailed] = useState(false)
  const before = { digits, length, spent: failed }
  /** What an input method has not put in yet, and what it will change. Text that is replaced meanwhile comes twice. */
  const [composed, setComposed] = useState<{ text: string; before: typeof before }>()
  const [message, setMessage] = useState<string>()
  const checking = useBusy(busy)
  const off = busy || !!inert || !!accepted || !!blocked

  useEffect(() => {
    void asked
    if (!error || accepted) return
    setMessage(error)
    setFailed(true)
    announce(error, 'alert')
  }, [error, asked, accepted, announce])
  useEffect(() => {
    if (!failed) return
    const timer = setTimeout(() => {
      setFailed(false)
      setDigits('')
    }, fieldLimits.codeErrorReset)
    return () => clearTimeout(timer)
  }, [failed])
  useEffect(() => {
    if (accepted) announce(t('login.code.accepted'))
    else if (checking) announce(t('login.code.checking'))
    else if (blocked) announce(blocked, 'alert')
  }, [accepted, checking, blocked, announce, t])

  const change = (raw: string, since = before) => {
    if (off) return
    const typed = typedCode(raw, since)
    const words = typed.refused ? (rules?.numeric ?? t('login.code.notNumeric')) : undefined
    setMessage(words)
    if (words) return announce(words, 'alert')
    setFailed(false)
    setDigits(typed.digits)
    if (typed.complete) onComplete(typed.digits)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (off || failed) return
    if (digits.length === length) return onComplete(digits)
    if (!rules) return
    setMessage(rules.complete)
    announce(rules.complete, 'alert')
  }
  useTypeAhead(input, (pasted) => change(digits + pasted))
  useSmsCode(fromSms && !off, asked, change)

  const state: BoxState = accepted
    ? 'success'
    : blocked
      ? 'blocked'
      : failed && !busy
        ? 'error'
        : busy
          ? 'checking'
          : inert
            ? 'inert'
            : 'entry'
  const words = blocked ?? (busy || accepted ? undefined : message)
  return (
    <form noValidate onSubmit={submit} css={form}>
      <div css={{ position: 'relative' }}>
        <input
          ref={input}
          part="input"
          css={entry}
          type="text"
          name="code"
          inputMode="numeric"
          pattern="[0-9]*"
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          data-first
          aria-label={t('login.code.label', { count: length })}
          aria-invalid={words ? true : undefined}
          aria-describedby={words ? `${id}-e` : undefined}
          value={composed?.text ?? digits}
          readOnly={off}
          onChange={({ target, nativeEvent }) => {
            const text = target.value
            if (!(nativeEvent as InputEvent).isComposing) change(text)
            else setComposed((known = { text, before }) => ({ ...known, text }))
          }}
          onCompositionEnd={({ currentTarget }) => {
            setComposed(undefined)
            change(currentTarget.value, composed?.before)
          }}
          onKeyDown={atEnd}
          onPaste={atEnd}
        />
        <Boxes
          digits={composed ? typedCode(composed.text, composed.before).digits : digits}
          length={length}
          state={state}
        />
      </div>
      <div css={below}>
        {words ? (
          <FieldError id={`${id}-e`}>{words}</FieldError>
        ) : accepted ? (
          <span css={{ color: color('success-text') }}>
            <Icon path={check} size={24} />
          </span>
        ) : (
          checking && <Spinner size={24} />
        )}
      </div>
    </form>
  )
}

/** Typing, deleting and pasting happen at the end, as with separate boxes. React tells of no selection within a shadow root. */
function atEnd({ currentTarget: it }: SyntheticEvent<HTMLInputElement>): void {
  if (it.selectionStart === it.selectionEnd) it.setSelectionRange(it.value.length, it.value.length)
}

const caret: CSSObject = {
  outline: ring,
  outlineOffset: -2,
  '&::after': { content: '""', gridArea: '1/1', width: 1, height: 22, background: color('text') },
  '& > span': { gridArea: '1/1' },
}
// Shown while typing goes to the boxes: from the input itself, or from the heading that has the focus.
const form: CSSObject = {
  width: '100%',
  'input:focus + div [data-current]': caret,
  '[data-layer]:has([data-heading]:focus) & [data-current]': caret,
}
const entry: CSSObject = {
  ...text('input'),
  position: 'absolute',
  inset: 0,
  zIndex: 1,
  width: '100%',
  height: '100%',
  padding: 0,
  border: 0,
  outline: 'none',
  background: 'none',
  color: 'transparent',
  caretColor: 'transparent',
  // Forced colours would show its text and its caret beside those of the boxes.
  forcedColorAdjust: 'none',
  direction: 'ltr',
  fontFamily: 'inherit',
  cursor: 'text',
  '&::selection': { background: 'none' },
  // The browser's fill colour would cover the boxes; this delays it forever.
  '&:autofill': { WebkitTextFillColor: 'transparent', transition: 'background-color 9999s 9999s' },
}
const below: CSSObject = {
  display: 'flex',
  justifyContent: 'center',
  alignItems: 'center',
  // No wider than the boxes, under which it stands.
  maxWidth: 312,
  minHeight: 24,
  margin: '12px auto 0',
  ...text('detail'),
  color: color('text-muted'),
}
