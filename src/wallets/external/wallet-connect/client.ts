import type { EthereumProvider } from '@walletconnect/ethereum-provider'
import { singleFlight } from '../../../core/single-flight.ts'
import { KitError } from '../../../errors/kit-error.ts'
import type { ConnectorContext } from '../connector.ts'
import { type SdkStorage, sdkStorage } from './memory.ts'
import { walletConnectSettings } from './settings.ts'

/** WalletConnect's own client: pairings, sessions, requests over the relay. */
export type Client = InstanceType<typeof EthereumProvider>['signer']['client']
export type Session = ReturnType<Client['session']['get']>

/** One client per kit: it holds the sessions of all its wallets. */
const clients = new WeakMap<ConnectorContext, Promise<Client>>()

/** Loads the library, and opens what former pages left. Asks nobody: the relay is called when there is a reason. */
export function openClient(cx: ConnectorContext): Promise<Client> {
  const known = clients.get(cx)
  if (known) return known
  const opening = open(cx)
  clients.set(cx, opening)
  opening.catch(() => clients.delete(cx))
  return opening
}

async function open(cx: ConnectorContext): Promise<Client> {
  const settings = walletConnectSettings(cx.config())
  if (!settings) throw new KitError('wallet_not_available', 'WalletConnect is not set up for this app')
  const storage = sdkStorage(cx.storage, cx.appId)
  const prefix = `lk-${cx.appId}`
  const { EthereumProvider } = await import('@walletconnect/ethereum-provider')

  /**
   * Only the client is taken. The provider around it knows one session per page, loses the numbers of a peer's errors,
   * and asks the vendor's nodes.
   */
  class Opener extends EthereumProvider {
    protected override registerEventListeners() {}
    protected override async loadPersistedSession() {}
    async open(): Promise<Client> {
      const { appName, logoUrl } = cx.config()
      const { origin } = cx.page
      const icons = logoUrl?.startsWith('https:') ? [logoUrl] : []
      await this.initialize({
        projectId: settings?.projectId ?? '',
        ...(settings?.relayUrl && { relayUrl: settings.relayUrl }),
        metadata: { name: appName, description: appName, url: origin, icons },
        optionalChains: [1],
        showQrModal: false,
        disableProviderPing: true,
        telemetryEnabled: false,
        customStoragePrefix: prefix,
        storage: storage satisfies SdkStorage,
        logger: silence() as never,
      })
      // So that it does not act on sessions of its own accord.
      delete this.signer.session
      return this.signer.client
    }
  }

  const client = await new Opener().open().catch(() => {
    // What lay in storage can't be read: all is begun anew, rather than never again.
    storage.clear()
    return new Opener().open()
  })
  // A frame of the vendor's, which would hold up every code for seconds where the network is closed to it.
  client.core.verify.register = async () => ''
  // Otherwise each message that waits tries to connect by itself, and they take the connection from each other.
  const relayer = client.core.relayer as unknown as { connect(): Promise<void> }
  relayer.connect = singleFlight(relayer.connect.bind(relayer))
  // By this another copy of the library, of whatever version, would take this one's heart for its own.
  for (const name of ['', '_count']) Reflect.deleteProperty(globalThis, `_walletConnectCore_${prefix}${name}`)
  return client
}

/** The library says a good deal, of which nobody here makes use; each part is given a logger of its own. */
function silence(): object {
  const say = () => {}
  return {
    ...{ level: 'silent', trace: say, debug: say, info: say, warn: say, error: say, fatal: say },
    child: silence,
  }
}
