/** Runs `work` once for all who ask while it runs; the next call after its end starts anew. */
export function singleFlight<A extends unknown[], T>(
  work: (...args: A) => Promise<T>,
): (...args: A) => Promise<T> {
  let flying: Promise<T> | undefined
  return (...args) => {
    flying ??= work(...args).finally(() => {
      flying = undefined
    })
    return flying
  }
}

/**
 * Runs `work` once at a time. Whoever asks while it runs shares one more run, which begins after that: it sees what
 * was so when they asked.
 */
export function onceMore<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  let next: Promise<T> | undefined
  const start = () => {
    running = work().finally(() => {
      running = undefined
    })
    return running
  }
  return () => {
    if (!running) return start()
    next ??= running
      .catch(() => {})
      .then(() => {
        next = undefined
        return start()
      })
    return next
  }
}
