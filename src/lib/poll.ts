import type { Clock } from './clock.ts'

/**
 * Calls `ask` at once and then every `every` milliseconds, at most `tries` times. Resolves with the first
 * answer that is not `undefined`, or with `undefined` when the tries are used up. Rejects when `ask` throws
 * or the signal is aborted.
 */
export async function poll<T>(
  clock: Clock,
  { every, tries, signal }: { every: number; tries: number; signal?: AbortSignal },
  ask: () => T | undefined | Promise<T | undefined>,
): Promise<T | undefined> {
  for (let left = tries; left > 0; left--) {
    const answer = await ask()
    if (answer !== undefined) return answer
    if (left > 1) await clock.sleep(every, signal)
  }
  return undefined
}
