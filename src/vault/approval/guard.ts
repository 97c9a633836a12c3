import { bounds } from '../bounds.ts'
import { canTellSight, watchSight } from '../entry/sight.ts'

/** Decides whether a press can have been meant for what a person sees. */
export interface Guard {
  /** What is shown has changed. */
  restart(): void
  /** Whether what is shown now has been in sight, unchanged and in its place, for half a second. */
  allows(): boolean
  stop(): void
}

/** What people do to a page. None of it counts if a script has done it. */
const acts = [
  'click',
  'pointerdown',
  'pointerup',
  'mousedown',
  'mouseup',
  'keydown',
  'keyup',
  'input',
  'change',
  'submit',
]

/**
 * Watches over everything that is drawn in `target`: what a script does there is kept from it. A frame can be covered by the page around
 * it, so there the browser has to confirm that all of `target` can be seen.
 */
export function createGuard(window: Window, target: Element, place: 'frame' | 'window'): Guard {
  const over = new AbortController()
  const { signal } = over
  const sight = place === 'frame' ? watchSight([target]) : undefined
  let since = performance.now()
  const restart = () => {
    since = performance.now()
  }
  for (const act of acts)
    window.addEventListener(
      act,
      (event) => {
        if (event.isTrusted) return
        event.preventDefault()
        event.stopImmediatePropagation()
      },
      { capture: true, signal },
    )
  window.addEventListener('resize', restart, { signal })
  // Another window may have lain over this one until the press that was meant for it.
  if (place === 'window') window.addEventListener('focus', restart, { signal })
  return {
    restart,
    allows() {
      if (performance.now() - since < bounds.sightBeforePress) return false
      if (sight === undefined) return true
      return window.devicePixelRatio >= bounds.legiblePixels && canTellSight() && sight.seen(target)
    },
    stop() {
      over.abort()
      sight?.stop()
    },
  }
}
