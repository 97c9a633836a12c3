import type { EthereumProvider } from '@walletconnect/ethereum-provider'
import { KitError } from '../../../errors/kit-error.ts'
import { lazily } from '../../../errors/lazily.ts'
import { singleFlight } from '../../../lib/single-flight.ts'
import type { ConnectorContext } from '../connector.ts'
import { type SdkStorage, sdkStorage } from './memory.ts'
import { walletConnectSettings } from './settings.ts'

/** WalletConnect's own client: pairings, sessions, requests over the relay. */
export type Client = InstanceType<typeof EthereumProvider>['signer']['client']
export type Session = ReturnType<Client['session']['get']>

const loadProvider = lazily(() =>
  import('@walletconnect/ethereum-provider').then(({ EthereumProvider }) => EthereumProvider),
)

/** One client per kit: it holds the sessions of all its wallets. */
const clients = new WeakMap<ConnectorContext, Promise<Client>>()

/**
 * Loads the library, and opens stored sessions. Makes no request: the relay is contacted when there is a
 * reason.
 */
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
  const EthereumProvider = await loadProvider()
  const { appName, logoUrl } = cx.config()
  const open = () =>
    EthereumProvider.init({
      projectId: settings.projectId,
      ...(settings.relayUrl && { relayUrl: settings.relayUrl }),
      metadata: {
        name: appName,
        description: appName,
        url: cx.page.origin,
        icons: logoUrl?.startsWith('https:') ? [logoUrl] : [],
      },
      optionalChains: [1],
      showQrModal: false,
      disableProviderPing: true,
      telemetryEnabled: false,
      customStoragePrefix: prefix,
      storage: storage satisfies SdkStorage,
      logger: silence() as never,
    })
  const { signer } = await open().catch(() => {
    // What lay in storage can't be read: start afresh rather than fail for ever.
    storage.clear()
    return open()
  })
  // The provider holds one session per page, drops the codes of a wallet's errors and asks the vendor's nodes. The kit
  // holds one session per wallet, so it talks to the provider's client; without a session the provider stays idle.
  delete signer.session
  const { client } = signer
  client.on('session_connect', ({ session }) => keepForNextPage(client, session.topic))
  client.on('session_update', ({ topic }) => keepForNextPage(client, topic))
  // A frame of the vendor's, which would delay every code for seconds where the network blocks it.
  client.core.verify.register = async () => ''
  // Otherwise each waiting message tries to connect by itself, and they take the connection from each other.
  const relayer = client.core.relayer as unknown as { connect(): Promise<void> }
  relayer.connect = singleFlight(relayer.connect.bind(relayer))
  // Otherwise another copy of the library, of any version, would mistake this one's heartbeat for its
  // own.
  for (const name of ['', '_count']) Reflect.deleteProperty(globalThis, `_walletConnectCore_${prefix}${name}`)
  return client
}

/**
 * A wallet may open `eip155:1` instead of `eip155` (CAIP-25). On the next page the provider looks for the latter alone, and
 * ends the first session that lacks it; an empty one beside the wallet's own changes nothing else.
 */
function keepForNextPage({ session }: Client, topic: string): void {
  const { namespaces } = session.get(topic)
  if (namespaces.eip155) return
  const eip155 = { accounts: [], methods: [], events: [] }
  // The session may be gone again by then.
  session.update(topic, { namespaces: { ...namespaces, eip155 } }).catch(() => {})
}

/** The library logs a lot that nobody here uses; each part is given a logger of its own. */
function silence(): object {
  const say = () => {}
  return {
    level: 'silent',
    trace: say,
    debug: say,
    info: say,
    warn: say,
    error: say,
    fatal: say,
    child: silence,
  }
}
