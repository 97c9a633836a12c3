/** Batches of calls that the user has approved in this browser, newest first; they survive a reload and are shared by its tabs. */
import * as v from 'valibot'
import { activityEntry, callSummary } from '../../activity/activity.ts'
import type { Storage } from '../../lib/storage.ts'
import { createStore, type Readable } from '../../lib/store.ts'
import { walletsLimits } from '../../wallets/limits.ts'
import { type BatchTransaction, type CallBatch, isOpen } from './batch.ts'
import { callsLimits } from './limits.ts'

const hex = v.pipe(v.string(), v.regex(/^0x[\da-f]*$/i))
const receipt = v.object({
  logs: v.array(v.object({ address: hex, data: hex, topics: v.array(hex) })),
  status: v.picklist(['0x0', '0x1']),
  blockHash: hex,
  blockNumber: hex,
  gasUsed: hex,
  transactionHash: hex,
})
const transaction = v.object({
  entry: activityEntry,
  state: v.picklist(['waiting', 'sent', 'confirmed', 'reverted', 'stopped']),
  confirmedAs: v.optional(v.pipe(v.string(), v.regex(/^[\w-]{1,128}$/))),
  receipt: v.optional(receipt),
})
const batch = v.object({
  id: v.pipe(v.string(), v.nonEmpty(), v.maxLength(2 * walletsLimits.batchIdBytes + 2)),
  chain: v.pipe(v.string(), v.maxLength(64)),
  wallet: v.pipe(v.string(), v.maxLength(64)),
  isAtomic: v.boolean(),
  approvedAt: v.pipe(v.number(), v.minValue(0)),
  transactions: v.pipe(v.array(transaction), v.nonEmpty()),
  calls: v.optional(v.array(callSummary)),
})

/** A batch is known by its identifier and its wallet. */
export type BatchKey = Pick<CallBatch, 'id' | 'wallet'>
export type TransactionChange = Partial<Pick<BatchTransaction, 'state' | 'confirmedAs' | 'receipt'>>

export interface BatchStore {
  readonly batches: Readable<readonly CallBatch[]>
  find(key: BatchKey): CallBatch | undefined
  /** Whether a further batch is stored for as long as it has to be. */
  hasRoom(): boolean
  add(batch: CallBatch): void
  /** Changes some transactions of a batch, by their places. */
  update(key: BatchKey, changes: ReadonlyMap<number, TransactionChange>): void
  remove(key: BatchKey): void
  /** Reads the batches again, as after a change in another tab. */
  reload(): void
  /** Removes all of them from this browser. */
  clear(): void
}

export const isSameBatch = (one: BatchKey, other: BatchKey): boolean =>
  one.id === other.id && one.wallet === other.wallet

/** @param key the storage key of one user's batches in one app */
export function createBatchStore(storage: Storage, key: string, now: () => number): BatchStore {
  const load = () => recent(read(storage.get(key)), now())
  const batches = createStore<readonly CallBatch[]>(load())

  function change(next: (current: readonly CallBatch[]) => readonly CallBatch[]): void {
    // Another tab may have written since this one read.
    const list = bounded(next(load()))
    storage.set(key, JSON.stringify(list))
    batches.set(list)
  }

  return {
    batches,
    find: (wanted) => load().find((each) => isSameBatch(each, wanted)),
    hasRoom: () => load().length < callsLimits.stored,
    add: (added) => change((current) => [added, ...current.filter((each) => !isSameBatch(each, added))]),
    update: (wanted, changes) =>
      change((current) =>
        current.map((each) => (isSameBatch(each, wanted) ? withChanges(each, changes) : each)),
      ),
    remove: (wanted) => change((current) => current.filter((each) => !isSameBatch(each, wanted))),
    reload: () => batches.set(load()),
    clear() {
      storage.remove(key)
      batches.set([])
    },
  }
}

function withChanges(batch: CallBatch, changes: ReadonlyMap<number, TransactionChange>): CallBatch {
  const transactions = batch.transactions.map((each, at) => ({ ...each, ...changes.get(at) }))
  const changed = { ...batch, transactions }
  // Signed bytes that nobody sends any more are not stored; Solana's are small, and its records are read by them.
  return isOpen(changed) || !batch.chain.startsWith('eip155:')
    ? changed
    : { ...changed, transactions: transactions.map(withoutBytes) }
}

const withoutBytes = ({ entry: { raw: _, ...entry }, ...more }: BatchTransaction): BatchTransaction => ({
  ...more,
  entry,
})

/** Forgets batches once their time is over, and those that are under way never. */
const recent = (list: readonly CallBatch[], now: number): readonly CallBatch[] =>
  list.filter((each) => isOpen(each) || now - each.approvedAt < callsLimits.storedFor)

/** Drops receipts, the oldest ones first, where all together are too large: the network has them. */
function bounded(list: readonly CallBatch[]): readonly CallBatch[] {
  const stored = [...list]
  for (let at = stored.length - 1; at >= 0; at--) {
    if (JSON.stringify(stored).length <= callsLimits.storedSize) break
    const each = stored[at]
    if (each) stored[at] = { ...each, transactions: each.transactions.map(({ receipt: _, ...more }) => more) }
  }
  return stored
}

/** Batches that can't be read, as another version may have written them, are left out. */
function read(stored: string | undefined): readonly CallBatch[] {
  if (stored === undefined) return []
  try {
    const list: unknown = JSON.parse(stored)
    if (!Array.isArray(list)) return []
    return list.flatMap((each) => {
      const parsed = v.safeParse(batch, each)
      return parsed.success ? [parsed.output] : []
    })
  } catch {
    return []
  }
}
