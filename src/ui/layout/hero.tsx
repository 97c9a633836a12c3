import type { CSSObject } from '@emotion/react'
import type { ReactNode } from 'react'
import { unbroken } from '../text/breakable.tsx'
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
    <div css={art ? hero : [hero, alone]} data-essential={essential || undefined}>
      {art ? <div css={picture}>{art}</div> : null}
      <Heading>{title}</Heading>
      {children && <p css={long ? [paragraph, longParagraph] : paragraph}>{unbroken(children)}</p>}
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
/** As high for every picture, so that the title is where that of the step before was. */
const picture: CSSObject = {
  display: 'grid',
  placeItems: 'center',
  maxWidth: '100%',
  minHeight: 64,
  marginBlockEnd: 8,
}
/** A title of its own never comes between the header's buttons. */
const alone: CSSObject = { paddingBlockStart: 40 }
