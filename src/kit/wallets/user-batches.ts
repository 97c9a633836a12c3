import type { ActivityEntry } from '../../activity/entry.ts'
import { lazily } from '../../errors/lazily.ts'
import type { CallBatches } from '../../signing/calls/batches.ts'
import type { ActivityService } from '../../signing/transaction/outcome.ts'
import type { KitContext } from '../context.ts'
import { serviceFeatures } from '../services/features.ts'
import { withSpeedUps } from './speed-ups.ts'

/** Batches of the user who is logged in, loaded once there are any. */
export interface UserBatches {
  get(): Promise<CallBatches>
  /** The same if this browser has any. */
  stored(): Promise<CallBatches | undefined>
  /** Goes on with batches that an earlier page has left in the middle. */
  resume(): void
  stop(): void
  /** Removes all of them from this browser. */
  clear(): void
}

interface UserBatchesContext extends Pick<KitContext, 'storage' | 'clock' | 'page' | 'events'> {
  /** The storage key. */
  readonly key: string
  readonly activity: ActivityService
  submit(entry: ActivityEntry): Promise<void>
}

export function createUserBatches(cx: UserBatchesContext): UserBatches {
  const { storage, key, clock, activity, submit, events } = cx
  const { window } = cx.page
  let isStopped = false
  let loaded: CallBatches | undefined

  const get = lazily(async () => {
    const { createCallBatches } = await serviceFeatures.callBatches()
    loaded = createCallBatches({
      storage,
      key,
      clock,
      activity,
      submit,
      resolve: (settled) => withSpeedUps(activity, settled),
      onSubmitted: ({ hash, chain, wallet }) =>
        events.emit('submitted', { transactionHash: hash, chain, address: wallet }),
      exclusively: (name, work, signal) => withLock(`${key} ${name}`, work, signal),
    })
    if (isStopped) loaded.stop()
    else loaded.start()
    return loaded
  })

  /** Another tab may have sent calls, and may be closed in the middle. */
  const onStorage = (event: Event) => {
    if ((event as StorageEvent).key !== key || isStopped) return
    get()
      .then((batches) => batches.reload())
      // The next change is followed, or the next page goes on.
      .catch(() => {})
  }
  if ('addEventListener' in window) window.addEventListener('storage', onStorage)

  return {
    get,
    stored: async () => (storage.get(key) === undefined ? undefined : get()),
    resume() {
      if (storage.get(key) !== undefined) get().catch(() => {})
    },
    stop() {
      isStopped = true
      loaded?.stop()
      if ('removeEventListener' in window) window.removeEventListener('storage', onStorage)
    },
    clear() {
      storage.remove(key)
      loaded?.clear()
    },
  }
}

/** One tab at a time sends a batch. Without locks several may: each gives the network the same bytes, which it takes once. */
async function withLock(name: string, work: () => Promise<void>, signal: AbortSignal): Promise<void> {
  const locks = globalThis.navigator?.locks
  if (locks) await locks.request(name, { signal }, work)
  else await work()
}
