import { ed25519 } from '@noble/curves/ed25519.js'
import { base58, base64, hex } from '@scure/base'
import * as v from 'valibot'
import { privateKeyToAccount } from 'viem/accounts'
import { anvilKeys, demoSeeds } from '../../demo/world/wallet/accounts.ts'
import type { ActivityEntry } from '../../src/activity/entry.ts'
import { type HostConfig, resolveConfig } from '../../src/app/config.ts'
import { createTranslate } from '../../src/copy/copy.ts'
import { createRuns } from '../../src/dialog/runs.ts'
import { KitError } from '../../src/errors/kit-error.ts'
import type {
  Balance,
  EmbeddedWallet,
  KitEvents,
  KitState,
  SendFormOptions,
  SignTransactionOptions,
  SmartWallet,
  TransactionRequestInput,
} from '../../src/kit/api.ts'
import type { KitContext } from '../../src/kit/context.ts'
import { openActivity } from '../../src/kit/host/activity.ts'
import { createKitBalances } from '../../src/kit/host/balances.ts'
import { hostFeatures } from '../../src/kit/host/features.ts'
import { offerFunding } from '../../src/kit/host/funding.ts'
import { openSend } from '../../src/kit/host/send-form.ts'
import { sendTransactionForHost } from '../../src/kit/host/transactions.ts'
import { createKitEmbedded } from '../../src/kit/wallets/embedded.ts'
import { createSending } from '../../src/kit/wallets/sending.ts'
import type { Clock } from '../../src/lib/clock.ts'
import { createEmitter } from '../../src/lib/emitter.ts'
import type { Fetch } from '../../src/lib/retrying-fetch.ts'
import { memoryStorage } from '../../src/lib/storage.ts'
import { createStore } from '../../src/lib/store.ts'
import type { FundingSettings } from '../../src/protocol/app-config.ts'
import type { RpcRequest } from '../../src/protocol/frame/calls.ts'
import type { LinkedAccount, SmartWalletAccount, User } from '../../src/protocol/user.ts'
import type { EmbeddedAccount, EmbeddedWallets } from '../../src/wallets/embedded/embedded-wallets.ts'
import type { ConnectedAccount } from '../../src/wallets/external/connector.ts'
// Loaded beforehand, so that no test waits for what the kit loads lazily.
import '../../src/solana/adapter.ts'
import '../../src/ethereum/transaction.ts'
import '../../src/ethereum/track.ts'
import '../../src/ethereum/typed-data.ts'
import '../../src/wallets/flows.ts'
import '../../src/kit/host/signing.ts'
import '../../src/kit/host/send-calls.ts'
import '../../src/kit/host/smart-wallets.ts'
import '../../src/kit/wallets/smart-accounts.ts'
import '../../src/signing/user-operation/track.ts'
import '../../src/wallets/smart/accounts/simple-7702.ts'
import '../../src/signing/calls/batches.ts'
import '../../src/ethereum/broadcast.ts'
import '../../src/kit/host/solana.ts'
import type { fakeApprovals } from './approvals.ts'
import { testClock } from './clock.ts'
import { testPage } from './page.ts'
import { scriptedPerson } from './person.ts'

const seed = hex.decode(demoSeeds[0])
export const solanaAddress = base58.encode(ed25519.getPublicKey(seed))
/** A network at a node that tests script. */
export const exampleChain = (id = 1, name = 'Ethereum') => ({
  id,
  name,
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [`https://node.example/${id}`] } },
})
export const ethereumAccount = privateKeyToAccount(anvilKeys[0])
export const secondAccount = privateKeyToAccount(anvilKeys[1])
const keys = [ethereumAccount, secondAccount]

export const walletAccount = (over: Partial<EmbeddedAccount> = {}): EmbeddedAccount => ({
  type: 'wallet',
  address: ethereumAccount.address,
  chainType: 'ethereum',
  chainId: undefined,
  embedded: true,
  walletClientType: undefined,
  connectorType: 'embedded',
  imported: false,
  delegated: false,
  walletIndex: 0,
  recoveryMethod: 'privy',
  verifiedAt: new Date(0),
  firstVerifiedAt: undefined,
  latestVerifiedAt: undefined,
  ...over,
})
export const onSolana = walletAccount({ address: solanaAddress, chainType: 'solana' })

