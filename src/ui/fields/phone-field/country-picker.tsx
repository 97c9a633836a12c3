import type { CSSObject } from '@emotion/react'
import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { fadeIn } from '../../../../styles/keyframes.ts'
import {
  color,
  isolated,
  media,
  motion,
  quick,
  radius,
  shadow,
  tabular,
  text,
} from '../../../../styles/tokens.ts'
import { Icon } from '../../brand/icon.tsx'
import { search } from '../../icons/lucide.ts'
import { check } from '../../icons/notices.ts'
import { useAnnounce } from '../../panel/panel-context.tsx'
import { useWords } from '../../text/words.tsx'
import { type CountryRow, listCountries, searchCountries } from './countries.ts'
import type { Country } from './rules.ts'
import { useLanguage } from './use-language.ts'
import { usePlace } from './use-place.ts'

interface CountryPickerProps {
  /** The picker opens below it, or above it if there is more room. */
  anchor: RefObject<HTMLElement | null>
  country: Country
  /** Codes that come first. */
  popular: readonly string[]
  /** What was typed to open it. */
  query: string
  onPick(country: Country): void
  /** It has closed; `by` says whether a key or a click asked for it here, so that the focus must be moved. */
  onClose(by: 'picker' | 'outside'): void
}

/** All countries, with a search. It is above the panel but stays within its sides. */
export function CountryPicker(props: CountryPickerProps) {
  const { anchor, country, popular, onPick, onClose } = props
  const t = useWords()
  const announce = useAnnounce()
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const language = useLanguage(anchor)
  const all = useMemo(() => listCountries(language, popular), [language, popular])
  const [query, setQuery] = useState(props.query)
  const rows = useMemo(() => searchCountries(all, query), [all, query])
  const [active, setActive] = useState(() =>
    query
      ? 0
      : Math.max(
          0,
          all.findIndex(({ code }) => code === country),
        ),
  )
  usePlace(box, anchor)
  useBackdropSpared()

  useEffect(() => {
    // An on-screen keyboard would cover the list, so there the search is opened by touching it.
    const target = matchMedia('(pointer:coarse)').matches ? list.current : input.current
    target?.focus({ preventScroll: true })
  }, [])
  useLayoutEffect(() => {
    void rows
    const row = list.current?.children[active]
    if (!(row instanceof HTMLElement) || !list.current) return
    const { offsetTop, offsetHeight } = row
    const { scrollTop, clientHeight } = list.current
    if (offsetTop < scrollTop) list.current.scrollTop = offsetTop
    else if (offsetTop + offsetHeight > scrollTop + clientHeight)
      list.current.scrollTop = offsetTop + offsetHeight - clientHeight
  }, [active, rows])
  useEffect(() => {
    if (rows.length === 0) announce(t('login.phone.noCountry'))
  }, [rows.length, announce, t])

  const find = (words: string) => {
    setQuery(words)
    setActive(0)
  }
  const press = (event: KeyboardEvent) => {
    const steps: Partial<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 4, PageUp: -4 }
    const step = steps[event.key]
    if (step !== undefined) {
      event.preventDefault()
      const next = active + step
      const wrapped = Math.abs(step) === 1 ? (next + rows.length) % rows.length : next
      setActive(Math.max(0, Math.min(rows.length - 1, wrapped)))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      const row = rows[active]
      if (row && !event.nativeEvent.isComposing) onPick(row.code)
    } else if (event.key === 'Escape' || (event.key === 'ArrowLeft' && event.altKey)) {
      // The dialog around would close with the same key.
      event.preventDefault()
      event.stopPropagation()
      onClose('picker')
    }
  }
  const option = (row: CountryRow | undefined) => row && `${id}-${row.code}`
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the search and the list inside
    <div
      ref={box}
      popover="auto"
      part="menu"
      css={menu}
      onKeyDown={press}
      onToggle={(event) => {
        if (event.newState === 'closed') onClose('outside')
      }}
      onBlur={({ relatedTarget, currentTarget }) => {
        // Nowhere is where the focus goes when the window loses it.
        if (relatedTarget && !currentTarget.contains(relatedTarget)) onClose('outside')
      }}
    >
      <div css={searching}>
        <Icon path={search} size={16} />
        <input
          ref={input}
          css={entry}
          type="text"
          role="combobox"
          aria-label={t('login.phone.search')}
          aria-expanded={rows.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={option(rows[active])}
          enterKeyHint="done"
          autoCapitalize="none"
          spellCheck={false}
          placeholder={t('login.phone.search')}
          value={query}
          onChange={({ currentTarget }) => find(currentTarget.value)}
        />
      </div>
      <div
        ref={list}
        id={`${id}-list`}
        role="listbox"
        tabIndex={-1}
        aria-label={t('login.phone.countries')}
        aria-activedescendant={option(rows[active])}
        hidden={rows.length === 0}
        css={scroller}
      >
        {rows.map((row, i) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the search, which names the active row
          // biome-ignore lint/a11y/useKeyWithClickEvents: its keys are those of the search
          <div
            key={row.code}
            id={option(row)}
            role="option"
            part="row"
            aria-selected={row.code === country}
            data-active={i === active || undefined}
            css={[option_, row.popular && !rows[i + 1]?.popular && !query && last]}
            onPointerMove={() => i !== active && setActive(i)}
            onClick={() => onPick(row.code)}
          >
            <span css={name}>{row.name}</span>
            {row.code === country && <Icon path={check} size={16} />}
            <span css={code}>{row.code}</span>
            <span css={[code, calling]}>+{row.callingCode}</span>
          </div>
        ))}
      </div>
      {rows.length === 0 && <div css={none}>{t('login.phone.noCountry')}</div>}
    </div>
  )
}

