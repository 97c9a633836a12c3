import { lazily } from '../../errors/lazily.ts'
import type { Connector, ConnectorContext, WalletMeta } from './connector.ts'

export type RemoteReach = 'coinbase' | 'wallet-connect'

/**
 * The wallets that are not in this browser. Their SDKs are large, so they are loaded when one of them is
 * chosen.
 */
export interface Remotes {
  /** One wallet has one connector, however often it is requested. */
  connector(reach: RemoteReach, meta: WalletMeta): Promise<Connector>
  close(): void
}

export function createRemotes(cx: ConnectorContext): Remotes {
  const coinbase = lazily(() => import('./coinbase.ts'))
  const walletConnect = lazily(() => import('./wallet-connect/connector.ts'))
  const made = new Map<string, Connector>()

  async function make(reach: RemoteReach, meta: WalletMeta): Promise<Connector> {
    if (reach === 'wallet-connect') return (await walletConnect()).createWalletConnectConnector(cx, { meta })
    const { createCoinbaseConnector } = await coinbase()
    const preference = cx.config().host.externalWallets?.coinbaseWallet?.connectionOptions ?? 'all'
    return createCoinbaseConnector(cx, { preference })
  }

  return {
    async connector(reach, meta) {
      const key = `${reach} ${meta.id}`
      const fresh = made.get(key) ?? (await make(reach, meta))
      // Somebody else may have been faster.
      const connector = made.get(key) ?? fresh
      made.set(key, connector)
      return connector
    },
    close() {
      for (const connector of made.values()) connector.close()
    },
  }
}
