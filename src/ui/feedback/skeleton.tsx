import type { CSSObject } from '@emotion/react'
import { keyframes } from '../../../styles/keyframes.ts'
import { color, media, radius } from '../../../styles/tokens.ts'

/** The outline of something that is still loading. */
export function Skeleton({
  width = '100%',
  height,
  round = 8,
}: {
  width?: number | string
  height: number
  round?: 8 | 12 | 16
}) {
  return <span css={bone} style={{ width, height, borderRadius: radius(round) }} />
}

const sweep = keyframes({ from: { transform: 'translateX(-100%)' }, to: { transform: 'translateX(100%)' } })
const bone: CSSObject = {
  display: 'block',
  overflow: 'hidden',
  maxWidth: '100%',
  background: color('fill-hover'),
  border: '1px solid transparent',
  '&::after': {
    content: '""',
    display: 'block',
    height: '100%',
    background: `linear-gradient(90deg,transparent,${color('fill-pressed')},transparent)`,
    animation: `${sweep} 1.6s linear 19`,
  },
  [media.reduced]: { '&::after': { animation: 'none', opacity: 0 } },
}
