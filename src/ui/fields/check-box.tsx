import type { CSSObject } from '@emotion/react'
import type { ReactNode } from 'react'
import { color, focusRing, media, quick, radius, text } from '../../../styles/tokens.ts'
import { Icon } from '../brand/icon.tsx'
import { check } from '../icons/notices.ts'

interface CheckBoxProps {
  checked: boolean
  /** It can't be changed now. */
  busy: boolean
  onChange(checked: boolean): void
  children: string
}

/** Something to agree to; all of its words can be pressed. */
export function CheckBox({ checked, busy, onChange, children }: CheckBoxProps): ReactNode {
  return (
    <label css={[card, checked && chosen]}>
      <span css={place}>
        <input
          type="checkbox"
          css={box}
          checked={checked}
          readOnly={busy}
          aria-disabled={busy || undefined}
          onChange={(event) => !busy && onChange(event.currentTarget.checked)}
        />
        {checked && (
          <span css={mark}>
            <Icon path={check} size={16} />
          </span>
        )}
      </span>
      {children}
    </label>
  )
}

const card: CSSObject = {
  ...text('body'),
  display: 'flex',
  gap: 12,
  padding: '11px',
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
const chosen: CSSObject = {
  background: color('accent-subtle'),
  [media.hover]: { '&:hover': { background: color('accent-subtle') } },
}
const place: CSSObject = { position: 'relative', flex: 'none', display: 'grid', width: 20, height: 20 }
const box: CSSObject = {
  appearance: 'none',
  width: 20,
  height: 20,
  margin: 0,
  border: `1px solid ${color('border-strong')}`,
  borderRadius: radius(6),
  background: color('surface'),
  outline: 'none',
  cursor: 'inherit',
  '&:checked': { borderColor: color('accent-edge'), background: color('accent') },
}
const mark: CSSObject = {
  position: 'absolute',
  inset: 0,
  display: 'grid',
  placeItems: 'center',
  color: color('on-accent'),
  pointerEvents: 'none',
}
