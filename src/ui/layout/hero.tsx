import type { CSSObject } from '@emotion/react'
import type { ReactNode } from 'react'
import { Heading } from './heading.tsx'
import { longParagraph, paragraph } from './paragraph.ts'

interface HeroProps {
  /** An image of 48 to 64: logo, circle, or the outcome. */
  art?: ReactNode
  /** As a {@link Heading}'s. */
  title: ReactNode
  /** It names what is approved, and has to be read before. */
  essential?: boolean
  children?: ReactNode
}

/** What a screen is about: image, title, and a line or three. */
export function Hero({ art, title, essential, children }: HeroProps) {
  const long = typeof children === 'string' && children.length > 140
  return (
    <div css={hero} data-essential={essential || undefined}>
      {art && <div css={{ marginBlockEnd: 8 }}>{art}</div>}
      <Heading>{title}</Heading>
      {children && <p css={long ? [paragraph, longParagraph] : paragraph}>{children}</p>}
    </div>
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
