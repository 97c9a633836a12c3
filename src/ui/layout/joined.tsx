import type { CSSObject } from '@emotion/react'
import type { ReactNode } from 'react'
import { keyframes } from '../../../styles/keyframes.ts'
import { color, media } from '../../../styles/tokens.ts'

/** Two images and the moving dotted line between them. */
export function Joined({ from, to }: { from: ReactNode; to: ReactNode }): ReactNode {
  return (
    <div css={joined}>
      {from}
      <div css={dots}>
        {[0, 1, 2, 3, 4].map((i) => (
          <span key={i} style={{ animationDelay: `${i * 160}ms` }} />
        ))}
      </div>
      {to}
    </div>
  )
}

const travel = keyframes({ '0%,60%,to': { opacity: 0.25 }, '30%': { opacity: 1, transform: 'scale(1.5)' } })
const fade = keyframes({ '0%,60%,to': { opacity: 0.25 }, '30%': { opacity: 1 } })
const joined: CSSObject = { display: 'flex', alignItems: 'center', gap: 12 }
const dots: CSSObject = {
  display: 'flex',
  gap: 8,
  span: {
    width: 4,
    height: 4,
    borderRadius: 4,
    background: color('accent-text'),
    opacity: 0.25,
    // A loop ends after 30 s.
    animation: `${travel} 1.6s ease-in-out 19`,
    [media.reduced]: { animationName: fade },
    [media.forced]: { background: 'CanvasText' },
  },
}
