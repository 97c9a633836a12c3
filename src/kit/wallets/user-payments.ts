import { lazily } from '../../errors/lazily.ts'
import type { Payments, PaymentsContext } from '../../x402/payments.ts'
import type { KitContext } from '../context.ts'
import { serviceFeatures } from '../services/features.ts'

/** Payments for requests of the user who is logged in, loaded once there are any. */
export interface UserPayments {
  get(): Promise<Payments>
  /** Goes on with payments that an earlier page has left unsettled. */
  resume(): void
  stop(): void
  /** Removes all of them from this browser. */
  clear(): void
}

interface UserPaymentsContext
  extends Pick<KitContext, 'storage' | 'clock' | 'services'>,
    Pick<PaymentsContext, 'activity' | 'nodeOf'> {
  /** The storage key. */
  readonly key: string
}

export function createUserPayments(cx: UserPaymentsContext): UserPayments {
  const { storage, key } = cx
  let isStopped = false
  let loaded: Payments | undefined

  const get = lazily(async () => {
    const { createPayments } = await serviceFeatures.payments()
    const { session } = await cx.services()
    loaded = createPayments({
      ...cx,
      now: session.serverNow,
      async serverTime() {
        // Each response says the time, and no cache has stored this one.
        await session.refreshUser()
        return session.serverNow()
      },
      exclusively: (work) => withLock(key, work),
    })
    if (isStopped) loaded.stop()
    else loaded.resume()
    return loaded
  })

  return {
    get,
    resume() {
      if (storage.get(key) !== undefined) get().catch(() => {})
    },
    stop() {
      isStopped = true
      loaded?.stop()
    },
    clear: () => storage.remove(key),
  }
}

/** One tab at a time changes what was spent. Without locks a change is made in one go, between which no other tab writes. */
async function withLock<T>(name: string, work: () => Promise<T>): Promise<T> {
  const locks = globalThis.navigator?.locks
  return locks ? await locks.request(name, work) : await work()
}
