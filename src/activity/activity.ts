/** Transactions that the user's wallets sent from this browser, newest first; they survive a reload and are shared by its tabs. */
import * as v from 'valibot'
import type { Storage } from '../lib/storage.ts'
import { createStore, type Readable } from '../lib/store.ts'
import type { ActivityChange, ActivityEntry, ActivityId } from './entry.ts'
import { activityLimits } from './limits.ts'

/** The signed bytes of the largest request that a wallet takes fit. */
const text = v.pipe(v.string(), v.maxLength(activityLimits.rawLength))
const units = v.pipe(v.string(), v.regex(/^\d{1,78}$/))
/** A word, because it becomes a part of the explorer's address. */
const hashText = v.pipe(v.string(), v.regex(/^[\w-]{1,128}$/))
const title = v.picklist([
  'transfer',
  'approve',
  'revoke',
  'deploy',
  'call',
  'cancel',
  'add-code',
  'remove-code',
])
const asset = v.object({
  symbol: v.pipe(v.string(), v.maxLength(32)),
  decimals: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(36)),
})
const entry = v.object({
  /** CAIP-2: `eip155:1`, `solana:mainnet`. */
  chain: v.pipe(v.string(), v.maxLength(64)),
  /** The address of the wallet that sent it. */
  wallet: v.pipe(v.string(), v.maxLength(64)),
  /** The transaction's hash, or its first signature on Solana. */
  hash: hashText,
  /** What it does, as its review was titled. `cancel` sends nothing and takes the nonce of another one. */
  title,
  /** The recipient or contract. */
  to: v.optional(v.pipe(v.string(), v.maxLength(64))),
  /** The amount of `asset` that leaves, in its smallest units, decimal. */
  amount: v.optional(units),
  asset: v.optional(asset),
  /** Milliseconds since 1970. */
  sentAt: v.pipe(v.number(), v.minValue(0), v.maxValue(activityLimits.lastMoment)),
  status: v.picklist(['pending', 'confirmed', 'failed', 'replaced', 'dropped', 'expired', 'unknown']),
  /** The hash that was mined in its place. */
  replacedBy: v.optional(hashText),
  /** The block or slot of the receipt. */
  block: v.optional(units),
  /** The fee that the network took, in the chain's smallest unit. */
  fee: v.optional(units),
  /** Why it failed, in the words of the network. */
  reason: v.optional(v.pipe(v.string(), v.maxLength(300))),
  /** The signed bytes and the fields by which it is followed after a reload. */
  raw: v.optional(text),
  nonce: v.optional(units),
  lastValidBlockHeight: v.optional(units),
  operation: v.optional(
    v.object({ entryPoint: v.pipe(v.string(), v.regex(/^0x[\da-f]{40}$/i)), block: units }),
  ),
  transactionHash: v.optional(hashText),
})

/** Reads an entry, as other stores that have entries in them do. */
export const activityEntry: v.GenericSchema<unknown, ActivityEntry> = entry

/** Reads a call that a transaction carries beside others. */
export const callSummary = v.object({ title, amount: v.optional(units), asset: v.optional(asset) })

/** Stores what was sent, per user. */
export interface ActivityStore {
  readonly entries: Readable<readonly ActivityEntry[]>
  /** Writes an entry before it is broadcast. The same bytes that are sent once more have the entry that they had. */
  add(entry: ActivityEntry): void
  update(id: ActivityId, change: ActivityChange): void
  /** Removes what the network has refused for certain. */
  remove(id: ActivityId): void
  /** Reads the entries again, as after a change in another tab. */
  reload(): void
  /** Removes all of them from this browser. */
  clear(): void
}

/** Whether two name the same transaction. */
export const isSame = (one: ActivityId, other: ActivityId): boolean =>
  one.chain === other.chain && one.hash === other.hash

/** Whether the network may still decide. */
export const isUndecided = ({ status }: Pick<ActivityEntry, 'status'>): boolean =>
  status === 'pending' || status === 'unknown'

/** Whether two compete for one nonce, of which the network confirms one at most. */
export const isRival = (one: ActivityEntry, other: ActivityEntry): boolean =>
  one.nonce !== undefined &&
  one.nonce === other.nonce &&
  one.chain === other.chain &&
  one.wallet === other.wallet &&
  one.hash !== other.hash

/** @param key the storage key of one user's entries in one app */
export function createActivityStore(storage: Storage, key: string): ActivityStore {
  const entries = createStore<readonly ActivityEntry[]>(read(storage.get(key)))

  function change(next: (now: readonly ActivityEntry[]) => readonly ActivityEntry[]): void {
    // Another tab may have written since this one read.
    const list = bounded(next(read(storage.get(key))))
    storage.set(key, JSON.stringify(list))
    entries.set(list)
  }

  return {
    entries,
    add: (added) => change((now) => (now.some((each) => isSame(each, added)) ? now : [added, ...now])),
    update: (id, changes) =>
      change((now) => now.map((each) => (isSame(each, id) ? { ...each, ...changes } : each))),
    remove: (id) => change((now) => now.filter((each) => !isSame(each, id))),
    reload: () => entries.set(read(storage.get(key))),
    clear() {
      storage.remove(key)
      entries.set([])
    },
  }
}

/** Forgets the oldest of those that the network has decided about, and one that it hasn't only where there are no others. */
function bounded(list: readonly ActivityEntry[]): readonly ActivityEntry[] {
  const stored = [...list]
  const isOver = () =>
    stored.length > activityLimits.entries || JSON.stringify(stored).length > activityLimits.size
  while (stored.length > 1 && isOver()) {
    const oldest = stored.map(isUndecided).lastIndexOf(false)
    stored.splice(oldest < 0 ? -1 : oldest, 1)
  }
  return stored
}

/** Entries that can't be read, as another version may have written them, are left out, and so are repeated ones. */
function read(stored: string | undefined): readonly ActivityEntry[] {
  if (stored === undefined) return []
  try {
    const list: unknown = JSON.parse(stored)
    if (!Array.isArray(list)) return []
    const entries = new Map<string, ActivityEntry>()
    for (const each of list) {
      const parsed = v.safeParse(entry, each)
      if (!parsed.success) continue
      const name = `${parsed.output.chain} ${parsed.output.hash}`
      if (!entries.has(name)) entries.set(name, parsed.output)
    }
    return bounded([...entries.values()])
  } catch {
    return []
  }
}
