import type { CSSObject } from '@emotion/react'
import type { ReactNode } from 'react'
import { keyframes } from '../../../styles/keyframes.ts'
import { color, media } from '../../../styles/tokens.ts'

interface TimeBarProps {
  /** Milliseconds until the screen continues by itself. */
  time: number
  onEnd(): void
}

/**
 * How long a screen still stays. It is an animation, so that holding it needs no timer (`[data-bar]`); with
 * reduced motion only the time runs.
 */
export function TimeBar({ time, onEnd }: TimeBarProps): ReactNode {
  return (
    <div css={track}>
      <div data-bar css={bar} style={{ animationDuration: `${time}ms` }} onAnimationEnd={onEnd} />
    </div>
  )
}

const shrink = keyframes({ to: { transform: 'scaleX(0)' } })
const still = keyframes({ to: { opacity: 1 } })
const track: CSSObject = {
  height: 4,
  marginBlockStart: 8,
  borderRadius: 4,
  background: color('fill-pressed'),
  overflow: 'hidden',
}
const bar: CSSObject = {
  height: '100%',
  borderRadius: 4,
  background: color('text-faint'),
  transformOrigin: 'left',
  '&:dir(rtl)': { transformOrigin: 'right' },
  animation: `${shrink} 0s linear forwards`,
  [media.reduced]: { animationName: still },
}
