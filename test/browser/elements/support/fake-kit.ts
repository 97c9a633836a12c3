import { createRuns } from '../../../../src/dialog/runs.ts'
import type { Stage } from '../../../../src/dialog/stage.ts'
import type { Surface } from '../../../../src/dialog/surface.ts'
import { KitError } from '../../../../src/errors/kit-error.ts'
import type {
  Balance,
  ConnectedWallet,
  Kit,
  KitEvents,
  KitState,
  Look,
  TransactionReceipt,
} from '../../../../src/kit/api.ts'
import { createHeadlessMethods } from '../../../../src/kit/host/headless.ts'
import { systemClock } from '../../../../src/lib/clock.ts'
import { createEmitter, type Emitter } from '../../../../src/lib/emitter.ts'
import { createStore } from '../../../../src/lib/store.ts'
import type { User, WalletAccount } from '../../../../src/protocol/user.ts'
import { createRequestQueue } from '../../../../src/signing/request-queue.ts'
import { first, second } from './screens.tsx'

export const somebody: User = {
  id: 'did:lk:somebody',
  createdAt: new Date(0),
  linkedAccounts: [],
  mfaMethods: [],
  hasAcceptedTerms: true,
  isGuest: false,
  customMetadata: {},
  email: undefined,
  phone: undefined,
  wallet: undefined,
  farcaster: undefined,
  telegram: undefined,
  smartWallet: undefined,
  google: undefined,
  apple: undefined,
  twitter: undefined,
  discord: undefined,
  github: undefined,
  linkedin: undefined,
  spotify: undefined,
  instagram: undefined,
  tiktok: undefined,
}

/** A wallet that does nothing. */
export const someWallet: ConnectedWallet = {
  address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  chainType: 'ethereum',
  chainId: 'eip155:1',
  walletClientType: 'metamask',
  connectorType: 'injected',
  meta: { id: 'metamask', name: 'MetaMask', icon: undefined },
  connectedAt: 0,
  linked: false,
  isConnected: async () => true,
  getProvider: () => ({ request: async () => null, on() {}, removeListener() {} }),
  switchChain: async () => {},
  sign: async () => '0xs',
  loginOrLink: async () => somebody,
  unlink: async () => somebody,
  activate: async () => {},
  disconnect: async () => {},
}

/** A wallet in the vault. */
export const embedded: WalletAccount = {
  type: 'wallet',
  address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  chainType: 'ethereum',
  chainId: 'eip155:1',
  embedded: true,
  walletClientType: 'embedded',
  connectorType: 'embedded',
  imported: false,
  delegated: false,
  walletIndex: 0,
  recoveryMethod: 'user-passcode',
  verifiedAt: new Date(0),
  firstVerifiedAt: new Date(0),
  latestVerifiedAt: new Date(0),
}

type Flow = (stage: Stage) => Promise<unknown>

export interface FakeKit extends Kit {
  /** What `login()` and `signMessage()` run instead of the real flows. */
  flow: Flow
  /** How many surfaces are attached, and listeners are on. */
  counts(): { surfaces: number; listeners: number }
  setUser(user: User | null): void
  fail(error: KitError): void
  emit: Emitter<KitEvents>['emit']
  readonly configured: object[]
}

/** First screen, second screen, in. */
export const twoScreens: Flow = async (stage) => {
  for (;;) {
    await stage.ask(first, {})
    if ((await stage.ask(second, {})) === 'done') return
  }
}

const receiptOf = (hash: `0x${string}`): TransactionReceipt => ({
  transactionHash: hash,
  status: 'success',
  blockNumber: 16n,
  blockHash: '0xb',
  from: '0xa',
  gasUsed: 21_000n,
  logs: [],
  hasAllLogs: true,
})

