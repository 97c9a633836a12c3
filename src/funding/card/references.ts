import * as v from 'valibot'
import type { Storage } from '../../lib/storage.ts'
import { fundingLimits } from '../limits.ts'

/** Names of purchases that were begun, stored before the server is asked: a lost answer, a reload or another tab finds the same one. */
export interface References {
  /** The reference for this order, the same for all attempts until it is forgotten. */
  of(order: string): string
  /** Notes which purchase the order became. */
  note(order: string, purchase: string): void
  /** Forgets an order, or the one that became this purchase: the next one is another purchase. */
  forget(which: { readonly order: string } | { readonly purchase: string }): void
}

const entry = v.object({
  user: v.string(),
  order: v.pipe(v.string(), v.maxLength(512)),
  reference: v.pipe(v.string(), v.uuid()),
  purchase: v.optional(v.pipe(v.string(), v.maxLength(128))),
  at: v.number(),
})
type Entry = v.InferOutput<typeof entry>

/** @param user their purchases alone are found */
export function createReferences({
  storage,
  key,
  user,
  now,
}: {
  readonly storage: Storage
  readonly key: string
  readonly user: string
  readonly now: () => number
}): References {
  function read(): readonly Entry[] {
    try {
      const list: unknown = JSON.parse(storage.get(key) ?? '[]')
      if (!Array.isArray(list)) return []
      return list.flatMap((each) => {
        const parsed = v.safeParse(entry, each)
        const isGood =
          parsed.success &&
          parsed.output.user === user &&
          Math.abs(now() - parsed.output.at) < fundingLimits.unpaidOffered
        return isGood ? parsed.output : []
      })
    } catch {
      return []
    }
  }
  const write = (list: readonly Entry[]) =>
    list.length === 0
      ? storage.remove(key)
      : storage.set(key, JSON.stringify(list.slice(0, fundingLimits.references)))

  return {
    of(order) {
      const list = read()
      const known = list.find((each) => each.order === order)
      if (known) return known.reference
      const reference = crypto.randomUUID()
      write([{ user, order, reference, at: now() }, ...list])
      return reference
    },
    note: (order, purchase) =>
      write(read().map((each) => (each.order === order ? { ...each, purchase } : each))),
    forget: (which) =>
      write(
        read().filter((each) =>
          'order' in which ? each.order !== which.order : each.purchase !== which.purchase,
        ),
      ),
  }
}