/** A vault's answers to the wallet methods, made with libraries other than its own. */
export async function vaultAnswer(wallet: EmbeddedAccount, { method, params }: RpcRequest) {
  const list = params as readonly never[]
  if (wallet.chainType === 'solana') {
    const message = base64.decode(String((params as { message?: unknown }).message))
    return { signature: base64.encode(ed25519.sign(message, seed)) }
  }
  const account = keys.find(({ address }) => address === wallet.address)
  if (!account) throw new KitError('unknown_embedded_wallet_error', 'No such key')
  if (method === 'personal_sign') return account.signMessage({ message: { raw: list[0] as never } })
  if (method === 'secp256k1_sign') return account.sign({ hash: list[0] as never })
  if (method === 'eth_signTypedData_v4') return account.signTypedData(list[1] as never)
  const { from: _, gasLimit, type, ...transaction } = list[0] as unknown as Record<string, never>
  const amount = (name: string) => (transaction[name] === undefined ? undefined : BigInt(transaction[name]))
  return account.signTransaction({
    ...transaction,
    type: ['legacy', 'eip2930', 'eip1559'][Number(type)],
    gas: BigInt(gasLimit as never),
    value: amount('value'),
    nonce: Number(transaction.nonce),
    gasPrice: amount('gasPrice'),
    maxFeePerGas: amount('maxFeePerGas'),
    maxPriorityFeePerGas: amount('maxPriorityFeePerGas'),
  } as never)
}

const person = (wallets: readonly LinkedAccount[], id = 'u1') =>
  ({ id, linkedAccounts: wallets, smartWallet: wallets.find(isSmart) }) as unknown as User
const isSmart = ({ type }: LinkedAccount) => type === 'smart_wallet'

/** A smart wallet as the server has it. */
export const smartAccount = (over: Partial<SmartWalletAccount>): SmartWalletAccount => ({
  type: 'smart_wallet',
  address: ethereumAccount.address,
  smartWalletType: 'simple_7702',
  smartWalletVersion: undefined,
  verifiedAt: new Date(0),
  firstVerifiedAt: undefined,
  latestVerifiedAt: undefined,
  ...over,
})

