import type { CSSObject } from '@emotion/react'
import type { ReactNode } from 'react'
import { color, radius, text } from '../../../styles/tokens.ts'
import { Icon } from '../brand/icon.tsx'
import { check } from '../icons/notices.ts'
import { choiceCard, choiceControl, chosenCard } from './choice-card.ts'

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
    <label css={[card, checked && chosenCard]}>
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

const card: CSSObject = { ...choiceCard, ...text('body') }
const place: CSSObject = { position: 'relative', flex: 'none', display: 'grid', width: 20, height: 20 }
const box: CSSObject = {
  ...choiceControl,
  borderRadius: radius(6),
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
