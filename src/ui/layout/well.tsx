import type { CSSObject } from '@emotion/react'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { edge } from '../../../styles/edge.ts'
import { color, focusRing, radius, text } from '../../../styles/tokens.ts'
import { uiLimits } from '../limits.ts'
import { faded, useEdges } from '../panel/use-edges.ts'
import { giving } from './layout.tsx'

interface WellProps {
  /** What it contains, for screen readers. */
  label: string
  /** A new value: something else is to be read, from its beginning. */
  subject: unknown
  /** Called with whether its end is visible, at first and after each scrolling. */
  onEdge?: ((atEnd: boolean) => void) | undefined
  children: ReactNode
}

/** What is to be read before signing; it scrolls, and shrinks before the rest of the screen does. */
export function Well({ label, subject, onEdge, children }: WellProps): ReactNode {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    void subject
    if (box.current) box.current.scrollTop = 0
  }, [subject])
  useEdges(box, ({ atEnd }) => onEdge?.(atEnd))
  return (
    <div css={frame}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls */}
      <div ref={box} css={well} role="group" aria-label={label}>
        <div data-essential>{children}</div>
      </div>
    </div>
  )
}

const frame: CSSObject = {
  display: 'flex',
  minHeight: 96,
  ...giving(96),
  border: edge,
  borderRadius: radius(12),
  background: color('surface-sunken'),
  overflow: 'hidden',
  '&:has(:focus-visible)': focusRing(-2)['&:focus-visible'],
}
const well: CSSObject = {
  ...text('detail'),
  ...faded,
  flex: 1,
  minWidth: 0,
  minHeight: 0,
  maxHeight: uiLimits.previewHeight,
  padding: 11,
  outline: 'none',
  color: color('text'),
  textAlign: 'start',
  overflowWrap: 'anywhere',
  '& > div > p:first-of-type': { marginBlockStart: 0 },
}