/** The kit's embedded wallets with a person, without a server or a vault. */
export function embeddedKit({
  wallets = [walletAccount()],
  host = {},
  fetch = async () => Response.error(),
  clock = testClock(),
  rpc = vaultAnswer,
  approvals,
  window = new EventTarget(),
  storage = memoryStorage(),
  tabStorage = memoryStorage(),
  connected = [],
  funding,
  smart = { enabled: false },
  smartWallets = [],
  session = {},
}: {
  wallets?: readonly EmbeddedAccount[]
  host?: HostConfig
  fetch?: Fetch
  clock?: ReturnType<typeof testClock>
  rpc?: (wallet: EmbeddedAccount, request: RpcRequest) => Promise<string | object>
  /** Makes the app strict: requests are approved in the vault's frames. */
  approvals?: ReturnType<typeof fakeApprovals>
  window?: EventTarget
  storage?: ReturnType<typeof memoryStorage>
  tabStorage?: ReturnType<typeof memoryStorage>
  /** External wallets that are connected. */
  connected?: readonly ConnectedAccount[]
  /** How users of the app fund their wallets. */
  funding?: FundingSettings
  /** The server's answer about the app's smart wallets. */
  smart?: object
  /** Those that are linked to the user. */
  smartWallets?: readonly SmartWalletAccount[]
  /** The server's time, which is the device's by default, and its response to the request that learns it. */
  session?: { serverNow?: () => number; refreshUser?: () => Promise<void> }
} = {}) {
  const page = testPage({ window: window as Window })
  const someone = scriptedPerson(clock)
  const runs = createRuns({
    clock: clock as Clock,
    makeSurface: () => someone.surface,
    openWindow: () => null,
  })
  const state = createStore<KitState>({ ready: true, authenticated: false, user: null, isModalOpen: false })
  runs.isOpen.subscribe(() => state.set({ ...state.get(), isModalOpen: runs.isOpen.get() }))
  let settings = host
  const vault = approvals ? { vault: 'strict' as const } : {}
  const config = () => ({ ...resolved(), ...vault })
  const resolved = () =>
    resolveConfig(settings, { name: 'Harbor', loginMethods: new Set(), raw: {}, funding } as never)
  const asked: RpcRequest[] = []
  const told: KitError[] = []
  const tracked: string[] = []
  const embedded = {
    prepare() {},
    list: () => wallets,
    find: (address: string) => wallets.find((each) => each.address === address),
    rootOf: (wallet: EmbeddedAccount) => wallet,
    async rpc(wallet: EmbeddedAccount, request: RpcRequest) {
      asked.push(request)
      return rpc(wallet, request)
    },
    async recover() {},
    async refresh() {},
  } as unknown as EmbeddedWallets
  const approving = { open: (purpose: string) => approvals?.open({ purpose } as never) }
  const app = { state, known: config, whenReady: async () => {} }
  /** The server answers about smart wallets alone. */
  const http = {
    async call({ path, answer }: { path: string; answer: v.GenericSchema }, body: unknown) {
      const { pathname } = new URL(path, 'https://api.example')
      if (pathname.endsWith('/smart_wallets')) return v.parse(answer, smart)
      posted.push({ path: pathname, body })
      if (pathname.endsWith('/siwe/init')) return v.parse(answer, { nonce: 'abcdefgh12345678' })
      return {}
    },
  }
  const posted: { path: string; body: unknown }[] = []
  const events = createEmitter<KitEvents>()
  const context = {
    app,
    clock,
    page,
    events,
    runs,
    analytics: { track: (name: string) => void tracked.push(name) },
    services: async () => ({
      http: () => http,
      session: { serverNow: () => clock.now(), refreshUser: async () => {}, ...session },
      wallets: {
        embedded: async () => embedded,
        approving: async () => approving,
        external: async () => ({ connected: createStore(connected) }),
      },
    }),
    showWallets: async () => {},
    appId: 'latchkey-demo-recover-013',
    fetch,
    flow: (stage: unknown) => ({
      stage,
      clock,
      page,
      config: config(),
      t: createTranslate({}),
      recentWallet: undefined,
      report: (error: KitError) => void told.push(error),
      track() {},
    }),
  } as unknown as KitContext
  const shown = createStore<readonly EmbeddedWallet[]>([])
  const shownSmart = createStore<readonly SmartWallet[]>([])
  const appId = 'latchkey-demo-recover-013'
  const activity = createStore<readonly ActivityEntry[]>([])
  const balances = createStore<readonly Balance[]>([])
  const sending = createSending({
    ...context,
    ...{ appId, storage, fetch, clock, page, activity, app },
    offerFunding: (place) => offerFunding(context, sending, place),
  })
  const kit = createKitEmbedded({
    appId,
    storage,
    tabStorage,
    clock,
    page,
    fetch,
    wallets: shown,
    kit: { ...context, balances } as KitContext,
    app,
    sending,
    signing: hostFeatures.signing,
    calls: hostFeatures.sendCalls,
    watch: hostFeatures.watchToken,
    smart: hostFeatures.smartWallets,
    smartWallets: shownSmart,
  })
  const kitBalances = createKitBalances({ ...context, activity, balances, clock, fetch }, sending)
  kit.publish()
  /** What the calls of a host are given. */
  const hostContext: KitContext = { ...context, app, page, events } as unknown as KitContext
  const login = (of: readonly LinkedAccount[] = [...wallets, ...smartWallets], id?: string) =>
    state.set({ ...state.get(), authenticated: true, user: person(of, id) })
  const logout = () => {
    runs.close()
    state.set({ ...state.get(), authenticated: false, user: null })
  }
  return {
    kit,
    person: someone,
    runs,
    clock,
    page,
    window,
    storage,
    asked,
    activity,
    hostContext,
    sending,
    events,
    posted,
    smartWallets: shownSmart,
    sendForHost: (input: TransactionRequestInput, options?: SignTransactionOptions) =>
      sendTransactionForHost(context, sending, input, options),
    openSend: (options?: SendFormOptions) =>
      openSend(
        { ...context, page, activity, clock, wallets: createStore(connected) } as unknown as KitContext,
        sending,
        kitBalances,
        options,
      ),
    openActivity: () => openActivity(context, sending, {}),
    openBalances: () => kitBalances.open({}),
    balances: { ...balances, refresh: kitBalances.refresh },
    close: sending.close,
    told,
    tracked,
    login,
    logout,
    configure: (next: HostConfig) => {
      settings = next
    },
    provider: (at = 0) =>
      shown.get()[at]?.getProvider() as import('../../src/wallets/external/connector.ts').EthereumProvider,
    solana: (at = 0) =>
      shown.get()[at]?.getProvider() as import('../../src/wallets/external/connector.ts').SolanaProvider,
  }
}
