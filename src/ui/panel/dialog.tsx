import type { CSSObject } from '@emotion/react'
import { type MouseEvent, type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { fadeIn, fadeOut, keyframes } from '../../../styles/keyframes.ts'
import { color, media, motion } from '../../../styles/tokens.ts'
import { followTouch } from './touch.ts'

interface DialogProps {
  /** Fades out when it turns false, and calls `onGone` when it may be removed. */
  open?: boolean
  onGone?: () => void
  /** A person may close it: Escape, backdrop, and dragging a drawer down ask for it. */
  closable: boolean
  onCloseRequest(reason: 'escape' | 'backdrop' | 'button'): void
  /** The id of the heading that names it; the panel inside takes the same. */
  titleId: string
  children: ReactNode
}

/** The native dialog around a panel: scrim, position, and how it opens and closes. */
export function Dialog({ open = true, onGone, closable, onCloseRequest, titleId, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const pressed = useRef<EventTarget>(null)
  useTouch(dialog, closable ? () => onCloseRequest('button') : undefined)
  useLayoutEffect(() => {
    const el = dialog.current
    if (el && open && !el.open) el.showModal()
  }, [open])
  const onBackdrop = (event: MouseEvent) => {
    // A press that began inside, such as a selection, is no click on the backdrop.
    const outside = event.target === dialog.current && pressed.current === dialog.current
    if (outside && closable) onCloseRequest('backdrop')
  }
  return (
    <dialog
      ref={dialog}
      css={open ? look : [look, out]}
      closedby={closable ? 'closerequest' : 'none'}
      aria-labelledby={titleId}
      onPointerDown={(event) => {
        // A press on what stood here before, on the page or on a taller screen, was not meant for the backdrop.
        const early = dialog.current?.querySelector('[data-arriving]')
        pressed.current = early ? null : event.target
      }}
      onClick={onBackdrop}
      onCancel={(event) => {
        event.preventDefault()
        if (closable && event.target === dialog.current) onCloseRequest('escape')
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        // The browser closes a dialog by force if `cancel` was prevented before.
        event.preventDefault()
        if (closable) onCloseRequest('escape')
      }}
      onAnimationEnd={({ target, currentTarget }) => {
        if (open || target !== currentTarget) return
        currentTarget.close()
        onGone?.()
      }}
      onClose={() => open && dialog.current?.isConnected && dialog.current.showModal()}
    >
      {children}
    </dialog>
  )
}

function useTouch(dialog: { readonly current: HTMLDialogElement | null }, close: (() => void) | undefined) {
  const latest = useRef(close)
  useEffect(() => {
    latest.current = close
  })
  useEffect(() => {
    const hasTouch = [media.drawer, media.coarse].some((each) => matchMedia(each.slice(7)).matches)
    return dialog.current && hasTouch ? followTouch(dialog.current, () => latest.current) : undefined
  }, [dialog])
}

/** The first frame of an animation is its start, in which nothing can be seen yet, so opening begins one frame in. */
const atOnce = '-16ms'

const rise = keyframes({ from: { opacity: 0, transform: 'translateY(8px) scale(.97)' } })
const pull = keyframes({ from: { transform: 'translateY(100%)' } })
const push = keyframes({ to: { transform: 'translateY(100%)' } })

const look: CSSObject = {
  position: 'fixed',
  inset: 0,
  // Optically 2 % above the middle.
  insetBlockEnd: 'calc(round(4dvh,2px) + var(--_under,0px))',
  width: 'fit-content',
  maxWidth: '100%',
  height: 'fit-content',
  maxHeight: 'none',
  margin: 'auto',
  padding: 0,
  border: 0,
  overflow: 'visible',
  background: 'none',
  color: 'inherit',
  fontFamily: 'inherit',
  outline: 'none',
  animation: `${rise} ${motion.slow} ${motion.easeOut} ${atOnce}`,
  '&::backdrop': {
    background: color('scrim'),
    animation: `${fadeIn} ${motion.slow} ${motion.easeOut} ${atOnce}`,
  },
  [media.drawer]: {
    width: '100%',
    insetBlockEnd: 'var(--_under,0px)',
    marginBlockEnd: 0,
    animation: `${pull} ${motion.drawer} ${motion.easeOut} ${atOnce}`,
  },
  [media.reduced]: { '&&': { animation: `${fadeIn} 80ms ${atOnce}` } },
}
const out: CSSObject = {
  pointerEvents: 'none',
  animation: `${fadeOut} ${motion.base} ${motion.easeIn} forwards`,
  '&::backdrop': { animation: `${fadeOut} ${motion.base} ${motion.easeIn} forwards` },
  [media.drawer]: { animation: `${push} 220ms ${motion.easeIn} forwards` },
  [media.reduced]: { '&&': { animation: `${fadeOut} 80ms forwards` } },
}
