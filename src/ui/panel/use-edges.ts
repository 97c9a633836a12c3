import type { CSSObject } from '@emotion/react'
import { type RefObject, useLayoutEffect, useRef } from 'react'

/** What {@link useEdges} has seen. */
export interface Edges {
  scrolled: boolean
  /** Nothing but the padding is below what can be seen. */
  atEnd: boolean
}

/**
 * Watches a scrolling box: fades its ends where something is hidden, lets the keyboard scroll it if nothing
 * inside can take the focus, and reports each change to `watch`.
 */
export function useEdges(
  box: RefObject<HTMLElement | null>,
  watch?: (edges: Edges, box: HTMLElement) => void,
) {
  const latestWatch = useRef(watch)
  useLayoutEffect(() => {
    latestWatch.current = watch
  })
  useLayoutEffect(() => {
    const el = box.current
    if (!el) return
    // Most boxes hide nothing, and a property that is written makes the browser work out the styles inside again.
    const fade = (end: '--_t' | '--_b', hides: boolean) =>
      hides ? el.style.setProperty(end, '12px') : el.style.removeProperty(end)
    const update = () => {
      // Not visible yet: a dialog is shown a moment later.
      if (!el.clientHeight) return
      const scrolled = el.scrollTop > 0
      const below = el.scrollHeight - el.clientHeight - el.scrollTop
      const atEnd = below < 2 || below < 2 + paddingBelow(el)
      fade('--_t', scrolled)
      fade('--_b', !atEnd)
      const stuck = el.scrollHeight - el.clientHeight > 1 && !el.querySelector('a[href],button,input')
      if (stuck) el.tabIndex = 0
      else el.removeAttribute('tabindex')
      latestWatch.current?.({ scrolled, atEnd }, el)
    }
    // It also reports the first sizes, before anything is painted: measuring here would lay the page out once more.
    const sizes = new ResizeObserver(update)
    for (const watched of [el, ...el.children]) sizes.observe(watched)
    el.addEventListener('scroll', update, { passive: true })
    return () => {
      sizes.disconnect()
      el.removeEventListener('scroll', update)
    }
  }, [box])
}

/** Nobody misses it, so nothing has to be scrolled for it. */
const paddingBelow = (box: HTMLElement) => Number.parseFloat(getComputedStyle(box).paddingBlockEnd)

/** The look of a box whose ends fade over 12 px. */
export const faded: CSSObject = {
  '--_t': '0px',
  '--_b': '0px',
  overflowY: 'auto',
  overscrollBehavior: 'contain',
  scrollbarWidth: 'thin',
  maskImage: 'linear-gradient(#0000,#000 var(--_t),#000 calc(100% - var(--_b)),#0000)',
}
