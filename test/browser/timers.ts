/** Lets no timer that has begun from now on fire before `end`, which runs those that nobody has cleared. */
export function holdTimers(): { end(): void } {
  const { setTimeout, clearTimeout } = window
  const held = new Map<number, () => void>()
  let last = 1_000_000_000
  window.setTimeout = ((run: () => void, delay = 0, ...rest: unknown[]) => {
    if (delay < 50) return setTimeout(run, delay, ...rest)
    held.set(++last, () => run())
    return last
  }) as typeof window.setTimeout
  window.clearTimeout = (id) => {
    if (!held.delete(Number(id))) clearTimeout(id)
  }
  return {
    end() {
      Object.assign(window, { setTimeout, clearTimeout })
      for (const run of held.values()) run()
    },
  }
}
