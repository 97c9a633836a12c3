import { vaultLimits } from '../limits.ts'

/** What is known of the pointers over a frame. */
export interface Pointers {
  /**
   * Whether the pointer has been over the frame for less than a second. Without a pointer: whether one that hovers has.
   */
  isNew(pointer?: PointerEvent): boolean
}

export interface PointersOptions {
  now(): number
  /** The frame has another place on the screen. */
  moved(): void
  /** A pointer has come or gone. */
  changed(): void
  readonly signal: AbortSignal
}

/** What tells where a pointer is. */
const sightings = ['pointerover', 'pointermove', 'pointerdown', 'pointerup'] as const
/** CSS pixels on the screen that one of the frame can be, as people zoom their pages. */
const zoom = { least: 0.2, most: 6 }

interface Visit {
  readonly enteredAt: number
  latest: PointerEvent
}

/**
 * Follows the pointers over a frame. A frame of another origin can learn of its own moves in no other way than by a pointer that
 * changes its place in the frame otherwise than on the screen, and not even so if none was over it: a pointer therefore counts as
 * new until it has been there for a second. Moves that no pointer is there to tell of are the browser's to watch for.
 *
 * Fingers are nowhere before they touch and after it. All of them are one pointer, which comes with the first touch and stays, so
 * the first touch brings it there and a later one may press.
 */
export function watchPointers(window: Window, { now, moved, changed, signal }: PointersOptions): Pointers {
  const visits = new Map<number | string, Visit>()
  const isYoung = (visit: Visit | undefined) =>
    !visit || now() - visit.enteredAt < vaultLimits.quietBeforePress
  const hear = (type: string, on: EventTarget, heard: (event: PointerEvent) => void) =>
    on.addEventListener(type, (event) => event.isTrusted && heard(event as PointerEvent), {
      capture: true,
      passive: true,
      signal,
    })
  for (const sighting of sightings)
    hear(sighting, window, (event) => {
      const visit = visits.get(nameOf(event))
      if (!visit) {
        visits.set(nameOf(event), { enteredAt: now(), latest: event })
        changed()
        return
      }
      const before = visit.latest
      visit.latest = event
      if (!isSamePlace(before, event)) moved()
    })
  const left = (event: PointerEvent) => {
    if (!hovers(event) || event.relatedTarget) return
    visits.delete(nameOf(event))
    changed()
  }
  hear('pointerout', window, left)
  return {
    isNew(pointer) {
      if (pointer) return isYoung(visits.get(nameOf(pointer)))
      return [...visits.values()].some((visit) => hovers(visit.latest) && isYoung(visit))
    },
  }
}

/** Of pens, some are seen before they touch and some aren't. */
const hovers = ({ pointerType }: PointerEvent) => pointerType === 'mouse'
const nameOf = (event: PointerEvent) => (hovers(event) ? event.pointerId : 'touch')

/** Whether the frame can have stayed where it was: the pointer has moved in it as far as on the screen, at some zoom. */
export function isSamePlace(before: Place, after: Place): boolean {
  const screen = { x: after.screenX - before.screenX, y: after.screenY - before.screenY }
  const client = { x: after.clientX - before.clientX, y: after.clientY - before.clientY }
  const length = client.x ** 2 + client.y ** 2
  if (length === 0) return Math.hypot(screen.x, screen.y) <= vaultLimits.placeSlack
  const fitting = (screen.x * client.x + screen.y * client.y) / length
  const scale = Math.min(zoom.most, Math.max(zoom.least, fitting))
  return (
    Math.hypot(screen.x - scale * client.x, screen.y - scale * client.y) <=
    vaultLimits.placeSlack * Math.max(1, scale)
  )
}
type Place = Pick<PointerEvent, 'screenX' | 'screenY' | 'clientX' | 'clientY'>
