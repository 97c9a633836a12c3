import { watchVisibility } from '../entry/visibility.ts'
import { vaultLimits } from '../limits.ts'

/** Decides whether a press can have been meant for what a person sees. */
export interface Guard {
  /** What is shown has changed. */
  restart(): void
  /** Why a press now does not count, if it doesn't. */
  refusal(): Refusal | undefined
  stop(): void
}
/** `early`: what is shown has not been unchanged and in its place for half a second. `covered`: it has not been in full view. */
export type Refusal = 'early' | 'covered'

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
/** What tells where the pointer is. */
const sightings = ['pointerover', 'pointermove', 'pointerdown', 'pointerup'] as const

/**
 * Watches over everything that is drawn in `target`: what a script does there is kept from it. A frame can be covered or moved by the
 * page around it, so there the browser has to confirm that all of `target` can be seen
 * (where it can't, nothing is approved in a frame), and a pointer that is somewhere else in
 * the frame without having moved tells that the frame has.
 */
export function createGuard(window: Window, target: Element, place: 'frame' | 'window'): Guard {
  const over = new AbortController()
  const { signal } = over
  const visibility = place === 'frame' ? watchVisibility([target]) : undefined
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
  // The page was somewhere else until now.
  window.addEventListener('pageshow', restart, { signal })
  // Another window may have lain over this one until the press that was meant for it.
  if (place === 'window') window.addEventListener('focus', restart, { signal })
  watchPlace(window, restart, signal)
  return {
    restart,
    refusal() {
      if (performance.now() - since < vaultLimits.visibleBeforePress) return 'early'
      if (!visibility) return undefined
      const legible = window.devicePixelRatio >= vaultLimits.legiblePixels
      return legible && visibility.seen(target) ? undefined : 'covered'
    },
    stop() {
      over.abort()
      visibility?.stop()
    },
  }
}

/**
 * Calls back when a pointer that has kept its place on the screen is over another place of the page. A frame of another origin can
 * learn of its own moves in no other way; those that no pointer is there to tell of are the browser's to watch for.
 */
function watchPlace(window: Window, moved: () => void, signal: AbortSignal): void {
  const last = new Map<number, PointerEvent>()
  for (const sighting of sightings)
    window.addEventListener(
      sighting,
      (event) => {
        if (!event.isTrusted) return
        const before = last.get(event.pointerId)
        last.set(event.pointerId, event)
        if (!before || distance(before.screenX, before.screenY, event.screenX, event.screenY) > 1) return
        if (distance(before.clientX, before.clientY, event.clientX, event.clientY) > vaultLimits.placeSlack)
          moved()
      },
      { capture: true, passive: true, signal },
    )
}

const distance = (x: number, y: number, toX: number, toY: number) => Math.hypot(toX - x, toY - y)
