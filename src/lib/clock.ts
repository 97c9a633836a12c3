import { onAbort } from './abort.ts'

/** Services and flows wait through a clock, so that tests never have to. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Resolves after `ms` milliseconds; rejects at once with the signal's reason when it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const timer = setTimeout(() => {
        stop?.()
        resolve()
      }, ms)
      const stop =
        signal &&
        onAbort(signal, () => {
          clearTimeout(timer)
          reject(signal.reason)
        })
    }),
}

/** The time at a server, learned from its responses: the device's own clock may be hours off. */
export interface ServerClock {
  /** Learns from the headers of a response that no cache has stored. */
  learn(headers: Headers): void
  /** Milliseconds by which the server's clock is ahead of this device's; `undefined` before the first response. */
  ahead(): number | undefined
}
export function createServerClock(clock: Pick<Clock, 'now'>): ServerClock {
  let ahead: number | undefined
  return {
    learn(headers) {
      const date = Date.parse(headers.get('date') ?? '')
      if (!Number.isNaN(date)) ahead = date - clock.now()
    },
    ahead: () => ahead,
  }
}

/** Thrown by {@link within} when the time is up. */
export class TimedOut extends Error {
  override name = 'TimedOut'
}

/**
 * Runs `work` for at most `ms` milliseconds; its signal is aborted when the time is up or `signal` is
 * aborted. Throws {@link TimedOut}, or the reason of `signal`, even if `work` ignores its own signal.
 */
export async function within<T>(
  clock: Clock,
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const own = new AbortController()
  const stopTimer = new AbortController()
  if (signal?.aborted) throw signal.reason
  const stopFollowing = signal && onAbort(signal, () => own.abort(signal.reason))
  const aborted = new Promise<never>((_, reject) =>
    own.signal.addEventListener('abort', () => reject(own.signal.reason), { once: true }),
  )
  clock.sleep(ms, stopTimer.signal).then(
    () => own.abort(new TimedOut(`Not done within ${ms} ms`)),
    () => {},
  )
  try {
    return await Promise.race([work(own.signal), aborted])
  } finally {
    stopTimer.abort()
    stopFollowing?.()
  }
}
