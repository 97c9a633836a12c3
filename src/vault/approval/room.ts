import type { ApprovalLook } from '../../protocol/frame/approval.ts'
import { canTellVisibility } from '../entry/visibility.ts'
import { vaultLimits } from '../limits.ts'
import type { WindowAbout } from './window/about.ts'

/** The part of a window that says how large it is painted. */
export type Room = Pick<Window, 'innerWidth' | 'innerHeight' | 'devicePixelRatio'>

/**
 * The factor of the text that is drawn: the page's own, or as much more as the smallest text needs to be legible. A page can zoom
 * its frame and scale its text, and only their product decides what a person can read.
 */
export function legibleScale(
  { devicePixelRatio }: Room,
  { textScale }: Pick<ApprovalLook, 'textScale'>,
): number {
  const needed = vaultLimits.leastTextPixels / (vaultLimits.leastTextSize * devicePixelRatio)
  return Math.max(textScale, Math.min(needed, vaultLimits.raisedTextScale))
}

/** Whether a person can read a request in a frame of this size. */
export function hasRoomToRead(room: Room, look: Pick<ApprovalLook, 'textScale'>): boolean {
  const pixels = vaultLimits.leastTextSize * legibleScale(room, look) * room.devicePixelRatio
  return (
    room.innerWidth >= vaultLimits.leastWidth &&
    room.innerHeight >= vaultLimits.leastHeight &&
    // A sum of factors may end a little below.
    pixels >= vaultLimits.leastTextPixels - 0.01
  )
}

/** Why even what is harmless is not approved in a frame of this size in this browser, if so. */
export function reasonForWindow(
  room: Room,
  look: Pick<ApprovalLook, 'textScale'>,
): WindowAbout['because'] | undefined {
  if (!canTellVisibility()) return 'browser'
  return hasRoomToRead(room, look) ? undefined : 'room'
}
