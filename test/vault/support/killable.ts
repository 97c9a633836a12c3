import type { Fetch } from '../../../src/lib/retrying-fetch.ts'
import { pageLocks } from '../../../src/vault/shares/locks.ts'
import type { Store } from '../../../src/vault/shares/store.ts'
import { apiUrl } from './backend.ts'
import { keysOf, openTab, person } from './device.ts'

/** Counts steps, and says which one is the last. */
function countdown(steps: number) {
  let left = steps
  let taken = 0
  return {
    get taken() {
      return taken
    },
    isLast() {
      taken++
      return left-- <= 0
    },
  }
}

/**
 * A tab that is killed at its n-th step, a step being the moment before or after each access to storage or network:
 * from then on nothing that it started has any effect. `died` resolves at that moment.
 */
export function killableTab(
  world: { fetch: Fetch; store: Store; token: string },
  steps = Number.POSITIVE_INFINITY,
) {
  const count = countdown(steps)
  let resolveDied = () => {}
  const died = new Promise<'killed'>((resolve) => {
    resolveDied = () => resolve('killed')
  })
  const step = async () => {
    if (!count.isLast()) return
    resolveDied()
    await new Promise(() => {})
  }
  const interruptible =
    <A extends unknown[], T>(work: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      await step()
      const result = await work(...args)
      await step()
      return result
    }
  const { list, put, remove } = world.store
  const vault = openTab(
    { fetch: interruptible(world.fetch) },
    {
      locks: pageLocks(),
      store: { list: interruptible(list), put: interruptible(put), remove: interruptible(remove) },
      keys: { keyOf: interruptible(keysOf(world.store).keyOf) },
    },
  )
  return { me: person(vault, world.token), died, steps: () => count.taken }
}

/**
 * A server that is killed at its n-th step, a step being the moment before or after it does the work of one call. It
 * is back at once and has forgotten what it answered, or it stays away, until the test is done with this tab.
 */
export function killableServer(
  world: { fetch: Fetch; store: Store; token: string },
  steps = Number.POSITIVE_INFINITY,
  { comesBack = false }: { comesBack?: boolean } = {},
) {
  const count = countdown(steps)
  let dead = false
  const reset = () => {
    dead = true
    throw new TypeError('connection reset')
  }
  const fetch: Fetch = async (input, init = {}) => {
    if (!input.startsWith(apiUrl)) return world.fetch(input, init)
    if (dead && !comesBack) throw new TypeError('connection refused')
    const headers = new Headers(init.headers)
    // The one that was killed had not noted the answer, and the one after it does the work again.
    if (dead) headers.set('idempotency-key', crypto.randomUUID())
    if (!dead && count.isLast()) reset()
    const answer = await world.fetch(input, { ...init, headers })
    if (!dead && count.isLast()) reset()
    return answer
  }
  const vault = openTab({ fetch }, { locks: pageLocks(), store: world.store })
  return { me: person(vault, world.token), died: new Promise<never>(() => {}), steps: () => count.taken }
}
