/** Sends the calls of approved batches in their order, whether or not a dialog is open, and tells what became of them. */
import type { ActivityEntry } from '../../activity/entry.ts'
import type { Settled } from '../../activity/tracker.ts'
import { KitError } from '../../errors/kit-error.ts'
import { formatQuantity } from '../../ethereum/integer.ts'
import type { TransactionReceipt } from '../../ethereum/receipt.ts'
import type { Clock } from '../../lib/clock.ts'
import { NodeError } from '../../lib/node-errors.ts'
import type { Storage } from '../../lib/storage.ts'
import type { Readable } from '../../lib/store.ts'
import { ProviderRpcError } from '../../wallets/external/provider-error.ts'
import { mayBeIncluded } from '../../wallets/smart/errors.ts'
import type { ActivityService } from '../transaction/outcome.ts'
import { type CallBatch, type CallReceipt, isOpen } from './batch.ts'
import { callsLimits } from './limits.ts'
import { type BatchKey, createBatchStore, isSameBatch, type TransactionChange } from './store.ts'

/** EIP-5792. */
export const DUPLICATE_BATCH = 5720
/** EIP-1474. */
const LIMIT_EXCEEDED = -32_005

export interface BatchContext {
  readonly storage: Storage
  /** The storage key of one user's batches in one app. */
  readonly key: string
  readonly clock: Clock
  readonly activity: Pick<ActivityService, 'add' | 'remove' | 'settled'>
  /** Gives a signed transaction to its network; the same bytes may be given again. Throws a `NodeError` for a refusal. */
  submit(entry: ActivityEntry): Promise<void>
  /** Called with each transaction that the network has taken. */
  onSubmitted(entry: ActivityEntry): void
  /** Finds the transaction that was confirmed in place of another one. */
  resolve(settled: Settled): Promise<Settled>
  /** Runs `work` while no other tab runs it under the same name. */
  exclusively(name: string, work: () => Promise<void>, signal: AbortSignal): Promise<void>
}

/** An identifier that is held while the user reads the batch. */
export interface Reservation {
  readonly id: string
  release(): void
}

export interface CallBatches {
  readonly batches: Readable<readonly CallBatch[]>
  /**
   * Holds the identifier of a batch, or a new one.
   * @throws ProviderRpcError 5720 if the wallet has a batch with it, -32005 if too many are stored
   */
  reserve(wallet: string, id?: string): Reservation
  /**
   * Stores a batch that was approved, and begins to send it. Resolves once its network may have the first transaction.
   * @throws NodeError, or the bundler's `KitError`, if that was refused for certain, and `user_operation_other_hash` where nobody can say
   */
  add(batch: CallBatch): Promise<void>
  /** Removes a batch of which nothing was sent. */
  remove(key: BatchKey): void
  /** The batch of one of these wallets; the latest one where several have the identifier. */
  find(id: string, wallets: readonly string[]): CallBatch | undefined
  /** Resolves once nothing about a batch can change any more. Rejects with the signal's reason, and when the user logs out. */
  settled(key: BatchKey, signal?: AbortSignal): Promise<CallBatch>
  /** Goes on with batches that were left in the middle, as after a reload. */
  start(): void
  /** Reads what another tab has stored, and goes on with what it leaves. */
  reload(): void
  /** Sends nothing any more; what is stored stays. */
  stop(): void
  /** Removes all batches from this browser. */
  clear(): void
}

