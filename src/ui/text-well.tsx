import type { CSSObject } from '@emotion/react'
import { useRef } from 'react'
import { color, focusRing, mono, radius, text } from '../../styles/tokens.ts'
import { limits } from '../core/limits.ts'
import { giving } from './layout.tsx'
import { faded, useEdges } from './use-edges.ts'
import { visibleMarks } from './visible-marks.ts'

interface TextWellProps {
  /** What it holds, for people who don't see it. */
  label: string
  children: string
  /** Told whether its last line is in sight, at first and after each scrolling. */
  onEdge?: (atEnd: boolean) => void
}

/** Look §7.12: a text as it is, line breaks kept, with marks where a character would be invisible. */
export function TextWell({ label, children, onEdge }: TextWellProps) {
  const box = useRef<HTMLDivElement>(null)
  useEdges(box, ({ atEnd }) => onEdge?.(atEnd))
  return (
    <div css={frame}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls */}
      <div ref={box} css={well} role="group" aria-label={label}>
        <bdi css={{ display: 'block' }} dir="auto">
          {visibleMarks(children).map((piece, i) =>
            typeof piece === 'string' ? (
              piece
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text have no other identity
              <span key={i} css={mark}>
                {piece.mark}
              </span>
            ),
          )}
        </bdi>
      </div>
    </div>
  )
}

const frame: CSSObject = {
  display: 'flex',
  minHeight: 96,
  ...giving(96),
  border: '1px solid transparent',
  borderRadius: radius(12),
  background: color('surface-sunken'),
  overflow: 'hidden',
  '&:has(:focus-visible)': focusRing(-2)['&:focus-visible'],
}
const well: CSSObject = {
  ...text('detail'),
  ...faded,
  flex: 1,
  minHeight: 0,
  maxHeight: limits.previewHeight,
  padding: 11,
  outline: 'none',
  color: color('text'),
  textAlign: 'start',
  whiteSpace: 'pre-wrap',
  overflowWrap: 'anywhere',
}
const mark: CSSObject = {
  ...text('caption'),
  display: 'inline-block',
  padding: '0 4px',
  marginInline: 2,
  border: '1px solid transparent',
  borderRadius: radius(6),
  background: color('warning-subtle'),
  color: color('warning-text'),
  fontFamily: mono,
  direction: 'ltr',
  WebkitUserSelect: 'none',
  userSelect: 'none',
}
