import type { CSSObject } from '@emotion/react'
import type { ReactNode } from 'react'
import { keyframes } from '../../styles/keyframes.ts'
import { color, media } from '../../styles/tokens.ts'
import { limits } from '../core/limits.ts'
import { Hero } from './hero.tsx'
import { Circle } from './hero-art.tsx'
import { useAnnounced } from './panel-context.tsx'
import { paragraph } from './paragraph.ts'
import { useElapsed } from './use-elapsed.ts'

interface WaitingProps {
  /** The two that are being joined: path data, or pictures of their own. */
  icons: readonly [ReactNode, ReactNode]
  title: string
  /** What it waits for. */
  children: string
  /** What to do when it takes long. */
  slow: string
}

/** A wait that says what it waits for, and after a while what to do (look §7.14). The flow ends it. */
export function Waiting({ icons: [from, to], title, children, slow }: WaitingProps): ReactNode {
  const long = useElapsed(limits.waitExplained)
  useAnnounced(long && slow)
  return (
    <>
      <Hero
        title={title}
        art={
          <div css={joined}>
            <Circle icon={from} />
            <div css={dots}>
              {[0, 1, 2, 3, 4].map((i) => (
                <span key={i} style={{ animationDelay: `${i * 160}ms` }} />
              ))}
            </div>
            <Circle icon={to} />
          </div>
        }
      >
        {children}
      </Hero>
      <p css={[paragraph, later]} style={{ opacity: long ? 1 : 0 }} aria-hidden={!long}>
        {slow}
      </p>
    </>
  )
}

const travel = keyframes({ '0%,60%,to': { opacity: 0.25 }, '30%': { opacity: 1, transform: 'scale(1.5)' } })
const fade = keyframes({ '0%,60%,to': { opacity: 0.25 }, '30%': { opacity: 1 } })
const joined: CSSObject = { display: 'flex', alignItems: 'center', gap: 12, marginBlockEnd: 8 }
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
const later: CSSObject = {
  marginInline: 'auto',
  textAlign: 'center',
  marginBlockStart: -16,
  transition: 'opacity 180ms',
}
