/** Follows what was sent until the network has decided, whether or not a dialog is open. */
import { type ActivityStore, isRival, isSame, isUndecided } from './activity.ts'
import type { ActivityChange, ActivityEntry, ActivityId } from './entry.ts'

/** A change of a transaction's state; `receipt` is the network's own, with which a host gets it. */
export interface Followed {
  readonly change: ActivityChange
  readonly receipt?: unknown
}
/** A transaction that the network has decided about. */
export interface Settled {
  readonly entry: ActivityEntry
  /** Absent where it was decided before this page was loaded. */
  readonly receipt?: unknown
}

/**
 * Follows one transaction. Yields whenever the network says something new, and ends after a status other than `pending` or
 * `unknown`, or when the signal is aborted. Never throws for a network that doesn't answer.
 */
export type Follow = (entry: ActivityEntry, signal: AbortSignal) => AsyncIterable<Followed>

export interface Tracker {
  /** Follows every undecided entry that isn't followed yet, as after a reload. */
  start(): void
  /** Resolves once the network has decided. Rejects with the signal's reason, and once the entry is gone, as after a logout. */
  settled(id: ActivityId, signal?: AbortSignal): Promise<Settled>
  /** Stops following; the entries stay. */
  stop(): void
}

/** Whether it could still be confirmed if nothing else took its nonce. */
const isOpen = (entry: Pick<ActivityEntry, 'status'>): boolean =>
  isUndecided(entry) || entry.status === 'dropped'

export function createTracker(store: ActivityStore, follow: Follow): Tracker {
  const ending = new AbortController()
  const followed = new Set<string>()
  const receipts = new Map<string, unknown>()
  /** Checks of the calls of `settled` that haven't resolved. */
  const checks = new Set<() => void>()
  const nameOf = ({ chain, hash }: ActivityId) => `${chain} ${hash}`

  async function run(entry: ActivityEntry): Promise<void> {
    const name = nameOf(entry)
    if (followed.has(name)) return
    followed.add(name)
    try {
      for await (const { change, receipt } of follow(entry, ending.signal)) {
        if (ending.signal.aborted) return
        if (receipt !== undefined) receipts.set(name, receipt)
        store.update(entry, change)
        updateRivals(entry, change)
      }
    } catch {
      // What can't be followed now is followed again with the next start.
    } finally {
      followed.delete(name)
      if (!ending.signal.aborted) for (const check of [...checks]) check()
    }
  }

  /** Another tab may see the decision first; its receipt comes to this one only from the network. */
  const isReceiptDue = (entry: ActivityEntry): boolean =>
    (entry.status === 'confirmed' || entry.status === 'failed') &&
    followed.has(nameOf(entry)) &&
    !receipts.has(nameOf(entry))

  /** Decides about the others of a nonce, which a node may no longer know. A reorganisation opens that again. */
  function updateRivals(entry: ActivityEntry, { status }: ActivityChange): void {
    for (const rival of store.entries.get()) {
      if (!isRival(rival, entry)) continue
      if ((status === 'confirmed' || status === 'failed') && isOpen(rival))
        store.update(rival, { status: 'replaced', replacedBy: entry.hash })
      if (status === 'pending' && rival.replacedBy === entry.hash)
        store.update(rival, { status: 'pending', replacedBy: undefined })
    }
    start()
  }

  function start(): void {
    for (const entry of store.entries.get()) if (isUndecided(entry)) void run(entry)
  }

  return {
    start,
    settled: (id, signal) =>
      new Promise((resolve, reject) => {
        const stop = () => {
          unsubscribe()
          checks.delete(check)
          signal?.removeEventListener('abort', onAbort)
        }
        const onAbort = () => {
          stop()
          reject(signal?.reason)
        }
        const check = () => {
          const entry = store.entries.get().find((each) => isSame(each, id))
          if (entry && (isUndecided(entry) || isReceiptDue(entry))) return
          stop()
          if (!entry) return reject(new DOMException('The transaction is followed no longer', 'AbortError'))
          const receipt = receipts.get(nameOf(id))
          resolve({ entry, ...(receipt !== undefined && { receipt }) })
        }
        const unsubscribe = store.entries.subscribe(check)
        checks.add(check)
        signal?.addEventListener('abort', onAbort, { once: true })
        if (signal?.aborted) onAbort()
        start()
        check()
      }),
    stop: () => ending.abort(),
  }
}
