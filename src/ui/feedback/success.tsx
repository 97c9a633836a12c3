import type { ReactNode } from 'react'
import { Hero } from '../layout/hero.tsx'
import { Outcome } from '../layout/hero-art.tsx'
import { Body } from '../layout/layout.tsx'
import { useAnnounced } from '../panel/use-announced.ts'

interface SuccessProps {
  title: string
  children?: ReactNode
}

/** All that a screen shows once something has gone well; it is announced as well. */
export function Success({ title, children }: SuccessProps) {
  useAnnounced(title)
  return (
    <Body>
      <Hero art={<Outcome is="success" />} title={title}>
        {children}
      </Hero>
    </Body>
  )
}