/** A kit without wire or session: the real stage and runs, with small screens. */
export function fakeKit(appId = 'fake'): FakeKit {
  const headless = createHeadlessMethods(() => Promise.reject(new Error('no services'))).methods
  const events = createEmitter<KitEvents>()
  const state = createStore<KitState>({ ready: true, authenticated: false, user: null, isModalOpen: false })
  const look = createStore<Look>({ theme: 'light', accent: undefined, appName: 'Fake' })
  const runs = createRuns({
    clock: systemClock,
    openWindow: () => null,
    makeSurface: (): Surface => {
      throw new KitError('invalid_configuration', 'no surface')
    },
  })
  let surfaces = 0
  let listeners = 0
  const counted =
    <A extends unknown[]>(subscribe: (...args: A) => () => void) =>
    (...args: A) => {
      listeners++
      const off = subscribe(...args)
      return () => {
        listeners--
        off()
      }
    }
  const queue = createRequestQueue(runs.isBusy, 10)
  const sign = (options: { readonly signal?: AbortSignal; readonly surface?: Surface } = {}) =>
    queue.run(
      (turn) =>
        runs.run('sign', { ...options, queue: turn }, async (stage) => {
          try {
            return await kit.flow(stage)
          } catch (cause) {
            if (stage.signal.aborted) turn.rejectWaiting()
            throw cause
          }
        }),
      options.signal ?? new AbortController().signal,
    )
  const wallets = createStore<readonly ConnectedWallet[]>([])
  const kit: FakeKit = {
    appId,
    wallets,
    embeddedWallets: createStore([]),
    smartWallets: createStore([]),
    async createSmartWallet() {
      throw new KitError('feature_not_enabled', 'The app has no smart wallets')
    },
    activity: createStore([]),
    balances: { ...createStore<readonly Balance[]>([]), refresh: async () => [] },
    devices: {
      list: async () => [],
      remove: async () => {},
      countRequests: async () => 0,
      approve: async () => 'none',
      proofs: async () => [],
      addProof: async () => false,
    },
    delegateWallet: async () => ({ id: '', expiresAt: new Date(0) }),
    revokeDelegatedWallets: async () => {},
    permissions: { list: async () => [], stop: async () => {} },
    connectedApps: { list: async () => [], disconnect: async () => {} },
    mfa: {
      methods: [],
      state: createStore({ status: 'idle' }),
      enroll: async () => [],
      remove: async () => [],
      recoveryCodes: async () => {},
      prompt: async () => {},
      init: async () => undefined,
      submit: async () => {},
      cancel() {},
      initEnrollment: async () => ({}),
      submitEnrollment: async () => [],
      unenroll: async () => [],
    },
    flow: twoScreens,
    configured: [],
    counts: () => ({ surfaces, listeners }),
    setUser(user) {
      state.set({ ...state.get(), user, authenticated: user !== null })
      events.emit('user', { user })
      if (!user) events.emit('logout', undefined)
    },
    fail: (error) => events.emit('error', error),
    emit: events.emit,
    ready: true,
    get authenticated() {
      return state.get().authenticated
    },
    get user() {
      return state.get().user
    },
    get isModalOpen() {
      return runs.isOpen.get()
    },
    state: { get: state.get, subscribe: counted(state.subscribe) },
    look,
    copy: createStore({}),
    trace: runs.trace,
    whenReady: async () => {},
    subscribe: (listener) => state.subscribe(() => listener(state.get())),
    on: counted(events.on) as Kit['on'],
    async login(options = {}) {
      await runs.run('login', options, (stage) => kit.flow(stage))
      state.set({ ...state.get(), user: somebody, authenticated: true })
      const detail = {
        isNewUser: true,
        wasAlreadyAuthenticated: false,
        loginMethod: 'email',
        loginAccount: null,
      }
      events.emit('login', { ...detail, user: somebody })
      events.emit('user', { user: somebody })
      return somebody
    },
    async logout() {
      kit.setUser(null)
    },
    getAccessToken: async () => (state.get().user ? 'token' : null),
    getIdentityToken: async () => null,
    async createWallet(options = {}) {
      await runs.run('create', options, (stage) => kit.flow(stage))
      events.emit('wallet', { wallet: embedded })
      return embedded
    },
    importWallet: async () => embedded,
    async setWalletRecovery(options = {}) {
      await runs.run('recovery', options, (stage) => kit.flow(stage))
      events.emit('recovery', { method: 'user-passcode', wallet: embedded })
      return 'user-passcode'
    },
    async setWalletPassword(options = {}) {
      await runs.run('recovery', options, (stage) => kit.flow(stage))
      return embedded
    },
    async exportWallet(options = {}) {
      await runs.run('export', options, (stage) => kit.flow(stage))
    },
    acceptTerms: async () => {},
    async link(method, options = {}) {
      await runs.run('link', options, (stage) => kit.flow(stage))
      events.emit('linked', { user: somebody, method, account: null })
      return somebody
    },
    async unlink(_account, options = {}) {
      await runs.run('unlink', options, (stage) => kit.flow(stage))
      events.emit('unlinked', { user: somebody, method: 'email', account: null })
      return somebody
    },
    async updateEmail(options = {}) {
      await runs.run('update', options, (stage) => kit.flow(stage))
      events.emit('updated', { user: somebody, method: 'email', account: null })
      return somebody
    },
    async updatePhone(options = {}) {
      await runs.run('update', options, (stage) => kit.flow(stage))
      events.emit('updated', { user: somebody, method: 'sms', account: null })
      return somebody
    },
    initiateTransfer: async () => somebody,
    passkeys: {
      async manage(options = {}) {
        await runs.run('settings', options, (stage) => kit.flow(stage))
        return []
      },
      rename: async () => somebody,
    },
    sessions: { list: async () => [], end: async () => {}, endOthers: async () => {} },
    async manageAccount(options = {}) {
      await runs.run('settings', options, (stage) => kit.flow(stage))
      return somebody
    },
    async openSend(options = {}) {
      await sign(options)
      const sent = { transactionHash: '0xh', receipt: receiptOf('0xh') }
      const detail = { chain: 'eip155:1', address: '0xa' }
      events.emit('submitted', { transactionHash: '0xh', ...detail })
      events.emit('receipt', { ...sent, ...detail })
      return { ...sent, ...detail }
    },
    async fundWallet(options = {}) {
      await runs.run('fund', options, (stage) => kit.flow(stage))
      const funded = {
        method: 'manual',
        status: 'confirmed',
        address: '0xa',
        chain: options.chain ?? 'eip155:1',
        asset: typeof options.asset === 'string' ? options.asset : 'native-currency',
        symbol: 'ETH',
        amount: options.amount ?? '1',
      } as const
      events.emit('funded', funded)
      return funded
    },
    async openBalances(options = {}) {
      await runs.run('settings', options, (stage) => kit.flow(stage))
    },
    async openActivity(options = {}) {
      await runs.run('settings', options, (stage) => kit.flow(stage))
    },
    signMessage: (async (_input: unknown, options: object) => {
      await sign(options)
      events.emit('signature', { signature: '0xs', address: '0xa' })
      return { signature: '0xs' }
    }) as unknown as Kit['signMessage'],
    async signTypedData(_input, options = {}) {
      await sign(options)
      events.emit('signature', { signature: '0xs', address: '0xa' })
      return { signature: '0xs' }
    },
    async signTransaction(_input, options = {}) {
      await sign(options)
      return { signedTransaction: '0xsigned' }
    },
    async sendTransaction(_input, options = {}) {
      await sign(options)
      const sent = { transactionHash: '0xh', receipt: receiptOf('0xh') }
      const detail = { chain: 'eip155:1', address: '0xa' }
      events.emit('submitted', { transactionHash: '0xh', ...detail })
      events.emit('receipt', { ...sent, ...detail })
      return sent
    },
    async sendCalls({ id = '0xid', ...options }) {
      await runs.run('sign', options, (stage) => kit.flow(stage))
      return { id, status: 200, chain: 'eip155:1', atomic: false, receipts: [] }
    },
    farcasterSigner: {
      request: async () => Promise.reject(new Error('No user')),
      sign: async () => new Uint8Array(64),
    },
    fetchWithPayment: async () => new Response(),
    getCallsStatus: async () => null,
    upgradeWallet: (options) => kit.sendTransaction({ to: '0x' }, options),
    downgradeWallet: (options) => kit.sendTransaction({ to: '0x' }, options),
    async signAuthorization(options = {}) {
      await runs.run('sign', options, (stage) => kit.flow(stage))
      const word = `0x${'11'.repeat(32)}` as const
      return { address: `0x${'22'.repeat(20)}`, chainId: 1, nonce: 0, r: word, s: word, yParity: 0 }
    },
    solana: {
      async signMessage(_message, options = {}) {
        await sign(options)
        return { signature: 'c2lnbmVk' }
      },
      async signTransaction(transaction, options = {}) {
        await sign(options)
        return { signedTransaction: transaction as never }
      },
      async signAllTransactions(transactions, options = {}) {
        await sign(options)
        return { signedTransactions: [...transactions] as never[] }
      },
      async signAndSendTransaction(_transaction, options = {}) {
        await sign(options)
        const receipt = { signature: 's', slot: 1n, time: undefined, fee: 5_000n, units: 150n }
        return {
          transactionHash: 's',
          receipt: { ...receipt, failure: undefined, logs: [], out: [], in: [] },
        }
      },
      async signAndSendAllTransactions(_transactions, options = {}) {
        await runs.run('sign', options, (stage) => kit.flow(stage))
        return { id: '0xid', status: 200, chain: 'solana:mainnet', atomic: false, receipts: [] }
      },
    },
    async connectWallet(options = {}) {
      await runs.run('connect', options, (stage) => kit.flow(stage))
      wallets.set([someWallet])
      events.emit('connect', { wallet: someWallet })
      events.emit('wallets', { wallets: wallets.get() })
      return someWallet
    },
    connectOrCreateWallet: async (options) => ({ wallet: await kit.connectWallet(options) }),
    ...headless,
    crossApp: {
      ...headless.crossApp,
      signMessage: async () => ({ signature: '0x' }),
      signTypedData: async () => ({ signature: '0x' }),
      sendTransaction: async () => ({ transactionHash: '0xh' }),
      request: () => Promise.reject(new Error('no services')),
      respond: () => Promise.reject(new Error('no services')),
      decline: () => Promise.reject(new Error('no services')),
    },
    configure: (options) => void kit.configured.push(options),
    attach(surface) {
      surfaces++
      const off = runs.attach(surface)
      return () => {
        surfaces--
        off()
      }
    },
    destroy() {},
  }
  return kit
}
