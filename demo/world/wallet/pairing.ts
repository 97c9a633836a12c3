import type { WalletKitTypes } from '@reown/walletkit'
import type { EthereumWallet } from './ethereum.ts'
import { tolerateLateEnds } from './late-ends.ts'

type Metadata = WalletKitTypes.Metadata
type Namespaces = Record<
  string,
  { chains: string[]; accounts: string[]; methods: string[]; events: string[] }
>

export interface PhoneSettings {
  relayUrl: string
  /** What it opens and signs with. What is scripted there happens here: a pairing asks `eth_requestAccounts`. */
  wallet: EthereumWallet
  /** Chains that it opens, of those that it is asked for; all without it. */
  chains?: readonly number[] | undefined
  /** What it says of itself; anything, where it is to be a bad one. */
  metadata?: Partial<Metadata> | undefined
  /** What it says it opens, in the place of what it should. */
  namespaces?: ((sound: Namespaces) => Namespaces) | undefined
  projectId?: string | undefined
  /** The person, who sees who wants to be let in; without them everybody is. */
  approve?: ((peer: { name: string; url: string }) => boolean | Promise<boolean>) | undefined
}
/** A wallet elsewhere that is connected over WalletConnect. */
export interface Phone {
  /** Takes in the text of a code; resolves when it is in, not when it is answered. */
  pair(uri: string): Promise<void>
  /** Who is connected. */
  sessions(): readonly {
    readonly topic: string
    readonly name: string
    readonly accounts: readonly string[]
  }[]
  /** Resolves as soon as there is a session. */
  connected(): Promise<void>
  /** The person ends all connections in the wallet. */
  disconnect(): Promise<void>
  /** The phone has no network, until it is back. */
  away(): Promise<void>
  back(): Promise<void>
  close(): Promise<void>
}

const eventsOf = ['accountsChanged', 'chainChanged']
const methodsOf = [
  ...['eth_sendTransaction', 'personal_sign', 'eth_signTypedData_v4', 'eth_accounts', 'eth_requestAccounts'],
  ...['wallet_switchEthereumChain', 'wallet_addEthereumChain'],
]
const declined = { code: 5000, message: 'User rejected.' }
const ended = { code: 6000, message: 'User disconnected.' }

/** The wallet's side of WalletConnect on a person's phone: the vendor's own library over any relay. */
export async function startPhone(settings: PhoneSettings): Promise<Phone> {
  const { wallet, relayUrl, projectId = '0'.repeat(32), chains, namespaces = (sound) => sound } = settings
  const { provider, info } = wallet
  // The library's own switch against its telemetry and its look-ups of strangers, which have hosts of their own.
  process.env.IS_VITEST ??= 'true'
  const [{ WalletKit }, { Core }] = await Promise.all([
    import('@reown/walletkit'),
    import('@walletconnect/core'),
  ])
  const core = new Core({
    projectId,
    relayUrl,
    telemetryEnabled: false,
    customStoragePrefix: crypto.randomUUID(),
    logger: 'silent',
    storageOptions: { database: ':memory:' },
  })
  const kit = await WalletKit.init({
    core: core as WalletKitTypes.Options['core'],
    metadata: {
      name: info.name,
      description: `${info.name}, as far as the demo goes`,
      url: 'https://wallet.example.com',
      icons: [],
      ...settings.metadata,
    },
  })
  tolerateLateEnds(kit.engine.signClient.engine)
  const waiting: (() => void)[] = []
  let answering = false

  const openAccounts = (accounts: readonly string[], asked: readonly string[]): Namespaces => ({
    eip155: {
      chains: [...asked],
      accounts: asked.flatMap((chain) => accounts.map((account) => `${chain}:${account}`)),
      methods: methodsOf,
      events: eventsOf,
    },
  })

  kit.on('session_proposal', async ({ id, params }) => {
    const { requiredNamespaces, optionalNamespaces } = params
    const asked = [requiredNamespaces.eip155, optionalNamespaces.eip155].flatMap((each) => each?.chains ?? [])
    const shared = [...new Set(asked)].filter((chain) => !chains || chains.includes(Number(chain.slice(7))))
    try {
      const { name, url } = params.proposer.metadata
      if (settings.approve && !(await settings.approve({ name, url }))) throw new Error('Declined')
      const accounts = (await provider.request({ method: 'eth_requestAccounts' })) as string[]
      if (shared.length === 0) throw new Error('The two sides have no chain in common')
      await kit.approveSession({ id, namespaces: namespaces(openAccounts(accounts, shared)) })
      for (const tell of waiting.splice(0)) tell()
    } catch {
      await kit.rejectSession({ id, reason: declined }).catch(() => {})
    }
  })
  kit.on('session_request', async ({ topic, id, params }) => {
    const { chainId, request } = params
    const answer = await answerOf(Number(chainId.slice(7)), request)
    await kit.respondSessionRequest({ topic, response: { id, jsonrpc: '2.0', ...answer } }).catch(() => {})
  })

  async function answerOf(chainId: number, request: { method: string; params: unknown }) {
    try {
      answering = true
      wallet.control.pickChain(chainId)
      answering = false
      return { result: await provider.request(request) }
    } catch (cause) {
      const { code = -32603, message = String(cause) } = cause as { code?: number; message?: string }
      return { error: { code, message } }
    } finally {
      answering = false
    }
  }

  const sessions = () => Object.values(kit.getActiveSessions())
  /** Tells the other sides what the person has changed here. */
  const follow = (act: (topic: string, chains: readonly string[]) => Promise<unknown>) =>
    Promise.all(
      sessions().map(({ topic, namespaces }) => act(topic, namespaces.eip155?.chains ?? []).catch(() => {})),
    )
  const onAccounts = (accounts: readonly string[]) => {
    if (accounts.length === 0) return void disconnect()
    void follow(async (topic, known) => {
      const { acknowledged } = await kit.updateSession({ topic, namespaces: openAccounts(accounts, known) })
      await acknowledged()
      const event = { name: 'accountsChanged', data: accounts }
      await kit.emitSessionEvent({ topic, chainId: known[0] ?? 'eip155:1', event })
    })
  }
  const onChain = (chainId: string) => {
    if (answering) return
    const chain = `eip155:${Number(chainId)}`
    const event = { name: 'chainChanged', data: Number(chainId) }
    void follow((topic) => kit.emitSessionEvent({ topic, chainId: chain, event }))
  }
  provider.on('accountsChanged', onAccounts)
  provider.on('chainChanged', onChain)

  const disconnect = async () => {
    await follow((topic) => kit.disconnectSession({ topic, reason: ended }))
  }

  return {
    pair: (uri) => kit.pair({ uri }),
    sessions: () =>
      sessions().map(({ topic, peer, namespaces }) => ({
        topic,
        name: peer.metadata.name,
        accounts: namespaces.eip155?.accounts ?? [],
      })),
    connected: () =>
      sessions().length > 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(() => resolve())),
    disconnect,
    away: () => core.relayer.transportClose(),
    back: () => core.relayer.transportOpen(),
    async close() {
      provider.removeListener('accountsChanged', onAccounts)
      provider.removeListener('chainChanged', onChain)
      core.heartbeat.stop()
      await core.relayer.transportClose().catch(() => {})
    },
  }
}
