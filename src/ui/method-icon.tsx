import type { CSSObject } from '@emotion/react'
import { color, radius, text } from '../../styles/tokens.ts'
import { Icon } from './icon.tsx'
import { ellipsis, keyRound, mail, smartphone, wallet } from './icons/lucide.ts'

const known: Record<string, string> = {
  mail,
  email: mail,
  smartphone,
  sms: smartphone,
  wallet,
  passkey: keyRound,
  other: ellipsis,
}

/** The picture of a way to log in; one that we have none for shows its initial. */
export function MethodIcon({ name, label }: { name: string; label: string }) {
  const path = Object.hasOwn(known, name) ? known[name] : undefined
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
