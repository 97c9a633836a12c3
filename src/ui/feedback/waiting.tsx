import type { CSSObject } from '@emotion/react'
import type { ReactNode } from 'react'
import { Hero } from '../layout/hero.tsx'
import { Circle } from '../layout/hero-art.tsx'
import { Joined } from '../layout/joined.tsx'
import { paragraph } from '../layout/paragraph.ts'
import { uiLimits } from '../limits.ts'
import { useAnnounced } from '../panel/use-announced.ts'
import { useElapsed } from './use-elapsed.ts'

interface WaitingProps {
  /** The two that are being joined: path data, or images of their own. */
  icons: readonly [ReactNode, ReactNode]
  title: string
  /** What it waits for. */
  children: string
  /** What to do if it takes long. */
  slow: string
}

/** A wait that says what it waits for, and after a while what to do. The flow ends it. */
export function Waiting({ icons: [from, to], title, children, slow }: WaitingProps): ReactNode {
  const long = useElapsed(uiLimits.waitExplained)
  useAnnounced(long && slow)
  return (
    <>
      <Hero title={title} art={<Joined from={<Circle icon={from} />} to={<Circle icon={to} />} />}>
        {children}
      </Hero>
      <p css={[paragraph, later]} style={{ opacity: long ? 1 : 0 }} aria-hidden={!long}>
        {slow}
      </p>
    </>
  )
}

const later: CSSObject = {
  marginInline: 'auto',
  textAlign: 'center',
  marginBlockStart: -16,
  transition: 'opacity 180ms',
}
