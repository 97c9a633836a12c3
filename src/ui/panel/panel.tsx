import type { CSSObject } from '@emotion/react'
import {
  type ReactNode,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { fadeIn, fadeOut, keyframes } from '../../../styles/keyframes.ts'
import { panel, screenOut } from '../../../styles/scale.ts'
import { color, hidden, media, motion, radius, shadow, text } from '../../../styles/tokens.ts'
import { IconButton } from '../actions/icon-button.tsx'
import { arrowLeft, x } from '../icons/frame.ts'
import { useWords } from '../text/words.tsx'
import { panelLimits } from './limits.ts'
import { PanelContext } from './panel-context.tsx'
import { useArrivalFocus } from './use-arrival-focus.ts'
import { usePressGuard } from './use-press-guard.ts'

interface PanelProps {
  size: 'full' | 'compact'
  /** Which screen is shown: a new value is another screen, which replaces the previous one. */
  step: string | number
  /** Where the screen comes from; `open` is the first one, which follows no answer. */
  arrival?: 'open' | 'forward' | 'back'
  /** Another value whenever the screen asks anew, which the same screen may do with other controls. */
  asked?: string | number
  busy?: boolean
  /** Shown in the page instead of a dialog. */
  inline?: boolean
  /** Fills a frame or a window of its own, whose dialog is elsewhere; `drawer` if that is a drawer. */
  filling?: 'dialog' | 'drawer' | undefined
  /** Where the request stands among those that wait for the user. */
  position?: PanelContext['position']
  /** The id of the screen's heading, for the `aria-labelledby` of the dialog around. */
  titleId?: string | undefined
  /** Shows a back button; `undefined` if the screen can't be left backwards. */
  onBack?: (() => void) | undefined
  /** Shows a close button. */
  onClose?: ((by: 'button' | 'escape') => void) | undefined
  children: ReactNode
}

interface Layer {
  step: string | number
  children: ReactNode
  size: PanelProps['size']
  /** The height that it wants where it draws the header itself. */
  filled: number | undefined
  position: PanelContext['position']
}

/** The frame of every screen: header buttons, the screen, and two live regions. */
export function Panel({
  size,
  step,
  arrival = 'open',
  asked = 0,
  busy,
  inline,
  filling,
  titleId,
  position,
  onBack,
  onClose,
  children,
}: PanelProps) {
  const t = useWords()
  const ownId = useId()
  const status = useRef<HTMLDivElement>(null)
  const alert = useRef<HTMLDivElement>(null)
  const [filled, fill] = useState<number>()
  const { shown, leaving, isKept, keepPrevious } = useLayers({ step, children, size, filled, position })
  const root = useArrivalFocus(shown.step, arrival, inline)
  const guard = usePressGuard(asked, root)

  const announce = useCallback((words: string, how: 'status' | 'alert' = 'status') => {
    const region = (how === 'alert' ? alert : status).current
    // The same words again are announced only if the text changes.
    const text = region?.textContent === words ? `${words}\u00A0` : words
    if (region) region.textContent = text
    return () => {
      if (region?.textContent === text) region.textContent = ''
    }
  }, [])
  // Before the new screen announces anything of its own.
  useLayoutEffect(() => {
    void shown.step
    for (const { current } of [status, alert]) if (current) current.textContent = ''
  }, [shown.step])
  const id = titleId ?? ownId
  const here = useMemo<PanelContext>(
    () => ({ titleId: id, announce, fill, keepPrevious, position, close: onClose }),
    [id, announce, keepPrevious, position, onClose],
  )
  const gone = useMemo<PanelContext>(() => ({ announce: () => () => {} }), [])
  const first = useRef(shown.step).current
  const layerStyle = (layer: Layer): CSSObject | false => {
    if (layer === leaving) return !isKept && leave
    return isKept ? waiting : layer.step !== first && enter(arrival === 'back')
  }
  // The frame belongs to the screen in sight.
  const inSight = isKept ? (leaving ?? shown) : shown

  return (
    <div
      ref={root}
      part="dialog"
      {...guard}
      css={[
        frame,
        filling ? [inFrame, filling === 'drawer' && drawer] : inline ? inFlow : inDialog,
        {
          '--_height': inSight.filled
            ? `${inSight.filled}px`
            : `calc(${panel[inSight.size]}px*var(--lk-text-scale,1))`,
        },
      ]}
      {...(inline && { role: 'group', 'aria-labelledby': id })}
    >
      {!inSight.filled && (
        <div part="header" css={header}>
          <span>
            {onBack && (
              <IconButton
                icon={arrowLeft}
                mirrored
                name={t('common.back')}
                disabled={busy}
                onClick={onBack}
              />
            )}
            {inSight.position && inSight.position.count > 1 && (
              <span css={place}>{t('common.position', { ...inSight.position })}</span>
            )}
          </span>
          {onClose && !inline && (
            <IconButton icon={x} name={t('common.close')} onClick={() => onClose('button')} />
          )}
        </div>
      )}
      {[shown, leaving].map(
        (layer) =>
          layer && (
            <div
              key={layer.step}
              data-layer
              inert={layer === leaving}
              aria-hidden={layer === leaving || undefined}
              css={[screen, layerStyle(layer)]}
            >
              <PanelContext value={layer === leaving ? gone : here}>{layer.children}</PanelContext>
            </div>
          ),
      )}
      <div ref={status} role="status" css={hidden} />
      <div ref={alert} role="alert" css={hidden} />
    </div>
  )
}

interface Layers {
  readonly shown: Layer
  readonly leaving: Layer | undefined
  /** The previous screen stays in sight, because the current one has nothing to show yet. */
  readonly isKept: boolean
  readonly keepPrevious: () => () => void
}

/** The current screen and, until it has faded, the previous one as it was last seen. */
function useLayers(current: Layer): Layers {
  const { step } = current
  const last = useRef(current)
  const [shown, setShown] = useState(step)
  const [previous, setPrevious] = useState<Layer>()
  const [isWaiting, setWaiting] = useState(false)
  const leaving = previous?.step === step ? undefined : previous
  // A frame that is over has left nothing to look at.
  const isKept = isWaiting && leaving !== undefined && leaving.filled === undefined
  if (shown !== step) {
    setShown(step)
    // Nobody has seen a screen that had nothing to show.
    if (!isKept) setPrevious(last.current)
  }
  useEffect(() => {
    last.current = current
  })
  useEffect(() => {
    if (!previous) return
    const timer = isKept
      ? setTimeout(() => setWaiting(false), panelLimits.previousKept)
      : setTimeout(() => setPrevious(undefined), screenOut)
    return () => clearTimeout(timer)
  }, [previous, isKept])
  const keepPrevious = useCallback(() => {
    setWaiting(true)
    return () => setWaiting(false)
  }, [])
  return { shown: current, leaving, isKept, keepPrevious }
}

const slide = keyframes({
  from: { opacity: 0, transform: 'translateX(calc(12px*var(--_way)))' },
})

const frame: CSSObject = {
  '*,*::before,*::after': { boxSizing: 'border-box', WebkitTapHighlightColor: 'transparent' },
  '&[data-arriving]>*': { pointerEvents: 'none' },
  '--_side': '24px',
  '--_end': '20px',
  ...text('body'),
  boxSizing: 'border-box',
  position: 'relative',
  isolation: 'isolate',
  display: 'block',
  width: panel.width,
  maxWidth: '100%',
  overflow: 'hidden',
  contain: 'layout paint',
  background: color('surface'),
  color: color('text'),
  textAlign: 'start',
  textWrap: 'pretty',
  fontFamily: 'inherit',
  WebkitFontSmoothing: 'antialiased',
  transition: `height ${motion.slow} ${motion.ease}`,
  [media.reduced]: { transition: 'none' },
  // Styles that depend on the width of a box cost a layout of their own, so a wide page does without.
  [media.drawer]: { containerType: 'inline-size' },
}
/** Decoration; the header is what can be dragged. */
function handle(): CSSObject {
  return {
    content: '""',
    position: 'absolute',
    zIndex: 3,
    insetBlockStart: 8,
    insetInlineStart: 'calc(50% - 18px)',
    width: 36,
    height: 4,
    borderRadius: 99,
    background: color('border'),
  }
}
const inDialog: CSSObject = {
  height: 'min(var(--_height),var(--_view,100dvh) - 32px)',
  borderRadius: radius(24),
  boxShadow: shadow(3),
  [media.forced]: { border: '1px solid' },
  [media.drawer]: {
    '--_side': '20px',
    '--_end': 'max(16px,env(safe-area-inset-bottom))',
    width: '100%',
    height: 'min(var(--_height),var(--_view,100dvh) - 24px)',
    borderEndStartRadius: 0,
    borderEndEndRadius: 0,
    '&::before': handle(),
  },
}
/** The dialog around the frame has the corners and the shadow, and its place decides what a drawer is. */
const inFrame: CSSObject = { height: '100dvh', width: '100%', contain: 'strict', transition: 'none' }
const drawer: CSSObject = {
  '--_side': '20px',
  '--_end': 'max(16px,env(safe-area-inset-bottom))',
  // The dialog keeps its handle, so that it can be dragged by it.
  height: `calc(100dvh + ${panel.handle}px)`,
  marginBlockStart: -panel.handle,
  borderStartStartRadius: radius(24),
  borderStartEndRadius: radius(24),
}
const inFlow: CSSObject = {
  height: 'var(--_height)',
  borderRadius: radius(24),
  border: `1px solid ${color('border')}`,
}
const header: CSSObject = {
  position: 'absolute',
  zIndex: 2,
  insetInline: 0,
  insetBlockStart: 0,
  display: 'flex',
  justifyContent: 'space-between',
  padding: 12,
  pointerEvents: 'none',
  '& button': { pointerEvents: 'auto' },
}
const place: CSSObject = {
  ...text('caption'),
  color: color('text-muted'),
  display: 'inline-block',
  padding: 8,
}
const screen: CSSObject = {
  position: 'absolute',
  inset: 0,
  display: 'flex',
  flexDirection: 'column',
  // If there is no room for a body between header and footer, the whole screen scrolls.
  overflowY: 'auto',
  // A spinner that waits for a screen.
  '& > svg': { margin: 'auto' },
}
/** In the page and not in sight: a frame in it loads. */
const waiting: CSSObject = { opacity: 0, pointerEvents: 'none' }
const leave: CSSObject = {
  pointerEvents: 'none',
  animation: `${fadeOut} ${screenOut}ms ${motion.easeIn} forwards`,
}
/** How a screen, or a page of one, appears. */
export const enter = (back: boolean): CSSObject => ({
  '--_way': back ? -1 : 1,
  '&:dir(rtl)': { '--_way': back ? 1 : -1 },
  animation: `${slide} ${motion.base} ${motion.easeOut}`,
  [media.reduced]: { animation: `${fadeIn} 80ms` },
})
