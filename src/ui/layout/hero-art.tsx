import type { CSSObject } from '@emotion/react'
import type { ReactNode } from 'react'
import { keyframes } from '../../../styles/keyframes.ts'
import { color, media, motion, text } from '../../../styles/tokens.ts'
import { Icon } from '../brand/icon.tsx'

interface CircleProps {
  /** Path data, or an image, which is drawn on a neutral background. */
  icon: ReactNode
  tone?: 'accent' | 'warning' | 'neutral'
}
/** A 28 icon in a 56 circle. */
export function Circle({ icon, tone: meant = typeof icon === 'string' ? 'accent' : 'neutral' }: CircleProps) {
  const look: CSSObject =
    meant === 'neutral'
      ? { background: color('fill-hover') }
      : { background: color(`${meant}-subtle`), color: color(`${meant}-text`) }
  return (
    <div css={[circle, look]}>
      {typeof icon === 'string' ? <Icon path={icon} size={28} stroke={1.75} /> : icon}
    </div>
  )
}

/** A success or a failure, drawn once. */
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

const circle: CSSObject = {
  display: 'grid',
  placeItems: 'center',
  width: 56,
  height: 56,
  border: '1px solid transparent',
  borderRadius: 99,
  // The initial that stands in for a picture.
  span: text('hero'),
}
const draw = keyframes({ to: { strokeDashoffset: 0 } })
const tone = (name: 'success' | 'danger'): CSSObject => ({
  circle: { fill: color(`${name}-subtle`), [media.forced]: { fill: 'none' } },
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
