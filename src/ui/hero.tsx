import { type CSSObject, keyframes } from '@emotion/react'
import type { ReactNode } from 'react'
import { color, media, motion } from '../../styles/tokens.ts'
import { Heading } from './heading.tsx'
import { Icon } from './icon.tsx'
import { longParagraph, paragraph } from './paragraph.ts'

interface HeroProps {
  /** A picture of 48 to 64: logo, circle, or how it ended. */
  art?: ReactNode
  title: string
  children?: ReactNode
}

/** What a screen is about: picture, title, and a line or three. */
export function Hero({ art, title, children }: HeroProps) {
  const long = typeof children === 'string' && children.length > 140
  return (
    <div css={hero}>
      {art && <div css={{ marginBlockEnd: 8 }}>{art}</div>}
      <Heading>{title}</Heading>
      {children && <p css={long ? [paragraph, longParagraph] : paragraph}>{children}</p>}
    </div>
  )
}

/** A 28 icon in a 56 circle. */
export function Circle({ icon }: { icon: string }) {
  return (
    <div css={circle}>
      <Icon path={icon} size={28} stroke={1.75} />
    </div>
  )
}

/** A success or a failure, drawn once (look §7.15). */
export function Outcome({ is }: { is: 'success' | 'failure' }) {
  const failed = is === 'failure'
  return (
    <svg
      css={[outcome, tone(failed ? 'danger' : 'success')]}
      viewBox="0 0 64 64"
      width={64}
      height={64}
      fill="none"
      aria-hidden
    >
      <circle cx={32} cy={32} r={30} />
      <path d="M32 8a24 24 0 1 1 0 48a24 24 0 1 1 0 -48" pathLength={1} />
      <path d={failed ? 'M32 21v13M32 42v.01' : 'M22 33l7 7 13-15'} pathLength={1} />
    </svg>
  )
}

const hero: CSSObject = {
  display: 'flex',
  flexDirection: 'column',
  alignItems: 'center',
  gap: 8,
  paddingBlockStart: 16,
  textAlign: 'center',
}
const circle: CSSObject = {
  display: 'grid',
  placeItems: 'center',
  width: 56,
  height: 56,
  border: '1px solid transparent',
  borderRadius: 99,
  background: color('accent-subtle'),
  color: color('accent-text'),
}
const draw = keyframes({ to: { strokeDashoffset: 0 } })
const tone = (name: 'success' | 'danger'): CSSObject => ({
  circle: { fill: color(`${name}-subtle`) },
  path: { stroke: color(name) },
})
const outcome: CSSObject = {
  display: 'block',
  path: {
    strokeWidth: 2.5,
    strokeLinecap: 'round',
    strokeLinejoin: 'round',
    strokeDasharray: 1,
    strokeDashoffset: 1,
    animation: `${draw} 420ms ${motion.ease} forwards`,
    [media.reduced]: { animation: 'none', strokeDashoffset: 0 },
  },
  'path:last-of-type': { animationDuration: '260ms', animationDelay: '300ms' },
}
