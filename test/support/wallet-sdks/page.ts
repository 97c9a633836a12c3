/** A page with our connectors, and with the bare library beside them, for measuring. Bundled as the package is. */
import { type HostConfig, resolveConfig } from '../../../src/app/config.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { pageOf } from '../../../src/lib/page.ts'
import { webStorage } from '../../../src/lib/storage.ts'
import type { AppConfig } from '../../../src/protocol/app-config.ts'
import type { Connector, ConnectorContext } from '../../../src/wallets/external/connector.ts'

const chain = {
  id: 1,
  name: 'Ethereum',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: ['http://127.0.0.1:1'] } },
}
const projectId = '0'.repeat(32)

function context(host: HostConfig): ConnectorContext {
  const app = { id: 'page', name: 'Page', loginMethods: new Set() } as unknown as AppConfig
  const config = resolveConfig(
    { supportedChains: [chain], walletConnectCloudProjectId: projectId, ...host },
    app,
  )
  const storage = webStorage(() => localStorage)
  return {
    appId: 'page',
    app: () => app,
    config: () => config,
    page: pageOf(() => window),
    clock: systemClock,
    serverNow: systemClock.now,
    storage,
  }
}

let connector: Connector | undefined
const open = () => {
  if (!connector) throw new Error('nothing is connected')
  return connector
}

const rig = {
  async walletConnect(relayUrl: string) {
    const { createWalletConnectConnector } = await import(
      '../../../src/wallets/external/wallet-connect/connector.ts'
    )
    connector = createWalletConnectConnector(context({ externalWallets: { walletConnect: { relayUrl } } }))
  },
  async coinbase(keysUrl: string, connectionOptions: 'all' | 'eoaOnly' | 'smartWalletOnly') {
    const { createCoinbaseConnector } = await import('../../../src/wallets/external/coinbase.ts')
    const host = { externalWallets: { coinbaseWallet: { keysUrl, connectionOptions } } }
    connector = createCoinbaseConnector(context(host), { preference: connectionOptions })
    await connector.initialise()
  },
  initialise: () => open().initialise(),
  accounts: () => open().accounts.get(),
  meta: () => open().meta,
  type: () => open().type,
  sign: (address: string, message: string) => open().sign({ address, message }),
  disconnect: () => open().disconnect(),
  /** Connects; what comes of it is in `outcome`. */
  connect() {
    rig.uri = rig.outcome = undefined
    const onUri = (uri: string) => {
      rig.uri = uri
      rig.uriAt = performance.now()
    }
    open()
      .connect({ onUri })
      .then(
        (accounts) => {
          rig.outcome = { accounts }
        },
        (cause) => {
          rig.outcome = { error: cause.code ?? String(cause) }
        },
      )
  },
  uri: undefined as string | undefined,
  uriAt: 0,
  outcome: undefined as { accounts?: unknown; error?: string } | undefined,

  /** Milliseconds from a press until the code's text is there, with our connector. */
  async ours(relayUrl: string): Promise<number> {
    const started = performance.now()
    await rig.walletConnect(relayUrl)
    return new Promise((resolve, reject) => {
      const onUri = () => resolve(performance.now() - started)
      open().connect({ onUri }).catch(reject)
    })
  },
  /** The same with the library alone. */
  async bare(relayUrl: string): Promise<number> {
    const started = performance.now()
    // A literal, which the bundler knows as external; `as string` keeps TypeScript from looking for it.
    const { bare } = (await import('/bare.js' as string)) as typeof import('./bare.ts')
    await bare(relayUrl)
    return performance.now() - started
  },
}

export type Rig = typeof rig
Object.assign(window, { rig })
document.querySelector('button')?.addEventListener('click', () => rig.connect())
