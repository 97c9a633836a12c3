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
