import type { CSSObject } from '@emotion/react'
import { keyframes } from '../../../styles/keyframes.ts'
import { media } from '../../../styles/tokens.ts'

/** 18 in buttons, 24 in rows, 40 alone. It stops by itself; the text beside it takes over. */
export function Spinner({ size = 18 }: { size?: 18 | 24 | 40 }) {
  return (
    <svg css={turning} width={size} height={size} viewBox="0 0 24 24" strokeWidth={48 / size} aria-hidden>
      <path d="M12 2A10 10 0 1 1 2 12" />
      <circle cx={12} cy={12} r={5} />
    </svg>
  )
}

const turn = keyframes({ to: { transform: 'rotate(1turn)' } })
const pulse = keyframes({ '50%': { opacity: 0.3 } })
const turning: CSSObject = {
  flex: 'none',
  display: 'block',
  fill: 'none',
  stroke: 'currentColor',
  strokeLinecap: 'round',
  // A loop ends after 30 s.
  animation: `${turn} .8s linear 38`,
  circle: { display: 'none', fill: 'currentColor', stroke: 'none' },
  [media.reduced]: {
    animation: `${pulse} 1s linear 30`,
    path: { display: 'none' },
    circle: { display: 'block' },
  },
}
