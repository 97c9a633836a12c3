import type { CSSObject } from '@emotion/react'
import type { ReactNode } from 'react'
import { color, focusRing, media, quick, radius } from '../../styles/tokens.ts'
import { safeLink } from '../core/origin.ts'
import { Spinner } from './spinner.tsx'
import { useBusy } from './use-busy.ts'
import { useWords } from './words.tsx'

/** A link to another page, in a new tab. An address that is not http(s) gives the words alone. */
export function Link({ href, children }: { href: string | undefined; children: ReactNode }) {
  const t = useWords()
  const safe = safeLink(href)
  if (!safe) return children
  return (
    <a css={look} href={safe} target="_blank" rel="noopener noreferrer" title={t('common.newTab')}>
      {children}
    </a>
  )
}

interface LinkButtonProps {
  disabled?: boolean | undefined
  busy?: boolean | undefined
  onClick(): void
  children: ReactNode
}
/** An action that reads as a link, for the small things beside the next step. */
export function LinkButton({ disabled, busy, onClick, children }: LinkButtonProps) {
  const off = disabled || busy
  const spinning = useBusy(!!busy)
  return (
    <button
      type="button"
      css={[look, button]}
      aria-disabled={off || undefined}
      aria-busy={busy || undefined}
      onClick={off ? undefined : onClick}
    >
      <span style={{ opacity: spinning ? 0 : 1 }}>{children}</span>
      {spinning && <Spinner />}
    </button>
  )
}

const look: CSSObject = {
  color: color('accent-text'),
  font: 'inherit',
  letterSpacing: 'inherit',
  textDecoration: 'underline',
  textDecorationColor: 'color-mix(in srgb,currentColor 35%,transparent)',
  textUnderlineOffset: 3,
  borderRadius: radius(6),
  transition: quick('text-decoration-color', 'color'),
  [media.hover]: { '&:not([aria-disabled]):hover': { textDecorationColor: 'currentColor' } },
  ...focusRing(),
}
const button: CSSObject = {
  display: 'inline-grid',
  placeItems: 'center',
  '& > *': { gridArea: '1/1' },
  minHeight: 24,
  padding: '2px 4px',
  border: 0,
  background: 'none',
  cursor: 'pointer',
  [media.coarse]: { minHeight: 44 },
  '&[aria-disabled]': { color: color('text-faint'), textDecoration: 'none', cursor: 'default' },
}