/** A press outside the dialog closes the picker, and does not reach the dialog, which would close as well. */
function useBackdropSpared() {
  useEffect(() => {
    const onDialog = (event: Event) => event.composedPath()[0] instanceof HTMLDialogElement
    const spare = (event: Event) => {
      if (onDialog(event)) event.stopImmediatePropagation()
    }
    const press = (event: Event) => {
      // The picker is gone before the click comes.
      if (onDialog(event)) window.addEventListener('click', spare, { capture: true, once: true })
    }
    window.addEventListener('pointerdown', press, { capture: true })
    return () => window.removeEventListener('pointerdown', press, { capture: true })
  }, [])
}

const menu: CSSObject = {
  position: 'fixed',
  inset: 'auto',
  margin: 0,
  padding: 0,
  overflow: 'hidden',
  maxHeight: '11.75rem',
  border: `1px solid ${color('border')}`,
  borderRadius: radius(12),
  background: color('surface-raised'),
  color: color('text'),
  boxShadow: shadow(2),
  fontFamily: 'inherit',
  textAlign: 'start',
  animation: `${fadeIn} ${motion.fast}`,
  '&:popover-open': { display: 'flex', flexDirection: 'column' },
}
const searching: CSSObject = {
  flex: 'none',
  display: 'flex',
  alignItems: 'center',
  gap: 8,
  minHeight: 40,
  paddingInline: 11,
  borderBlockEnd: `1px solid ${color('border')}`,
  color: color('text-muted'),
  [media.coarse]: { minHeight: 44 },
}
const entry: CSSObject = {
  ...text('input'),
  flex: 1,
  minWidth: 0,
  alignSelf: 'stretch',
  padding: 0,
  border: 0,
  outline: 'none',
  background: 'none',
  color: color('text'),
  fontFamily: 'inherit',
  '&::placeholder': { color: color('text-faint'), opacity: 1 },
}
const scroller: CSSObject = {
  position: 'relative',
  flex: 1,
  minHeight: 0,
  overflowY: 'auto',
  overscrollBehavior: 'contain',
  scrollbarWidth: 'thin',
  outline: 'none',
  '&[hidden]': { display: 'none' },
}
const option_: CSSObject = {
  ...text('body'),
  display: 'flex',
  alignItems: 'center',
  gap: 8,
  minHeight: 40,
  padding: '8px 11px',
  cursor: 'pointer',
  transition: quick('background-color'),
  '& > svg': { color: color('accent-text') },
  '&[aria-selected=true]': { background: color('accent-subtle') },
  '&[data-active]': { background: color('fill-hover') },
  '&:active': { background: color('fill-pressed') },
  [media.coarse]: { minHeight: 44 },
  [media.forced]: { '&[data-active]': { outline: '2px solid Highlight', outlineOffset: -2 } },
}
const last: CSSObject = { borderBlockEnd: `1px solid ${color('border')}` }
const name: CSSObject = { flex: 1, minWidth: 0, overflowWrap: 'anywhere' }
const code: CSSObject = { ...isolated, ...tabular, flex: 'none', color: color('text-muted') }
const calling: CSSObject = { minWidth: 40, textAlign: 'end' }
const none: CSSObject = { ...text('body'), padding: '10px 11px', color: color('text-muted') }
