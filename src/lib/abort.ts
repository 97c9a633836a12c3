interface Followers {
  readonly all: Set<() => void>
  readonly notify: () => void
}
const following = new WeakMap<AbortSignal, Followers>()

/**
 * Calls `then` once the signal is aborted, or now if it already is. All callers of a signal share one listener, which goes with the last
 * of them: a dozen requests on one signal are no leak, and Node would warn of one.
 * @returns a function that stops it
 */
export function onAbort(signal: AbortSignal, then: () => void): () => void {
  if (signal.aborted) {
    then()
    return () => {}
  }
  const { all, notify } = following.get(signal) ?? follow(signal)
  // A caller may give the same function twice.
  const own = () => then()
  all.add(own)
  return () => {
    if (!all.delete(own) || all.size > 0) return
    signal.removeEventListener('abort', notify)
    following.delete(signal)
  }
}

function follow(signal: AbortSignal): Followers {
  const all = new Set<() => void>()
  const notify = () => {
    for (const each of all) each()
  }
  signal.addEventListener('abort', notify, { once: true })
  const followers = { all, notify }
  following.set(signal, followers)
  return followers
}

/**
 * Waits for shared work until the caller's signal is aborted: then rejects with its reason, while the work
 * goes on.
 */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work
  return new Promise((resolve, reject) => {
    const stop = onAbort(signal, () => reject(signal.reason))
    work.then(resolve, reject).finally(stop)
  })
}
