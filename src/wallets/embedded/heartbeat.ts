import type { Clock } from '../../lib/clock.ts'
import { walletsLimits } from '../limits.ts'

/** Notices that a frame has died, which sends no event. */
export interface Heartbeat {
  /** The frame has said something. */
  heard(): void
  /**
   * Calls `beat`, which the frame is to answer, again and again while `isAwaited`. Resolves when the frame is dead.
   */
  untilDead(beat: () => void, isAwaited?: () => boolean): Promise<void>
}

/**
 * It counts beats without an answer and not the time since the last one: a computer that slept has asked nothing meanwhile, and in a
 * page that is out of sight for some minutes browsers wake a timer once a minute only.
 */
export function createHeartbeat(clock: Clock, signal: AbortSignal): Heartbeat {
  let unanswered = 0
  return {
    heard() {
      unanswered = 0
    },
    async untilDead(beat, isAwaited = () => true) {
      for (;;) {
        await clock.sleep(walletsLimits.vaultHeartbeatEvery, signal)
        if (!isAwaited()) unanswered = 0
        else if (unanswered >= walletsLimits.vaultHeartbeatsMissed) return
        else {
          unanswered++
          beat()
        }
      }
    },
  }
}
