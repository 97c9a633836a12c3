import { getWallets } from '@wallet-standard/app'
import type { Wallet } from '@wallet-standard/base'
import { requestProviders } from 'mipd'
import { lazily } from '../../errors/lazily.ts'
import { createStore, type Readable } from '../../lib/store.ts'
import { walletsLimits } from '../limits.ts'
import { walletOf } from '../registry/registry.ts'
import { clientTypeOf, fieldOf, iconOf, lineOf } from './claims.ts'
import type { Connector, ConnectorContext, FoundWallet } from './connector.ts'
import { type Injected, plain, readAnnouncement, readLegacy } from './ethereum/injected.ts'
import { isSolanaWallet } from './solana/wallet.ts'

const loadEip1193 = lazily(() => import('./ethereum/connector.ts'))
const loadSolana = lazily(() => import('./solana/connector.ts'))

/** Finds the wallets in this browser. */
export interface Discovery {
  /** It grows, because some announce themselves late. */
  readonly found: Readable<readonly FoundWallet[]>
  /** Begins to look, if nobody has. Resolves when something has been found, or a moment has passed. */
  begin(): Promise<void>
  close(): void
}

export function createDiscovery(cx: ConnectorContext): Discovery {
  const found = createStore<readonly FoundWallet[]>([])
  const announced: Injected[] = []
  const leaving = new Map<unknown, AbortController>()
  const made = { announced: new Map(), legacy: new Map(), standard: new Map() } satisfies Record<string, Made>
  const life = new AbortController()
  const connectors: Connector[] = []
  let asking = false
  let stopAnnouncements: (() => void) | undefined
  let beginning: Promise<void> | undefined

  /** What talks to a wallet is loaded once, when somebody chooses it or its connection is restored. */
  const connectorOf = (make: () => Promise<Connector>) =>
    lazily(async () => {
      const connector = await make()
      connectors.push(connector)
      if (life.signal.aborted) connector.close()
      return connector
    })

  const injected = (all: Made) => (one: Injected) =>
    once(all, one.provider, () => {
      const { meta, rdns } = one
      const provider = plain(one.provider)
      const connector = connectorOf(async () => {
        const { createEip1193Connector } = await loadEip1193()
        return createEip1193Connector({
          cx,
          type: 'injected',
          meta: () => meta,
          provider: async () => provider,
        })
      })
      return { meta, chainType: 'ethereum', rdns, connector }
    })

  function standard(wallet: Wallet): FoundWallet | undefined {
    const name = lineOf(fieldOf(wallet, 'name'), walletsLimits.walletNameLength)
    if (!name || !isSolanaWallet(wallet)) return undefined
    return once(made.standard, wallet, () => {
      const meta = { id: clientTypeOf(name), name, icon: iconOf(fieldOf(wallet, 'icon')) }
      const gone = new AbortController()
      leaving.set(wallet, gone)
      const connector = connectorOf(async () => {
        const { createSolanaConnector } = await loadSolana()
        return createSolanaConnector({ cx, meta, wallet, gone: gone.signal })
      })
      return { meta, chainType: 'solana', connector }
    })
  }

  function look(): void {
    const legacy = newLegacy(announced, readLegacy(cx.page.window))
    const genuineFirst = [...announced].sort(
      (one, other) => Number(isGenuine(other)) - Number(isGenuine(one)),
    )
    const solana = getWallets()
      .get()
      .slice(0, walletsLimits.walletsFound)
      .flatMap((wallet) => standard(wallet) ?? [])
    const next = [
      ...genuineFirst.map(injected(made.announced)),
      ...legacy.map(injected(made.legacy)),
      ...solana.filter(({ meta }, at) => solana.findIndex((other) => other.meta.id === meta.id) === at),
    ]
    const before = found.get()
    if (next.length !== before.length || next.some((wallet, at) => wallet !== before[at])) found.set(next)
  }

  function onAnnouncement(detail: unknown): void {
    const wallet = readAnnouncement(detail)
    if (!wallet || announced.length >= walletsLimits.walletsFound || announced.some(isDouble(wallet))) return
    announced.push(wallet)
    // The answers to one request arrive together.
    if (!asking) look()
  }

  function ask(): void {
    stopAnnouncements?.()
    asking = true
    stopAnnouncements = requestProviders(onAnnouncement)
    asking = false
    look()
  }

  /** Extensions may be slower than the page. */
  async function keepAsking(): Promise<void> {
    for (let tries = walletsLimits.walletLookupTries; tries > 0; tries--) {
      await cx.clock.sleep(walletsLimits.walletLookupEvery, life.signal)
      ask()
    }
  }

  async function begin(): Promise<void> {
    const { signal } = life
    if (signal.aborted) return
    ask()
    const wallets = getWallets()
    const stops = [
      wallets.on('register', look),
      wallets.on('unregister', (...left) => {
        look()
        for (const wallet of left) {
          leaving.get(wallet)?.abort()
          leaving.delete(wallet)
          made.standard.delete(wallet)
        }
      }),
    ]
    cx.page.window.addEventListener?.('ethereum#initialized', look, { signal })
    signal.addEventListener('abort', () => {
      for (const stop of stops) stop()
      stopAnnouncements?.()
    })
    keepAsking().catch(() => {})
    if (found.get().length === 0) await firstOr(cx.clock.sleep(walletsLimits.walletLookupEvery, signal))
  }

  /** Something has been found, or a moment has passed. */
  function firstOr(moment: Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      const stop = found.subscribe(() => resolve())
      moment
        .catch(() => {})
        .then(() => {
          stop()
          resolve()
        })
    })
  }

  return {
    found,
    begin() {
      beginning ??= begin()
      return beginning
    },
    close() {
      life.abort()
      for (const connector of connectors) connector.close()
    },
  }
}

type Made = Map<unknown, FoundWallet>

/** The same wallet stays the same object while the page lives, and so does its connector. */
function once(all: Made, key: unknown, make: () => FoundWallet): FoundWallet {
  const wallet = all.get(key) ?? make()
  all.set(key, wallet)
  return wallet
}

/** Announced twice, or by two names: the same provider, or another one of the same wallet. */
const isDouble = (one: Injected) => (other: Injected) =>
  one.provider === other.provider || (one.rdns !== undefined && one.rdns === other.rdns)

/**
 * Whether a wallet has the reverse-domain name that belongs to its name; such a wallet comes before its
 * namesakes.
 */
const isGenuine = ({ meta, rdns }: Injected) => rdns !== undefined && walletOf(meta.id)?.rdns === rdns

/** Of the wallets at `window.ethereum`, those that have not announced themselves as well. */
const newLegacy = (announced: readonly Injected[], legacy: readonly Injected[]) =>
  legacy.filter(
    (one, at) =>
      (one.meta.id !== 'unknown' || announced.length === 0) &&
      !announced.some((other) => isDouble(one)(other) || other.meta.id === one.meta.id) &&
      legacy.findIndex((other) => other.meta.id === one.meta.id) === at,
  )
