import type { CSSObject } from '@emotion/react'
import { type ReactNode, useId, useState } from 'react'
import { color, focusRing, media, motion, radius, text } from '../../../styles/tokens.ts'
import { Icon } from '../brand/icon.tsx'
import { chevronDown } from '../icons/landing.ts'
import { uiLimits } from '../limits.ts'

interface DisclosureProps {
  label: string
  disabled?: boolean | undefined
  children: ReactNode
}

/** What only some people want to see, shown in full once it is opened. */
export function Disclosure({ label, disabled, children }: DisclosureProps): ReactNode {
  const [open, setOpen] = useState(false)
  const id = useId()
  return (
    <div>
      <button
        type="button"
        css={summary}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        aria-disabled={disabled || undefined}
        onClick={() => !disabled && setOpen(!open)}
      >
        {label}
        <span css={open ? [arrow, { transform: 'rotate(180deg)' }] : arrow}>
          <Icon path={chevronDown} size={16} />
        </span>
      </button>
      {open && (
        <div id={id} css={opened}>
          {children}
        </div>
      )}
    </div>
  )
}

const opened: CSSObject = { maxHeight: uiLimits.detailsHeight, overflowY: 'auto' }
const summary: CSSObject = {
  ...text('detail'),
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'space-between',
  width: '100%',
  minHeight: 36,
  padding: 0,
  border: 0,
  borderRadius: radius(6),
  background: 'none',
  color: color('text-muted'),
  fontFamily: 'inherit',
  textAlign: 'start',
  cursor: 'pointer',
  [media.hover]: { '&:not([aria-disabled]):hover': { color: color('text') } },
  [media.coarse]: { minHeight: 44 },
  '&[aria-disabled]': { cursor: 'default' },
  ...focusRing(),
}
const arrow: CSSObject = {
  transition: `transform ${motion.fast} ${motion.ease}`,
  [media.reduced]: { transition: 'none' },
}
