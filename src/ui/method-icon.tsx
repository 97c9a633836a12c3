import type { CSSObject } from '@emotion/react'
import { color, radius, text } from '../../styles/tokens.ts'
import { Icon } from './icon.tsx'
import { mail } from './icons/landing.ts'

/** The picture of a way to log in: a name or path data; one that has none shows its initial. */
export function MethodIcon({ icon, label }: { icon: string | undefined; label: string }) {
  const path = icon === 'mail' ? mail : icon?.startsWith('M') && icon
  if (path) return <Icon path={path} size={24} stroke={1.75} />
  return (
    <span css={initial} aria-hidden>
      {[...label.trim()][0]?.toUpperCase()}
    </span>
  )
}

const initial: CSSObject = {
  ...text('caption'),
  display: 'grid',
  placeItems: 'center',
  width: 24,
  height: 24,
  border: '1px solid transparent',
  borderRadius: radius(6),
  background: color('fill-hover'),
  color: color('text-muted'),
}
