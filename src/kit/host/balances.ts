/** What the user's wallets hold, for hosts and in a dialog; loaded when it is first asked for. */

import { isUndecided } from '../../activity/activity.ts'
import { type Balance, type Balances, type BalanceWallet, createBalances } from '../../balances/balances.ts'
import { showBalances } from '../../balances/flow.ts'
import { Closed } from '../../dialog/stage.ts'
import type { Store } from '../../lib/store.ts'
import { createSolanaRpc } from '../../solana/rpc.ts'
import { embeddedOf } from '../../wallets/embedded/listing.ts'
import type { ManageOptions } from '../api.ts'
import type { KitContext } from '../context.ts'
import { serviceFeatures } from '../services/features.ts'
import type { Sending } from '../wallets/sending.ts'
import { personOf } from './person.ts'

export interface KitBalances {
  refresh(): Promise<readonly Balance[]>
  open(options: ManageOptions): Promise<void>
  /** Balances of other wallets, such as those that the user has connected, into a store of their own. */
  of(wallets: () => readonly BalanceWallet[], balances: Store<readonly Balance[]>): Balances
  close(): void
}

/** Balances of the user who is logged in, read again once the network has decided about one of their transactions. */
export function createKitBalances(
  cx: Pick<KitContext, 'app' | 'activity' | 'balances' | 'clock' | 'fetch' | 'runs' | 'flow'>,
  { nodeOf, prices, watched }: Pick<Sending, 'nodeOf' | 'prices' | 'watched'>,
): KitBalances {
  const { app, activity, balances, clock, fetch, runs } = cx
  const wallets = () => embeddedOf(app.state.get().user)
  const of: KitBalances['of'] = (held, store) =>
    createBalances({
      clock,
      balances: store,
      nodeOf,
      wallets: held,
      watched: watched.tokens.get,
      config: app.known,
      solanaRpc: ({ rpcUrl }) => createSolanaRpc({ urls: [rpcUrl], fetch, clock }),
      splBalances: async () => (await serviceFeatures.solana()).readSplBalances,
      prices,
    })
  const service = of(wallets, balances)
  let user = app.state.get().user?.id
  let isInUse = false
  let decided = decidedHashes()

  function decidedHashes(): ReadonlySet<string> {
    const entries = activity.get().filter((entry) => !isUndecided(entry))
    return new Set(entries.map(({ chain, hash, status }) => `${chain} ${hash} ${status}`))
  }
  const stops = [
    app.state.subscribe(() => {
      const now = app.state.get().user?.id
      if (now === user) return
      user = now
      isInUse = false
      service.clear()
    }),
    watched.tokens.subscribe(() => {
      // With a login or logout they change as well.
      if (isInUse && app.state.get().user?.id === user) void service.refresh()
    }),
    activity.subscribe(() => {
      const before = decided
      decided = decidedHashes()
      if (isInUse && [...decided].some((each) => !before.has(each))) void service.refresh()
    }),
  ]

  async function refresh(): Promise<readonly Balance[]> {
    isInUse = true
    return service.refresh()
  }

  return {
    of,
    async refresh() {
      personOf(cx, 'their balances are read')
      return refresh()
    },
    async open({ surface, signal }) {
      personOf(cx, 'their balances are shown')
      await runs.run('settings', { surface, signal, outlivesRefusals: true }, async (stage) => {
        try {
          await showBalances(cx.flow(stage), { balances, wallets, refresh })
        } catch (cause) {
          // Closing is how one leaves a list.
          if (!(cause instanceof Closed)) throw cause
        }
      })
    },
    close() {
      for (const stop of stops) stop()
      service.clear()
    },
  }
}
