import type { CSSObject } from '@emotion/react'
import type { ReactNode } from 'react'
import { color, focusRing, media, quick, radius } from '../../../styles/tokens.ts'
import { safeLink } from '../../lib/safe-link.ts'
import { useWords } from '../text/words.tsx'

/** A link to another page, in a new tab. An address that is not http(s) gives the words alone. */
export function Link({ href, children }: { href: string | undefined; children: ReactNode }) {
  const t = useWords()
  const safe = safeLink(href)
  if (!safe) return children
  return (
    <a css={linkLook} href={safe} target="_blank" rel="noopener noreferrer" title={t('common.newTab')}>
      {children}
    </a>
  )
}

/** How a link looks, and an action that reads as one. */
export const linkLook: CSSObject = {
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
