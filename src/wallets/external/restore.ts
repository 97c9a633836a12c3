import { walletsLimits } from '../limits.ts'
import { walletName } from '../registry/registry.ts'
import type { Connections } from './connections.ts'
import type { Connector, ExternalContext, FoundWallet } from './connector.ts'
import type { Discovery } from './discovery.ts'
import { type HistoryEntry, sameConnection } from './history.ts'
import type { createHistoryStore } from './history-store.ts'
import type { RemoteReach, Remotes } from './remotes.ts'

interface Restoring {
  readonly cx: ExternalContext
  readonly discovery: Discovery
  readonly remotes: Remotes
  readonly history: ReturnType<typeof createHistoryStore>
  readonly connections: Connections
  readonly signal: AbortSignal
}

/**
 * Restores the connections of earlier visits without asking anybody. Resolves when all of them have been
 * looked at, or wallets that should be here have had their time to appear; one that comes later, or is
 * unlocked later, still counts.
 */
export async function restoreConnections(all: Restoring): Promise<void> {
  const entries = all.history.read()
  followOtherTabs(all)
  if (entries.length === 0) return
  const remote = entries.flatMap((entry) => remoteOf(entry) ?? [])
  // An SDK knows one connection, the last.
  const last = (reach: RemoteReach) => remote.filter((each) => each.reach === reach).slice(0, 1)
  await Promise.all([
    restoreHere(
      all,
      entries.filter(({ connectorType }) => chainOf.has(connectorType)),
    ),
    ...[...last('coinbase'), ...last('wallet-connect')].map((one) => restoreRemote(all, one)),
  ])
}

/**
 * A wallet of this browser that another tab connects is connected here too. One that is reached through an SDK waits for
 * the next page: its SDK reads what another tab has stored only when it starts.
 */
function followOtherTabs(all: Restoring): void {
  const { cx, history, connections, signal } = all
  const stop = cx.tabs.onMessage((message) => {
    if (message !== 'connections') return
    const open = connections.connected.get()
    const added = history.read().filter((entry) => !open.some((account) => sameConnection(account, entry)))
    // Each wallet that can't be restored has been reported by then.
    restoreHere(
      all,
      added.filter(({ connectorType }) => chainOf.has(connectorType)),
    ).catch(() => {})
  })
  signal.addEventListener('abort', stop, { once: true })
}

const chainOf: ReadonlyMap<string, string> = new Map([
  ['injected', 'ethereum'],
  ['solana_adapter', 'solana'],
])
const reachOf: ReadonlyMap<string, RemoteReach> = new Map<string, RemoteReach>([
  ['coinbase_wallet', 'coinbase'],
  ['wallet_connect_v2', 'wallet-connect'],
])

function remoteOf({ connectorType, walletClientType: id }: HistoryEntry) {
  const reach = reachOf.get(connectorType)
  return reach && { reach, id }
}

async function restoreRemote(
  all: Restoring,
  { reach, id }: { reach: RemoteReach; id: string },
): Promise<void> {
  try {
    const connector = await all.remotes.connector(reach, { id, name: walletName(id), icon: undefined })
    await takeUp(all, connector, () => true)
    // Ended elsewhere meanwhile, so the next page need not load what talks to it.
    const { read, write } = all.history
    if (connector.accounts.get().length === 0)
      write(read().filter((entry) => remoteOf(entry)?.reach !== reach))
  } catch (cause) {
    // Nobody waits for it; people who choose this wallet again will see what is wrong.
    console.warn('A connection could not be restored', cause)
  }
}

async function restoreHere(all: Restoring, entries: readonly HistoryEntry[]): Promise<void> {
  if (entries.length === 0) return
  const { cx, discovery, signal } = all
  const begun = new Map<FoundWallet, Promise<void>>()
  const done = new AbortController()
  const isThat = (wallet: FoundWallet) => (entry: HistoryEntry) =>
    entry.walletClientType === wallet.meta.id && chainOf.get(entry.connectorType) === wallet.chainType

  /**
   * Another wallet may take this one's name, so one whose accounts are unknown must be the only one of that
   * name.
   */
  function may(wallet: FoundWallet, { accounts }: Connector): boolean {
    const former = all.history.read().filter(isThat(wallet))
    const isKnown = accounts.get().some(({ address }) => former.some((entry) => entry.address === address))
    const isNamesake = ({ meta, chainType }: FoundWallet) =>
      meta.id === wallet.meta.id && chainType === wallet.chainType
    return isKnown || (former.length > 0 && discovery.found.get().filter(isNamesake).length === 1)
  }

  function look(): void {
    for (const wallet of discovery.found.get()) {
      if (begun.has(wallet) || !entries.some(isThat(wallet))) continue
      begun.set(
        wallet,
        wallet
          .connector()
          .then((connector) => takeUp(all, connector, (one) => may(wallet, one)))
          // Nobody waits for it; people who choose this wallet will see what is wrong.
          .catch((cause: unknown) => console.warn('A connection could not be restored', cause)),
      )
    }
    if (entries.every((entry) => [...begun.keys()].some((wallet) => isThat(wallet)(entry)))) done.abort()
  }

  const stop = discovery.found.subscribe(look)
  signal.addEventListener('abort', stop, { once: true })
  await discovery.begin()
  look()
  await cx.clock.sleep(walletsLimits.walletDetection, AbortSignal.any([signal, done.signal])).catch(() => {})
  await Promise.all(begun.values())
}

/** Restores a connection when its wallet opens an account: now, or when somebody unlocks it. */
async function takeUp(
  { connections, signal }: Restoring,
  connector: Connector,
  may: (connector: Connector) => boolean,
): Promise<void> {
  const stop = connector.accounts.subscribe(look)
  function look(): void {
    if (connector.accounts.get().length === 0 || signal.aborted || !may(connector)) return
    stop()
    connections.takeUp(connector)
  }
  signal.addEventListener('abort', stop, { once: true })
  await connector.initialise()
  look()
}
