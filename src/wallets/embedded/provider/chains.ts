import type { Config } from '../../../app/config.ts'
import { chainOf, defaultChainId } from '../../../ethereum/chains.ts'
import { formatQuantity, parseChainNumber } from '../../../ethereum/integer.ts'
import type { Storage } from '../../../lib/storage.ts'
import { createStore, type Readable } from '../../../lib/store.ts'

/**
 * The chain of each wallet, which every tab has of its own: a dapp in one tab must not move the transactions of another.
 * The browser remembers the last one for new tabs. Forgotten at logout.
 */
export interface WalletChains {
  /** The chain of a wallet; the app's default if there is none, or one that the app no longer has. */
  of(address: string): number
  /** Moves a wallet to a chain that the app has. */
  move(address: string, chainId: number): void
  /** A new object after each move. */
  readonly moved: Readable<object>
  forget(addresses: readonly string[]): void
}

export function createWalletChains(cx: {
  appId: string
  storage: Storage
  tabStorage: Storage
  config: () => Pick<Config, 'host'>
}): WalletChains {
  const moved = createStore<object>({})
  const keyOf = (address: string) => `lk:${cx.appId}:wallet:${address}`

  /** A tab's own chain; one that has none yet takes over what the browser remembers, and keeps that. */
  function own(address: string): string {
    const known = cx.tabStorage.get(keyOf(address))
    if (known !== undefined) return known
    const taken = cx.storage.get(keyOf(address)) ?? ''
    cx.tabStorage.set(keyOf(address), taken)
    return taken
  }

  return {
    moved,
    of(address) {
      const chosen = parseChainNumber(own(address))
      return chosen && chainOf(cx.config(), chosen) ? chosen : defaultChainId(cx.config())
    },
    move(address, chainId) {
      for (const each of [cx.storage, cx.tabStorage]) each.set(keyOf(address), formatQuantity(chainId))
      moved.set({})
    },
    forget(addresses) {
      for (const address of addresses)
        for (const each of [cx.storage, cx.tabStorage]) each.remove(keyOf(address))
    },
  }
}