export function createCallBatches(cx: BatchContext): CallBatches {
  const { clock, activity } = cx
  const store = createBatchStore(cx.storage, cx.key, clock.now)
  const ending = new AbortController()
  const { signal } = ending
  const reserved = new Set<string>()
  const running = new Set<string>()
  /** Callers of `add` whose first transaction is on its way. */
  const beginning = new Map<string, (refusal?: unknown) => void>()
  const nameOf = ({ id, wallet }: BatchKey) => `${wallet} ${id}`

  function start(): void {
    for (const batch of store.batches.get()) if (isOpen(batch)) void run(batch)
  }

  async function run(key: BatchKey): Promise<void> {
    const name = nameOf(key)
    if (running.has(name)) return
    running.add(name)
    try {
      await cx.exclusively(name, () => sendAll(key), signal)
    } catch {
      // A batch that can't go on now goes on with the next start.
    } finally {
      running.delete(name)
    }
  }

  /** Sends each call once the one before it is confirmed. Where one is not, the rest stays unsent. */
  async function sendAll(key: BatchKey): Promise<void> {
    const count = store.find(key)?.transactions.length ?? 0
    for (let at = 0; at < count; at++) {
      const batch = store.find(key)
      const transaction = batch?.transactions[at]
      if (!batch || !transaction || signal.aborted) return
      if (transaction.state === 'confirmed') continue
      const isNew = transaction.state === 'waiting'
      const isTooOld = isNew && clock.now() - batch.approvedAt >= callsLimits.sentWithin
      const isOver = transaction.state === 'reverted' || transaction.state === 'stopped'
      if (isTooOld || isOver) return stopFrom(key, at)
      if (!(await send(key, at, transaction.entry, isNew))) return stopFrom(key, at)
      const settled = await cx.resolve(await activity.settled(transaction.entry, signal))
      signal.throwIfAborted()
      const change = changeOf(settled, transaction.entry)
      // Only now an operation has a transaction.
      if (change.confirmedAs !== undefined && transaction.entry.operation)
        cx.onSubmitted({ ...transaction.entry, hash: change.confirmedAs })
      store.update(key, new Map([[at, change]]))
      if (change.state !== 'confirmed') return stopFrom(key, at + 1)
    }
  }

  /**
   * Writes the call down and gives it to the network: the very same bytes again where nobody answers, or where it was left in the middle.
   * @returns whether the network may have it
   */
  async function send(key: BatchKey, at: number, entry: ActivityEntry, isNew: boolean): Promise<boolean> {
    store.update(key, new Map([[at, { state: 'sent' }]]))
    activity.add(entry)
    for (let tries = 1; ; tries++) {
      try {
        await cx.submit(entry)
        if (isNew && !entry.operation) cx.onSubmitted(entry)
        beginning.get(nameOf(key))?.()
        return true
      } catch (cause) {
        signal.throwIfAborted()
        if (mayBeIncluded(cause)) {
          // The caller learns of it, and the tracker finds out the rest.
          beginning.get(nameOf(key))?.(isNew ? cause : undefined)
          return true
        }
        if (isRefusal(cause) && isNew && tries === 1) {
          // A transaction that the network has refused for certain doesn't exist.
          activity.remove(entry)
          beginning.get(nameOf(key))?.(cause)
          return false
        }
        // An earlier attempt may have arrived, which the tracker finds out.
        if (isRefusal(cause) || tries >= callsLimits.submitTries) {
          beginning.get(nameOf(key))?.()
          return true
        }
        await clock.sleep(callsLimits.submitEvery, signal)
      }
    }
  }

  function stopFrom(key: BatchKey, first: number): void {
    const open = store.find(key)?.transactions ?? []
    const changes = open.flatMap(({ state }, at): [number, TransactionChange][] =>
      at >= first && (state === 'waiting' || state === 'sent') ? [[at, { state: 'stopped' }]] : [],
    )
    store.update(key, new Map(changes))
  }

  return {
    batches: store.batches,
    reserve(wallet, wanted) {
      if (!store.hasRoom()) throw new ProviderRpcError(LIMIT_EXCEEDED, 'Too many batches within a day')
      const id = wanted ?? newId()
      const name = nameOf({ id, wallet })
      if (reserved.has(name) || store.find({ id, wallet }))
        throw new ProviderRpcError(DUPLICATE_BATCH, 'There is already a batch with this id')
      reserved.add(name)
      return { id, release: () => void reserved.delete(name) }
    },
    add: (batch) =>
      new Promise((resolve, reject) => {
        const name = nameOf(batch)
        beginning.set(name, (refusal) => {
          beginning.delete(name)
          if (refusal === undefined) resolve()
          else reject(refusal)
        })
        store.add(batch)
        // A batch that stops before anything was sent, as at a logout, has nothing to wait for.
        void run(batch).finally(() => beginning.get(name)?.())
      }),
    remove: store.remove,
    find(id, wallets) {
      store.reload()
      return store.batches.get().find((each) => each.id === id && wallets.includes(each.wallet))
    },
    settled: (key, own) =>
      new Promise((resolve, reject) => {
        const stop = () => {
          unsubscribe()
          own?.removeEventListener('abort', onAbort)
          signal.removeEventListener('abort', onAbort)
        }
        const onAbort = () => {
          stop()
          reject(own?.aborted ? own.reason : signal.reason)
        }
        const check = () => {
          const batch = store.batches.get().find((each) => isSameBatch(each, key))
          if (batch && isOpen(batch)) return
          stop()
          if (batch) resolve(batch)
          else reject(new DOMException('The batch is known no longer', 'AbortError'))
        }
        const unsubscribe = store.batches.subscribe(check)
        own?.addEventListener('abort', onAbort, { once: true })
        signal.addEventListener('abort', onAbort, { once: true })
        if (own?.aborted || signal.aborted) onAbort()
        else check()
      }),
    start,
    reload() {
      store.reload()
      start()
    },
    stop: () => ending.abort(new DOMException('The user has logged out', 'AbortError')),
    clear: store.clear,
  }
}

/** Whether a network, or the bundler before it, has refused for certain. */
const isRefusal = (cause: unknown): boolean =>
  cause instanceof NodeError || (cause instanceof KitError && cause.cause instanceof NodeError)

const ID_BYTES = 32

const newId = (): string =>
  `0x${Array.from(crypto.getRandomValues(new Uint8Array(ID_BYTES)), (byte) => byte.toString(16).padStart(2, '0')).join('')}`

function changeOf({ entry, receipt }: Settled, sent: ActivityEntry): TransactionChange {
  const other = entry.operation ? entry.transactionHash : entry.hash !== sent.hash ? entry.hash : undefined
  if (entry.status !== 'confirmed' && entry.status !== 'failed') return { state: 'stopped' }
  const read =
    receipt === undefined || !entry.chain.startsWith('eip155:')
      ? undefined
      : toCallReceipt(receipt as TransactionReceipt)
  return {
    state: entry.status === 'confirmed' ? 'confirmed' : 'reverted',
    ...(other !== undefined && { confirmedAs: other }),
    ...(read && { receipt: read }),
  }
}

/** A receipt as libraries read it; `undefined` for one whose logs were not read completely. */
export function toCallReceipt(receipt: TransactionReceipt): CallReceipt | undefined {
  const { logs, status, blockHash, blockNumber, gasUsed, transactionHash, hasAllLogs } = receipt
  if (!hasAllLogs) return undefined
  return {
    logs: logs.map(({ address, data, topics }) => ({ address: address.toLowerCase(), data, topics })),
    status: status === 'success' ? '0x1' : '0x0',
    blockHash,
    blockNumber: formatQuantity(blockNumber),
    gasUsed: formatQuantity(gasUsed),
    transactionHash,
  }
}
