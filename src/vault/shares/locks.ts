import type { Clock } from '../../lib/clock.ts'
import { vaultLimits } from '../limits.ts'

/** Lets one piece of work of a name run at a time. */
export interface Locks {
  run<T>(name: string, work: () => Promise<T>): Promise<T>
}

/** Locks within this page. */
export function pageLocks(): Locks {
  const tails = new Map<string, Promise<unknown>>()
  return {
    run(name, work) {
      const turn = (tails.get(name) ?? Promise.resolve()).then(work, work)
      tails.set(name, turn)
      return turn
    },
  }
}

/**
 * Locks across the tabs of the vault's origin, by Web Locks where the browser has them. A caller that waits longer than
 * 8 s goes ahead: the server decides which wallet is the person's one, and locks only save it the work.
 */
export function tabLocks(manager: () => LockManager | undefined, clock: Clock): Locks {
  const page = pageLocks()
  return {
    run: (name, work) =>
      page.run(name, async () => {
        const release = await takeLock(manager, name, clock)
        try {
          return await work()
        } finally {
          release()
        }
      }),
  }
}

/** Resolves with the function that gives the lock back, at the latest after the wait. */
async function takeLock(
  manager: () => LockManager | undefined,
  name: string,
  clock: Clock,
): Promise<() => void> {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const stop = new AbortController()
  const granted = new Promise<void>((resolve) => {
    const asked = async () => {
      await manager()?.request(name, { signal: stop.signal }, () => {
        resolve()
        return held
      })
    }
    // Refused in a sandbox, or given up by us: either way nobody holds it for us, and we go ahead.
    asked().then(resolve, () => resolve())
  })
  const timer = new AbortController()
  clock.sleep(vaultLimits.lockWait, timer.signal).then(
    () => stop.abort(),
    () => {},
  )
  await Promise.race([granted, aborted(stop.signal)])
  timer.abort()
  return release
}

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
