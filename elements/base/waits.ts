/** Resolves when the parser has finished, so that later elements of the page count as well. */
export async function pageParsed(): Promise<void> {
  if (document.readyState === 'loading')
    await new Promise((resolve) => document.addEventListener('DOMContentLoaded', resolve, { once: true }))
  await new Promise((resolve) => setTimeout(resolve))
}

/** Calls `then` when the signal is aborted, or now if it already is; returns a function that cancels it. */
export function onAbort(signal: AbortSignal | undefined, then: () => void): () => void {
  if (signal?.aborted) then()
  signal?.addEventListener('abort', then, { once: true })
  return () => signal?.removeEventListener('abort', then)
}

/** The result of `work`, unless the signal is aborted first; then throws the signal's reason. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = onAbort(signal, () => reject(signal.reason))
    work.then(resolve, reject).finally(stop)
  })
}
