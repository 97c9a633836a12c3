/** Payments of one user, and their settlement on the network. Loaded with the first of them. */
import type { ActivityEntry } from '../activity/entry.ts'
import type { ChainNode } from '../ethereum/rpc.ts'
import type { Clock } from '../lib/clock.ts'
import type { Storage } from '../lib/storage.ts'
import { x402Limits } from './limits.ts'
import { findSettlement } from './settlement.ts'
import { createSpending, type PaymentRecord, type Spending } from './spending.ts'

export interface Payments {
  readonly spending: Spending
  /** Searches a signed payment on its network until it is found or can't be taken any more, and adds it to the activity. */
  follow(id: string): void
  /** Follows all that an earlier page has left. */
  resume(): void
  stop(): void
}

export interface PaymentsContext {
  readonly storage: Storage
  readonly key: string
  readonly clock: Clock
  /** The server's time as far as it is known, in milliseconds since 1970. */
  now(): number
  /** Asks the server for its time. */
  serverTime(): Promise<number>
  nodeOf(chainId: number): ChainNode | undefined
  readonly activity: { add(entry: ActivityEntry): void }
  exclusively<T>(work: () => Promise<T>): Promise<T>
}

export function createPayments(cx: PaymentsContext): Payments {
  const { clock, now, nodeOf, activity } = cx
  const spending = createSpending(cx)
  const ending = new AbortController()
  const followed = new Set<string>()

  async function search(record: PaymentRecord): Promise<void> {
    const node = nodeOf(Number(record.chain.split(':')[1]))
    if (!node) return
    const until = (record.validBefore ?? 0) * 1_000 + x402Limits.searchMargin
    for (;;) {
      // The seller may have named its transaction meanwhile.
      const current = spending.unsettled().find(({ id }) => id === record.id)
      if (!current) return
      const found = await findSettlement(node, current, ending.signal)
      if (found) {
        activity.add(toEntry(current, found))
        await spending.update(record.id, { state: 'settled' })
        return
      }
      // An authorization that has expired is searched for once more, after the page was loaded again.
      if (now() >= until) return
      await clock.sleep(x402Limits.searchInterval, ending.signal)
    }
  }

  function follow(id: string): void {
    const record = spending.unsettled().find((each) => each.id === id)
    if (!record || followed.has(id)) return
    followed.add(id)
    search(record)
      // The next page goes on.
      .catch(() => {})
      .finally(() => followed.delete(id))
  }

  return {
    spending,
    follow,
    resume() {
      for (const { id } of spending.unsettled()) follow(id)
    },
    stop: () => ending.abort(),
  }
}

/** The facilitator has sent the transaction, so the network's word for it is all that there is to follow. */
const toEntry = (
  { chain, wallet, payTo, amount, symbol, decimals, at }: PaymentRecord,
  { hash, block }: { readonly hash: string; readonly block: bigint },
): ActivityEntry => ({
  chain,
  wallet,
  hash,
  title: 'transfer',
  to: payTo,
  amount,
  asset: { symbol, decimals },
  sentAt: at,
  status: 'confirmed',
  block: String(block),
})
