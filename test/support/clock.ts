import type { Clock } from '../../src/lib/clock.ts'

/** A clock that stands still until a test moves it. */
export interface TestClock extends Clock {
  /** Moves time on by `ms`, waking sleepers in their order and letting what they do run in between. */
  advance(ms: number): Promise<void>
  /** The same all at once, as for a computer that was asleep: whoever should have been woken meanwhile is woken at the end. */
  leap(ms: number): Promise<void>
  readonly sleeping: number
}

interface Sleeper {
  at: number
  wake(): void
}

export function testClock(start = Date.UTC(2026, 0, 1)): TestClock {
  let now = start
  const sleepers = new Set<Sleeper>()
  return {
    now: () => now,
    get sleeping() {
      return sleepers.size
    },
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const stop = () => {
          sleepers.delete(sleeper)
          reject(signal?.reason)
        }
        const sleeper = {
          at: now + ms,
          wake() {
            signal?.removeEventListener('abort', stop)
            resolve()
          },
        }
        sleepers.add(sleeper)
        signal?.addEventListener('abort', stop, { once: true })
      }),
    async leap(ms) {
      now += ms
      await this.advance(0)
    },
    async advance(ms) {
      const until = now + ms
      await settled()
      for (;;) {
        const next = [...sleepers].filter((each) => each.at <= until).sort((a, b) => a.at - b.at)[0]
        if (!next) break
        now = Math.max(now, next.at)
        sleepers.delete(next)
        next.wake()
        await settled()
      }
      now = until
      await settled()
    },
  }
}

/** Lets everything run that only waits for promises. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 8; turn++) await new Promise((resolve) => setImmediate(resolve))
}
