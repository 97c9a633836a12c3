import type { CSSObject } from '@emotion/react'
import type { ReactNode } from 'react'
import { color, media, text } from '../../../styles/tokens.ts'
import { Icon } from '../brand/icon.tsx'
import { Spinner } from '../feedback/spinner.tsx'
import { chevronDown, chevronRight } from '../icons/landing.ts'
import { linkLook } from './link.tsx'
import { useBusy } from './use-busy.ts'

interface LinkButtonProps {
  disabled?: boolean | undefined
  busy?: boolean | undefined
  /** Not the next step of the screen but a way to more of it, so it has no colour, and an arrow: to another page, or down to what it adds. */
  onward?: 'page' | 'below' | undefined
  onClick(): void
  children: ReactNode
}
/** An action that reads as a link, for secondary actions next to the main one. */
export function LinkButton({ disabled, busy, onward, onClick, children }: LinkButtonProps) {
  const off = disabled || busy
  const spinning = useBusy(!!busy)
  return (
    <button
      type="button"
      css={[linkLook, button, onward && quiet]}
      aria-disabled={off || undefined}
      aria-busy={busy || undefined}
      onClick={off ? undefined : onClick}
    >
      <span css={face} style={{ opacity: spinning ? 0 : 1 }}>
        {children}
        {onward && (
          <Icon
            path={onward === 'page' ? chevronRight : chevronDown}
            size={16}
            mirrored={onward === 'page'}
          />
        )}
      </span>
      {spinning && <Spinner />}
    </button>
  )
}

const button: CSSObject = {
  display: 'inline-grid',
  placeItems: 'center',
  '& > *': { gridArea: '1/1' },
  minHeight: 24,
  padding: '2px 0',
  border: 0,
  background: 'none',
  cursor: 'pointer',
  [media.coarse]: { minHeight: 44 },
  '&[aria-disabled]': { color: color('text-faint'), textDecoration: 'none', cursor: 'default' },
}
const face: CSSObject = { display: 'flex', alignItems: 'center', gap: 8 }
const quiet: CSSObject = {
  ...text('label'),
  alignSelf: 'center',
  minHeight: 40,
  padding: '4px 12px',
  border: '1px solid transparent',
  color: color('text-muted'),
  textDecoration: 'none',
  [media.hover]: { '&:not([aria-disabled]):hover': { color: color('text') } },
}
