import type { FlowContext } from '../app/flow-context.ts'
import { addWords } from '../copy/copy.ts'
import { balances as words } from '../copy/en/balances.ts'
import { createStore, type Readable } from '../lib/store.ts'
import type { EmbeddedAccount } from '../wallets/embedded/embedded-wallets.ts'
import type { Balance } from './balances.ts'
import { type WalletBalancesProps, walletBalances } from './wallet-balances.tsx'

addWords(words)

export interface BalancesOptions {
  readonly balances: Readable<readonly Balance[]>
  readonly wallets: () => readonly EmbeddedAccount[]
  refresh(): Promise<unknown>
}

/**
 * Displays what the user's wallets hold, read anew, until the user closes the dialog.
 * @throws Closed when they do
 */
export async function showBalances({ stage, clock }: FlowContext, options: BalancesOptions): Promise<never> {
  const isRefreshing = createStore(false)
  const refresh = () => {
    isRefreshing.set(true)
    const over = () => isRefreshing.set(false)
    options.refresh().then(over, over)
  }
  refresh()
  for (;;) {
    const props = { wallets: walletsOf(options), isRefreshing: isRefreshing.get(), now: clock.now() }
    const asked = await stage.askDuring(walletBalances, props, (signal) =>
      untilChange([options.balances, isRefreshing], signal),
    )
    if ('answer' in asked) refresh()
  }
}

const walletsOf = ({ wallets, balances }: BalancesOptions): WalletBalancesProps['wallets'] =>
  wallets().map(({ chainType, address }) => ({
    chainType,
    address,
    balances: balances.get().filter(({ wallet }) => wallet === address),
  }))

/** Resolves with the next change of any of these. */
const untilChange = (stores: readonly Readable<unknown>[], signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const stop = () => {
      for (const each of stops) each()
      resolve()
    }
    const stops = stores.map((store) => store.subscribe(stop))
    signal.addEventListener('abort', stop, { once: true })
  })
