import type { CSSObject } from '@emotion/react'
import { type ReactNode, useRef, useState } from 'react'
import { color, media, quick, text } from '../../../styles/tokens.ts'
import { faded, useEdges } from '../panel/use-edges.ts'
import { unbroken } from '../text/breakable.tsx'
import { useWords } from '../text/words.tsx'
import { Heading } from './heading.tsx'
import { paragraph } from './paragraph.ts'

interface BodyProps {
  /** The screen's title, if it is in the header; otherwise its hero has it. */
  title?: string
  /** A line that belongs to that title. */
  subtitle?: ReactNode
  /** Where this screen is among the steps of its flow. */
  step?: readonly [step: number, count: number] | undefined
  /** The content scrolls by itself and shrinks before the body does. */
  fit?: boolean
  children: ReactNode
}

/**
 * The scrolling part between header and footer. It begins at the same height on every screen, so that icon and title stay where they
 * are from one step of a flow to the next; the space above them gives way before anything has to scroll. When a hero has
 * scrolled away, its title is repeated in the header.
 */
export function Body({ title, subtitle, step, fit, children }: BodyProps) {
  const t = useWords()
  const box = useRef<HTMLDivElement>(null)
  const [{ scrolled, away }, setState] = useState<{ scrolled: boolean; away: string }>({
    scrolled: false,
    away: '',
  })
  useEdges(box, (edges, el) => {
    const heading = title ? null : el.querySelector('[data-heading]')
    const above = heading && heading.getBoundingClientRect().bottom < el.getBoundingClientRect().top
    const next = { scrolled: edges.scrolled, away: (above && heading.textContent) || '' }
    setState((now) => (now.scrolled === next.scrolled && now.away === next.away ? now : next))
  })
  return (
    <>
      <div data-strip css={[strip, !title && (scrolled ? raised : [raised, clear]), scrolled && line]}>
        <div css={top}>
          {title ? (
            <Heading look="title">{title}</Heading>
          ) : (
            <>
              {step && (
                <span css={[place, progress]} style={{ opacity: away ? 0 : 1 }}>
                  {t('common.step', { step: step[0], count: step[1] })}
                </span>
              )}
              <span css={[place, repeated]} style={{ opacity: away ? 1 : 0 }} aria-hidden>
                {away}
              </span>
            </>
          )}
        </div>
        {subtitle && <p css={[paragraph, under]}>{unbroken(subtitle)}</p>}
      </div>
      <div ref={box} part="body" css={title ? [scroller, fromTop] : scroller}>
        <div css={fit ? [block, giving()] : block}>{children}</div>
      </div>
    </>
  )
}

/** What stays at the bottom: the next step, the way out, a note. */
export function Footer({ children }: { children: ReactNode }) {
  return (
    <div part="footer" css={footer}>
      {children}
    </div>
  )
}

/** Legal words or a hint in a footer. An empty one keeps its place. */
export function Note({ silent, children }: { silent?: boolean; children: ReactNode }) {
  return <div css={[note, silent && { visibility: 'hidden' }]}>{children}</div>
}

/** How far a hero may rise beside the header's buttons. */
const rise = 40

const strip: CSSObject = {
  flex: 'none',
  transition: quick('box-shadow'),
  // If the whole screen scrolls, the header stays.
  position: 'sticky',
  zIndex: 1,
  insetBlockStart: 0,
  background: color('surface'),
  // Where something is approved, its facts need the room beside the button.
  '@media (max-height:560px)': { '[data-layer]:has([data-approves]) &': { position: 'static' } },
}
/** Beside the header's buttons there is room for an icon, where a screen needs it. */
const raised: CSSObject = { marginBlockEnd: -rise }
const clear: CSSObject = { background: 'none', pointerEvents: 'none' }
const line: CSSObject = { boxShadow: `0 0 0 1px ${color('border')}` }
const top: CSSObject = {
  display: 'grid',
  alignContent: 'center',
  justifyItems: 'center',
  minHeight: 56,
  // The first of several lines is where a single one is: clear of a drawer's handle, level with the buttons.
  padding: '17px 56px',
}
const under: CSSObject = { margin: '-8px auto 0', padding: '0 var(--_side) 12px', textAlign: 'center' }
const place: CSSObject = { gridArea: '1/1', maxWidth: '100%', transition: quick('opacity') }
const progress: CSSObject = { ...text('caption'), color: color('text-muted') }
const repeated: CSSObject = {
  ...text('title'),
  overflow: 'hidden',
  textOverflow: 'ellipsis',
  whiteSpace: 'nowrap',
  // A word and a half would say nothing.
  [media.tight]: { display: 'none' },
}
const scroller: CSSObject = {
  ...faded,
  flex: '1 1 0',
  minHeight: 120,
  display: 'flex',
  flexDirection: 'column',
  scrollPaddingBlock: 16,
  outline: 'none',
  '&::before': { content: '""', flex: `0 9999 ${rise}px` },
  '&:last-child > div': { paddingBlockEnd: 'var(--_end)' },
  '@media (max-height:400px)': { flex: '1 0 auto', overflow: 'visible' },
}
/** Under a title in the header the content follows without a gap. */
const fromTop: CSSObject = { '&::before': { flex: '0 0 8px' } }
const block: CSSObject = {
  flex: 'none',
  display: 'flex',
  flexDirection: 'column',
  gap: 24,
  padding: '0 var(--_side)',
}
/** Shrinks, so that the inner part scrolls and the body stays; on a low screen the body scrolls instead. */
export const giving = (least = 0): CSSObject => ({
  flexShrink: 0,
  '@media (min-height:560px)': { flexShrink: 1, minHeight: least },
})
const footer: CSSObject = {
  flex: 'none',
  display: 'flex',
  flexDirection: 'column',
  gap: 8,
  padding: '16px var(--_side) var(--_end)',
  // What the body hides may begin just behind a gap, where nothing can be seen to fade.
  '[style*="--_b"]+&': line,
  // The button that approves something stays beside what is scrolled.
  '&:has([data-approves])': { position: 'sticky', zIndex: 1, insetBlockEnd: 0, background: color('surface') },
}
const note: CSSObject = {
  ...text('caption'),
  color: color('text-faint'),
  textAlign: 'center',
  textWrap: 'balance',
}
