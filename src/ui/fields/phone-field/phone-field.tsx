import type { CSSObject } from '@emotion/react'
import {
  type FormEvent,
  type KeyboardEvent,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { color, focusRing, isolated, media, quick, radius, tabular, text } from '../../../../styles/tokens.ts'
import { addWords, type PlainKey } from '../../../copy/copy.ts'
import { sms } from '../../../copy/en/sms.ts'
import { useBusy } from '../../actions/use-busy.ts'
import { Icon } from '../../brand/icon.tsx'
import { Spinner } from '../../feedback/spinner.tsx'
import { chevronDown } from '../../icons/landing.ts'
import { useAnnounce } from '../../panel/panel-context.tsx'
import { useWords } from '../../text/words.tsx'
import { Field } from '../field.tsx'
import { FieldSubmit, OnlyStep } from '../field-submit.tsx'
import type { LoginFieldProps } from '../login-field.ts'
import { CountryPicker } from './country-picker.tsx'
import {
  type Country,
  callingCode,
  countryOf,
  type Entry,
  edit,
  entryOf,
  formatInternational,
  moved,
  type PhoneProblem,
  readPhone,
  textOf,
} from './rules.ts'

addWords(sms)

export interface PhoneFieldProps extends LoginFieldProps {
  /** The initial text: a number with its calling code, or one of `country`. */
  value: string
  /**
   * The country whose numbers need no calling code, as set by the app's owner; the United States by default.
   */
  country?: string | undefined
  /**
   * @param e164 such as `+4915123456789`
   * @param shown the same as people write it, such as `+49 1512 3456789`
   */
  onSubmit(e164: string, shown: string): void
}

/** The number of a login, with its country; the counterpart of the e-mail field. */
export default function PhoneField(props: PhoneFieldProps) {
  const { value, error, asked, busy, inert, chip, after, alone = false, onType, onSubmit } = props
  const t = useWords()
  const announce = useAnnounce()
  const input = useRef<HTMLInputElement>(null)
  const frame = useRef<HTMLElement>(null)
  const usual = countryOf(props.country)
  const [{ country, text: first }] = useState(() => entryOf(value, usual))
  const entry = useRef<Entry>({ country, text: first })
  const [chosen, setChosen] = useState(country)
  const [problem, setProblem] = useState(error)
  const [plausible, setPlausible] = useState('e164' in readPhone(first, country))
  const [picking, setPicking] = useState<{ query: string }>()
  const popular = useMemo(() => [usual, ...regionsOf(navigator.languages)], [usual])
  const spinning = useBusy(busy)
  const off = busy || inert

  useLayoutEffect(() => {
    frame.current = input.current?.parentElement ?? null
  }, [])
  useArrival(input)
  useEffect(() => {
    void asked
    setProblem(error)
    if (error) announce(error, 'alert')
  }, [error, asked, announce])

  const enter = (next: Entry, caret?: number) => {
    entry.current = next
    const el = input.current
    if (el && el.value !== next.text) {
      el.value = next.text
      if (caret !== undefined) el.setSelectionRange(caret, caret)
    }
    setChosen(next.country)
    setProblem(undefined)
    setPlausible('e164' in readPhone(next.text, next.country))
    onType?.(textOf(next))
  }
  const refuse = (problem: PhoneProblem) => {
    const words = t(refusals[problem])
    setProblem(words)
    announce(words, 'alert')
  }
  const typed = ({ nativeEvent }: FormEvent<HTMLInputElement>) => {
    const el = input.current
    if (!el) return
    const now = {
      country: entry.current.country,
      text: el.value,
      caret: el.selectionStart ?? el.value.length,
    }
    const event = nativeEvent as InputEvent
    // While characters are being composed, the text is not ours.
    const how = howOf(event)
    const next = event.isComposing ? now : edit(entry.current.text, now, how)
    enter(next, next.caret)
    // Otherwise a paste without a digit would disappear without a word.
    if (how === 'whole' && now.text !== '' && next.text.trim() === '') refuse('NOT_A_NUMBER')
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (off) return
    const { country, text } = entry.current
    const read = readPhone(text, country)
    if ('e164' in read) return onSubmit(read.e164, formatInternational(read.e164))
    refuse(read.problem)
    input.current?.focus()
  }
  const pick = (country: Country) => {
    setPicking(undefined)
    enter(moved(entry.current, country))
    input.current?.focus()
  }
  return (
    <div>
      <form noValidate onSubmit={submit}>
        <Field
          ref={input}
          first
          dimmed={inert}
          label={t('login.phone.label')}
          placeholder={t('login.phone.placeholder')}
          leading={
            <CountryButton
              country={chosen}
              open={picking !== undefined && !off}
              off={off}
              onOpen={(query) => setPicking({ query })}
            />
          }
          type="tel"
          name="phone"
          inputMode="tel"
          autoComplete="tel"
          dir="ltr"
          defaultValue={first}
          readOnly={off}
          error={problem}
          after={after}
          onInput={typed}
          trailing={
            alone ? (
              chip
            ) : spinning ? (
              <Spinner size={24} />
            ) : plausible ? (
              <span css={submitSlot}>
                <FieldSubmit off={off}>{t('login.phone.submit')}</FieldSubmit>
              </span>
            ) : (
              chip
            )
          }
        />
        {alone && (
          <OnlyStep busy={busy} inert={inert}>
            {t('login.phone.submit')}
          </OnlyStep>
        )}
      </form>
      {picking && !off && (
        <CountryPicker
          anchor={frame}
          country={chosen}
          popular={popular}
          query={picking.query}
          onPick={pick}
          onClose={(by) => {
            setPicking(undefined)
            if (by === 'picker') frame.current?.querySelector('button')?.focus()
          }}
        />
      )}
    </div>
  )
}

interface CountryButtonProps {
  country: Country
  open: boolean
  off: boolean
  /** @param query what was typed on the button: it opens and searches at once */
  onOpen(query: string): void
}

function CountryButton({ country, open, off, onOpen }: CountryButtonProps) {
  const t = useWords()
  const wasOpen = useRef(false)
  const shown = `${country} +${callingCode(country)}`
  const press = (event: KeyboardEvent) => {
    const letter = /^[\p{L}+]$/u.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey
    if (off || (!letter && event.key !== 'ArrowDown')) return
    event.preventDefault()
    onOpen(letter ? event.key : '')
  }
  return (
    <button
      type="button"
      part="button"
      css={countryLook}
      aria-haspopup="listbox"
      aria-expanded={open}
      aria-disabled={off || undefined}
      aria-label={t('login.phone.country', { country: shown })}
      onPointerDown={() => {
        wasOpen.current = open
      }}
      onKeyDown={press}
      onClick={(event) => {
        // A press outside an open picker closes it, this one included.
        const closes = wasOpen.current && event.detail > 0
        wasOpen.current = false
        if (!off && !closes) onOpen('')
      }}
    >
      <span css={shownLook}>{shown}</span>
      <Icon path={chevronDown} size={16} />
    </button>
  )
}

/** Takes the focus if it replaces the row that was pressed, or appears in a dialog without another field. */
function useArrival(input: { readonly current: HTMLInputElement | null }) {
  useEffect(() => {
    const el = input.current
    const layer = el?.closest('[data-arrived]')
    const root = layer?.getRootNode()
    if (!el || !layer || !(root instanceof ShadowRoot || root instanceof Document)) return
    const alone = layer.querySelector('[data-first]') === el && !matchMedia('(pointer:coarse)').matches
    const waiting = root.activeElement?.matches('[data-heading]')
    if (!root.activeElement || (alone && waiting)) el.focus({ preventScroll: true })
  }, [input])
}

function howOf({ inputType, data }: InputEvent): 'typed' | 'back' | 'forward' | 'whole' {
  if (inputType === 'deleteContentBackward') return 'back'
  if (inputType === 'deleteContentForward') return 'forward'
  const keyed = inputType === 'insertText' && (data?.length ?? 0) < 2
  return keyed || inputType?.startsWith('delete') || inputType?.startsWith('history') ? 'typed' : 'whole'
}

/** The regions of a person's languages, such as `DE` of `de-DE`. */
const regionsOf = (languages: readonly string[]) =>
  languages.flatMap((tag) => /-([A-Z]{2})\b/.exec(tag)?.[1] ?? [])

const refusals: Record<PhoneProblem, PlainKey> = {
  NOT_A_NUMBER: 'login.phone.notNumber',
  INVALID_COUNTRY: 'login.phone.wrongCountry',
  TOO_SHORT: 'login.phone.tooShort',
  TOO_LONG: 'login.phone.tooLong',
}

const countryLook: CSSObject = {
  ...text('body'),
  flex: 'none',
  alignSelf: 'stretch',
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: 4,
  minWidth: 92,
  marginInline: '-11px -4px',
  paddingBlock: 0,
  paddingInline: '11px 8px',
  border: 0,
  borderInlineEnd: `1px solid ${color('border')}`,
  borderStartStartRadius: radius(10),
  borderEndStartRadius: radius(10),
  background: 'none',
  color: color('text'),
  fontFamily: 'inherit',
  cursor: 'pointer',
  transition: quick('background-color'),
  '& > svg': { color: color('text-muted') },
  '&[aria-disabled]': { cursor: 'default' },
  [media.hover]: { '&:not([aria-disabled]):hover': { background: color('fill-hover') } },
  '&[aria-expanded=true],&:not([aria-disabled]):active': { background: color('fill-pressed') },
  ...focusRing(-2),
}
const shownLook: CSSObject = { ...isolated, ...tabular, whiteSpace: 'nowrap' }
// Its own padding is gap enough: beside the country, a number needs the room.
const submitSlot: CSSObject = { display: 'grid', flex: 'none', marginInline: '-8px -4px' }
