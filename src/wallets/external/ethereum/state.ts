import { formatQuantity } from '../../../ethereum/integer.ts'
import { ethereumChainId } from '../../../lib/caip.ts'
import { createEmitter, type Emitter } from '../../../lib/emitter.ts'
import { createStore, type Readable } from '../../../lib/store.ts'
import type { ConnectorEvents, OpenAccount } from '../connector.ts'
import type { HostEvents } from '../host-listeners.ts'
import { disconnectedError } from '../provider-error.ts'
import { sameAccounts } from '../same-accounts.ts'

/** What an Ethereum wallet has opened, and its chain, as far as it has said. */
export interface OpenState {
  readonly accounts: Readable<readonly OpenAccount[]>
  readonly events: Emitter<ConnectorEvents>
  /** For hosts' libraries, in their terms. */
  readonly hostEvents: Emitter<HostEvents>
  readonly addresses: readonly string[]
  readonly chain: number | undefined
  /** Takes over changes, and notifies listeners. An account counts when its chain is known. */
  update(change: { addresses?: readonly string[] | undefined; chain?: number | undefined }): void
  isOpen(address: string): boolean
}

export function createOpenState(): OpenState {
  const accounts = createStore<readonly OpenAccount[]>([])
  const events = createEmitter<ConnectorEvents>()
  const hostEvents = createEmitter<HostEvents>()
  let addresses: readonly string[] = []
  let chain: number | undefined

  function tellHosts(before: readonly OpenAccount[], chainBefore: number | undefined): void {
    const chainId = formatQuantity(chain ?? 0)
    const list = before.map(({ address }) => address)
    if (before.length === 0) hostEvents.emit('connect', { chainId })
    else if (chainBefore !== chain) hostEvents.emit('chainChanged', chainId)
    if (list.join() !== addresses.join()) hostEvents.emit('accountsChanged', addresses)
    if (addresses.length === 0) hostEvents.emit('disconnect', disconnectedError())
  }

  return {
    accounts,
    events,
    hostEvents,
    get addresses() {
      return addresses
    },
    get chain() {
      return chain
    },
    update(change) {
      const before = accounts.get()
      const chainBefore = chain
      addresses = change.addresses ?? addresses
      chain = change.chain ?? chain
      const chainId = chain && ethereumChainId(chain)
      const now = chainId ? addresses.map((address) => ({ address, chainId })) : []
      if (sameAccounts(now, before)) return
      accounts.set(now)
      events.emit('walletsUpdated', now)
      tellHosts(before, chainBefore)
    },
    isOpen: (address) => accounts.get().some((open) => open.address.toLowerCase() === address.toLowerCase()),
  }
}
