import type { CSSObject } from '@emotion/react'
import { type ReactNode, useEffect, useRef } from 'react'
import { hidden, media, text } from '../../../styles/tokens.ts'
import { usePanel } from '../panel/panel-context.tsx'
import { unbroken } from '../text/breakable.tsx'

interface HeadingProps {
  look?: 'hero' | 'title' | 'hidden'
  /** Of the same identity as long as it says the same. */
  children: ReactNode
}

/**
 * The title of a screen, one per screen. The panel gives it the focus when the screen appears; when the title
 * of a visible screen changes, it takes the focus itself, so that the change is read out.
 */
export function Heading({ look = 'hero', children }: HeadingProps) {
  const { titleId } = usePanel()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const el = heading.current
    if (children && el?.closest('[data-arrived]')) el.focus({ preventScroll: true })
  }, [children])
  return (
    <h2 ref={heading} id={titleId} tabIndex={-1} data-heading part="title" css={looks[look]}>
      {unbroken(children)}
    </h2>
  )
}

const plain: CSSObject = {
  margin: 0,
  outline: 'none',
  textWrap: 'balance',
  overflowWrap: 'anywhere',
  // Its longest words have to fit a line.
  [media.tight]: { fontSize: '8.5cqi', lineHeight: 1.3, hyphens: 'auto' },
}
const looks = {
  hero: { ...text('hero'), ...plain },
  title: { ...text('title'), ...plain, textAlign: 'center' },
  hidden: { ...plain, ...hidden },
} satisfies Record<string, CSSObject>
