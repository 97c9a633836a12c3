import type { Config } from '../../../app/config.ts'
import { chainOf, defaultChainId } from '../../../ethereum/chains.ts'
import { formatQuantity, parseChainNumber } from '../../../ethereum/hex.ts'
import type { Storage } from '../../../lib/storage.ts'
import { createStore, type Readable } from '../../../lib/store.ts'
import { addressChainKey } from '../../../session/keys.ts'

/** The chain of each wallet, remembered in the browser and forgotten at logout. */
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
