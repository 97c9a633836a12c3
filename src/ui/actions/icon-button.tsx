import type { CSSObject } from '@emotion/react'
import { color, focusRing, media, quick } from '../../../styles/tokens.ts'
import { Icon } from '../brand/icon.tsx'

interface IconButtonProps {
  icon: string
  /** Its name, shown as a tooltip as well. */
  name: string
  mirrored?: boolean
  disabled?: boolean | undefined
  onClick(): void
}

/** A round button of 32 with a hit area of 44. */
export function IconButton({ icon, name, mirrored, disabled, onClick }: IconButtonProps) {
  return (
    <button
      type="button"
      css={look}
      aria-label={name}
      title={name}
      aria-disabled={disabled || undefined}
      onClick={disabled ? undefined : onClick}
    >
      <Icon path={icon} {...(mirrored && { mirrored })} />
    </button>
  )
}

const look: CSSObject = {
  position: 'relative',
  flex: 'none',
  display: 'grid',
  placeItems: 'center',
  width: 32,
  height: 32,
  padding: 0,
  border: '1px solid transparent',
  borderRadius: 99,
  background: 'none',
  color: color('text-muted'),
  cursor: 'pointer',
  transition: quick('background-color', 'color'),
  '&::after': { content: '""', position: 'absolute', inset: -7 },
  '&[aria-disabled]': { opacity: 0.5, cursor: 'default' },
  [media.hover]: {
    '&:not([aria-disabled]):hover': { background: color('fill-hover'), color: color('text') },
  },
  '&:not([aria-disabled]):active': { background: color('fill-pressed') },
  ...focusRing(0),
}
