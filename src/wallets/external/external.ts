import { KitError } from '../../errors/kit-error.ts'
import { lazily } from '../../errors/lazily.ts'
import { isMobile } from '../../lib/device.ts'
import { createRecentLogin } from '../../session/recent-login.ts'
import { storeOf } from '../registry/stores.ts'
import { createConnections } from './connections.ts'
import type { Connector, ExternalContext, ExternalWallets, OfferOptions, WalletOffer } from './connector.ts'
import { createDiscovery, type Discovery } from './discovery.ts'
import { createHistoryStore } from './history-store.ts'
import { arrangeOffers } from './offers.ts'
import { createRemotes, type Remotes } from './remotes.ts'
import { failed, noAccounts } from './wallet-failures.ts'

export interface ExternalParts {
  readonly discovery?: Discovery | undefined
  readonly remotes?: Remotes | undefined
}

/** The external wallets of one kit. */
export function createExternalWallets(cx: ExternalContext, parts: ExternalParts = {}): ExternalWallets {
  const discovery = parts.discovery ?? createDiscovery(cx)
  const remotes = parts.remotes ?? createRemotes(cx)
  const history = createHistoryStore(cx.appId, cx.storage)
  const connections = createConnections({ clock: cx.clock, history, tabs: cx.tabs })
  const recentLogin = createRecentLogin(cx.appId, cx.storage)
  const life = new AbortController()

  async function connectorOf({ reach, found, meta }: WalletOffer): Promise<Connector> {
    if (reach === 'here' && found) return found.connector()
    if (reach === 'coinbase' || reach === 'wallet-connect') return remotes.connector(reach, meta)
    throw new KitError('wallet_not_installed', `${meta.name} is not installed`)
  }

  const restore = lazily(async () => {
    const { restoreConnections } = await import('./restore.ts')
    return { done: restoreConnections({ cx, discovery, remotes, history, connections, signal: life.signal }) }
  })

  return {
    connected: connections.connected,

    async offers(options: OfferOptions) {
      await discovery.begin()
      const { host, app } = cx.config()
      const { walletConnect, coinbaseWallet } = host.externalWallets ?? {}
      const recent = recentLogin.wallet()
      const clientType = recent?.clientType
      return arrangeOffers({
        options,
        found: discovery.found.get(),
        mobile: isMobile(cx.page.userAgent),
        walletConnect:
          walletConnect?.enabled !== false &&
          (host.walletConnectCloudProjectId ?? app.walletConnectProjectId) !== undefined,
        coinbase: coinbaseWallet?.connectionOptions ?? 'all',
        store: storeOf(cx.page.userAgent),
        recent: recent && clientType ? { clientType, chainType: recent.chainType } : undefined,
      })
    },

    onFound: (listener) => {
      discovery.begin().catch(() => {})
      return discovery.found.subscribe(listener)
    },

    async connect(offer, options = {}) {
      const connector = await connectorOf(offer)
      options.signal?.throwIfAborted()
      const [first] = await connector.connect(options)
      options.signal?.throwIfAborted()
      if (!first) throw noAccounts()
      const account = connections.take(connector, first.address)
      if (!account) throw failed('Unable to retrieve address')
      return account
    },

    activate: connections.activate,
    disconnect: connections.disconnect,
    restore: async () => (await restore()).done,

    close() {
      life.abort()
      connections.close()
      discovery.close()
      remotes.close()
    },
  }
}
