import { chainOf, defaultChainId } from '../../../chains/chains.ts'
import { formatQuantity, parseChainNumber } from '../../../chains/hex.ts'
import type { Config } from '../../../config.ts'
import type { Storage } from '../../../core/storage.ts'
import { createStore, type Readable } from '../../../core/store.ts'
import { addressChainKey } from '../../../session/keys.ts'

/** On which chain each wallet is: remembered in the browser, and forgotten at logout. Wire 9.1. */
export interface WalletChains {
  /** The chain of a wallet; the app's default where it was on none, or on one that the app no longer has. */
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
  config: () => Pick<Config, 'host'>
}): WalletChains {
  const moved = createStore<object>({})
  const keyOf = (address: string) => addressChainKey(cx.appId, address)

  return {
    moved,
    of(address) {
      const stored = parseChainNumber(cx.storage.get(keyOf(address)))
      return stored && chainOf(cx.config(), stored) ? stored : defaultChainId(cx.config())
    },
    move(address, chainId) {
      cx.storage.set(keyOf(address), formatQuantity(chainId))
      moved.set({})
    },
    forget(addresses) {
      for (const address of addresses) cx.storage.remove(keyOf(address))
    },
  }
}
