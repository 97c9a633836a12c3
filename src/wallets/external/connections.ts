import type { Clock } from '../../lib/clock.ts'
import { createStore, type Readable } from '../../lib/store.ts'
import { type ConnectionName, keepSame, orderConnected } from './connected.ts'
import type { ConnectedAccount, Connector, ExternalContext } from './connector.ts'
import { type HistoryEntry, sameConnection } from './history.ts'
import type { createHistoryStore } from './history-store.ts'

/** The open connections: those of this page and of earlier visits. */
export interface Connections {
  readonly connected: Readable<readonly ConnectedAccount[]>
  /** Records a new connection. Returns the account, as it appears in the list from now on. */
  take(connector: Connector, address: string): ConnectedAccount | undefined
  /** A connection of an earlier visit is restored. */
  takeUp(connector: Connector): void
  activate(account: ConnectedAccount): void
  disconnect(account: ConnectedAccount): Promise<void>
  close(): void
}

interface Taken {
  /** When its accounts were connected, by address. */
  readonly since: Map<string, number>
  /** The account that the wallet last had as its active one. */
  first: string | undefined
  readonly stop: () => void
}

export function createConnections({
  clock,
  history,
  tabs,
}: {
  clock: Clock
  history: ReturnType<typeof createHistoryStore>
  tabs: ExternalContext['tabs']
}): Connections {
  const connected = createStore<readonly ConnectedAccount[]>([])
  const taken = new Map<Connector, Taken>()
  let active = history.active()

  function accountsOf(
    connector: Connector,
    one: Taken,
    stored: readonly HistoryEntry[],
  ): readonly ConnectedAccount[] {
    const { type: connectorType, chainType, meta } = connector
    const open = connector.accounts.get()
    const first = open[0]?.address
    // Picking another account in the wallet makes it the active one.
    if (first && one.first && first !== one.first) one.since.set(first, clock.now())
    one.first = first ?? one.first
    return open.map(({ address, chainId }) => {
      const name = { address, connectorType, walletClientType: meta.id }
      const former = stored.find((entry) => sameConnection(entry, name))?.connectedAt
      const connectedAt = one.since.get(address) ?? former ?? clock.now()
      one.since.set(address, connectedAt)
      return { ...name, chainId, connector, chainType, meta, connectedAt }
    })
  }

  function refresh(): void {
    const stored = history.read()
    const latestFirst = [...taken].reverse()
    const all = latestFirst.flatMap(([connector, one]) => accountsOf(connector, one, stored))
    connected.set(keepSame(orderConnected(all, active), connected.get()))
    // A wallet that is locked now may be open on the next page, so what was known of it stays.
    const others = stored.filter((entry) => !all.some((account) => isSameWallet(account, entry)))
    history.write([...all, ...others])
  }

  function watch(connector: Connector): Taken {
    const known = taken.get(connector)
    taken.delete(connector)
    const one = known ?? { since: new Map(), first: undefined, stop: connector.accounts.subscribe(refresh) }
    taken.set(connector, one)
    return one
  }

  function drop(connector: Connector): void {
    taken.get(connector)?.stop()
    taken.delete(connector)
  }

  /** What another tab has disconnected is gone from the stored history, and so it goes here. */
  const stopFollowing = tabs.onMessage((message) => {
    if (message !== 'connections') return
    const stored = history.read()
    active = history.active()
    const ended = connected.get().filter((account) => !stored.some((entry) => isSameWallet(account, entry)))
    for (const { connector } of ended) {
      drop(connector)
      connector.letGo()
    }
    if (ended.length > 0) refresh()
  })

  return {
    connected,
    take(connector, address) {
      const { since } = watch(connector)
      for (const open of connector.accounts.get()) since.set(open.address, clock.now())
      refresh()
      tabs.broadcast('connections')
      return connected.get().find((account) => account.connector === connector && account.address === address)
    },
    takeUp(connector) {
      watch(connector)
      refresh()
    },
    activate({ address, connectorType, walletClientType }) {
      active = { address, connectorType, walletClientType }
      history.setActive(active)
      refresh()
    },
    async disconnect({ connector, connectorType, walletClientType }) {
      const gone = { connectorType, walletClientType }
      drop(connector)
      if (active && isSameWallet(gone, active)) {
        active = undefined
        history.setActive(undefined)
      }
      history.write(history.read().filter((entry) => !isSameWallet(gone, entry)))
      refresh()
      tabs.broadcast('connections')
      await connector.disconnect()
    },
    close() {
      stopFollowing()
      for (const { stop } of taken.values()) stop()
      taken.clear()
    },
  }
}

type WalletName = Omit<ConnectionName, 'address'>
const isSameWallet = (one: WalletName, other: WalletName) =>
  one.connectorType === other.connectorType && one.walletClientType === other.walletClientType
