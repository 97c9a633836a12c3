/** Runs `work` once for all who call while it runs; a call after its end starts it again. */
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
