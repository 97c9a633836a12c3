import type { Stage } from '../../dialog/stage.ts'
import type { Surface } from '../../dialog/surface.ts'
import { KitError } from '../../errors/kit-error.ts'
import { lazily } from '../../errors/lazily.ts'
import type { Login } from '../../login/context.ts'
import type { LoginFeatures } from '../../login/flow.ts'
import type { HeadlessCalls } from '../../login/headless-calls.ts'
import { crossAppAccount } from '../../protocol/cross-app.ts'
import type { Returned } from '../../protocol/returns.ts'
import type { MiniAppReturn } from '../../protocol/telegram-return.ts'
import type { SmartWalletAccount } from '../../protocol/user.ts'
import type { CrossAppRequestOptions, CrossAppRequests, Kit, KitMfa, SignOptions } from '../api.ts'
import type { KitContext, LoginDialog } from '../context.ts'
import type { KitWallets } from '../wallets/external.ts'
import type { Sending } from '../wallets/sending.ts'
import { hostFeatures } from './features.ts'

/** What a host asks of a kit beyond logging in; loaded when it is first asked, or when there is a person. */
export interface HostCalls
  extends Pick<
    Kit,
    | 'createWallet'
    | 'createSmartWallet'
    | 'importWallet'
    | 'setWalletRecovery'
    | 'setWalletPassword'
    | 'exportWallet'
    | 'manageAccount'
    | 'openActivity'
    | 'openBalances'
    | 'openSend'
    | 'fundWallet'
    | 'link'
    | 'unlink'
    | 'updateEmail'
    | 'updatePhone'
    | 'initiateTransfer'
    | 'signMessage'
    | 'signTypedData'
    | 'signTransaction'
    | 'sendTransaction'
    | 'sendCalls'
    | 'getCallsStatus'
    | 'fetchWithPayment'
    | 'upgradeWallet'
    | 'downgradeWallet'
    | 'signAuthorization'
    | 'solana'
    | 'connectWallet'
    | 'connectOrCreateWallet'
    | 'acceptTerms'
    | 'devices'
    | 'farcasterSigner'
    | 'permissions'
    | 'connectedApps'
    | 'delegateWallet'
    | 'revokeDelegatedWallets'
    | 'sessions'
    | 'passkeys'
  > {
  readonly balances: Pick<Kit['balances'], 'refresh'>
  readonly crossApp: CrossAppRequests
  readonly mfa: Omit<KitMfa, 'methods' | 'state'>
  /** The calls of hosts with screens of their own. */
  headless(): Promise<HeadlessCalls>
  /**
   * Loads what continues a login that left the page. Resolves with what then does: that resolves once it has begun, and its
   * outcome is reported by events.
   */
  resume(returned: Returned | MiniAppReturn): Promise<() => Promise<void>>
  /** Announces the embedded wallets of the person to the page and its libraries, from the first such person on. */
  publishEmbedded(): Promise<void>
  /** Offers to fund the wallets that a login has created, where the app wants that. */
  promptFunding(created: NonNullable<Login['created']>, surface: Surface | undefined): Promise<void>
  /** What tells the page's developer of mistakes. */
  advice(): Promise<typeof import('./advice.ts')>
  close(): void
}

export interface HostCallsOptions {
  readonly cx: KitContext
  /** What the host sees of wallets. */
  readonly externalWallets: () => Promise<KitWallets>
  readonly loginFeatures: LoginFeatures
  readonly resume: LoginDialog['resume']
  readonly logout: () => Promise<void>
}

export function createHostCalls({ cx, ...own }: HostCallsOptions): HostCalls {
  const { app } = cx

  /** Loads a part, and calls it once the kit is ready. */
  async function call<Part, T>(load: () => Promise<Part>, work: (part: Part) => Promise<T>): Promise<T> {
    const part = await load()
    await app.whenReady()
    return work(part)
  }

  const account =
    <Name extends keyof AccountPart>(name: Name) =>
    (...input: Rest<AccountPart[Name]>) =>
      call(hostFeatures.account, (part) => (part[name] as AnyCall)(cx, ...input)) as ReturnType<
        AccountPart[Name]
      >
  const secondFactors = async () => (await cx.services()).secondFactors()

  const fundingParts = {
    account: hostFeatures.account,
    transfer: hostFeatures.fundingTransfer,
    follow: hostFeatures.fundingTransfer,
  }
  const activityParts = {
    loadPurchases: hostFeatures.purchases,
    loadBridges: hostFeatures.bridges,
    loadTransfer: hostFeatures.fundingTransfer,
  }
  const sending = lazily(async () => {
    const { createSending } = await hostFeatures.sending()
    const created = createSending({
      ...cx,
      offerFunding: async (place) =>
        (await hostFeatures.funding()).offerFunding(cx, created, place, fundingParts),
    })
    stopSending = created.close
    if (closed) created.close()
    return created
  })
  const transaction = <T>(work: (part: TransactionPart, own: Sending) => Promise<T>): Promise<T> =>
    call(hostFeatures.transactions, async (part) => work(part, await sending()))

  /** The user's smart wallet at an address, whose requests go another way than those of a key. */
  const withSmart = async <T>(
    address: unknown,
    work: (part: SmartPart, own: Sending, linked: SmartWalletAccount) => Promise<T>,
    otherwise: () => Promise<T>,
  ): Promise<T> => {
    if (typeof address !== 'string') return otherwise()
    await app.whenReady()
    const linked = app.state
      .get()
      .user?.linkedAccounts.find(
        (each): each is SmartWalletAccount =>
          each.type === 'smart_wallet' && each.address.toLowerCase() === address.toLowerCase(),
      )
    if (!linked) return otherwise()
    return call(hostFeatures.smartWallets, async (part) => work(part, await sending(), linked))
  }

  const walletCode = <T>(work: (part: WalletCodePart, own: Sending) => Promise<T>): Promise<T> =>
    call(hostFeatures.walletCode, async (part) => work(part, await sending()))
  const onSolana = <T>(work: (part: SolanaPart, own: Sending) => Promise<T>): Promise<T> =>
    call(hostFeatures.solana, async (part) => work(part, await sending()))
  let asking = 0
  /** Opens the window within the press, unless another request or dialog comes first: the user presses again then. */
  async function byApp<T>(
    options: CrossAppRequestOptions,
    work: (
      part: CrossAppPart,
      own: Sending,
      request: { options: CrossAppRequestOptions; window: Window | null | undefined },
    ) => Promise<T>,
  ): Promise<T> {
    const window = asking > 0 || cx.runs.isBusy.get() ? undefined : cx.page.openWindow()
    asking++
    try {
      return await call(hostFeatures.crossApp, async (part) =>
        work(part, await sending(), { options, window }),
      )
    } finally {
      asking--
      window?.close()
    }
  }
  /** Whether the user has a wallet in another app. */
  const isInOtherApp = (address: string | undefined): address is string =>
    address !== undefined &&
    (cx.user()?.linkedAccounts ?? []).some((account) =>
      crossAppAccount(account)?.wallets.some((wallet) => wallet.toLowerCase() === address.toLowerCase()),
    )
  const crossApp: CrossAppRequests = {
    signMessage: (message, options) =>
      byApp(options, (part, own, request) => part.signMessageByApp(cx, own, message, request)),
    signTypedData: (typedData, options) =>
      byApp(options, (part, own, request) => part.signTypedDataByApp(cx, own, typedData, request)),
    sendTransaction: (transaction, options) =>
      byApp(options, (part, own, request) => part.sendTransactionByApp(cx, own, transaction, request)),
    request: (asked) => call(hostFeatures.crossAppAnswers, (part) => part.readAppRequest(cx, asked)),
    respond: (asked, options) =>
      call(hostFeatures.crossAppAnswers, async (part) =>
        part.respondToApp(cx, await sending(), asked, hostFeatures.smartWallets, options),
      ),
    decline: (asked, options) =>
      call(hostFeatures.crossAppAnswers, (part) => part.declineAppRequest(cx, asked, options)),
  }
  const balances = lazily(async () => {
    const [{ createKitBalances }, shared] = await Promise.all([hostFeatures.balances(), sending()])
    const created = createKitBalances(cx, shared)
    stopBalances = created.close
    if (closed) created.close()
    return created
  })
  const promptFunding: HostCalls['promptFunding'] = async (created, surface) => {
    if (!app.known().app.funding?.promptOnCreation) return
    const [part, shared] = await Promise.all([hostFeatures.funding(), sending()])
    await part.promptFunding(cx, shared, created, surface, fundingParts)
  }
  /** From the settings, on their stage. */
  const showActivity = async (stage: Stage) => {
    const [part, shared] = await Promise.all([hostFeatures.activity(), sending()])
    return part.activityOnStage(cx, stage, shared, { canGoBack: true, ...activityParts })
  }

  let closed = false
  let stopSending: (() => void) | undefined
  let stopBalances: (() => void) | undefined
  let withdrawWallets: (() => void) | undefined
  let stopFollowing: (() => void) | undefined

  return {
    createSmartWallet: (request = {}) =>
      call(hostFeatures.smartWallets, async (part) => {
        const address = await part.createSmartWallet(cx, await sending(), request)
        const created = cx.smartWallets.get().find((each) => each.address === address)
        if (!created) throw new KitError('embedded_wallet_not_found', 'The smart wallet is not linked')
        return created
      }),
    createWallet: (request = {}) =>
      call(hostFeatures.embeddedMethods, (part) => part.createWallet(cx, request)),
    importWallet: (input = {}) => call(hostFeatures.embeddedMethods, (part) => part.importWallet(cx, input)),
    setWalletRecovery: (request = {}) =>
      call(hostFeatures.embeddedMethods, (part) => part.setWalletRecovery(cx, request)),
    setWalletPassword: (request = {}) =>
      call(hostFeatures.embeddedMethods, (part) => part.setWalletPassword(cx, request)),
    exportWallet: (request = {}) =>
      call(hostFeatures.embeddedMethods, (part) => part.exportWallet(cx, request)),

    mfa: {
      enroll: (request = {}) => call(hostFeatures.mfa, (part) => part.enroll(cx, request)),
      remove: (method, request = {}) => call(hostFeatures.mfa, (part) => part.remove(cx, method, request)),
      recoveryCodes: (request = {}) => call(hostFeatures.mfa, (part) => part.recoveryCodes(cx, request)),
      prompt: (request = {}) => call(hostFeatures.prompt, (part) => part.prompt(cx, request)),
      init: async (method) => (await secondFactors()).init(method),
      submit: async (method, given) => (await secondFactors()).submit(method, given),
      cancel: async () => (await secondFactors()).cancel(),
      initEnrollment: (input) => call(hostFeatures.mfa, (part) => part.initEnrollment(cx, input)),
      submitEnrollment: (input) => call(hostFeatures.mfa, (part) => part.submitEnrollment(cx, input)),
      unenroll: (method, request = {}) =>
        call(hostFeatures.mfa, (part) => part.unenroll(cx, method, request)),
    },
    devices: {
      list: () => call(hostFeatures.devices, (part) => part.listDevices(cx)),
      remove: (id, request = {}) => call(hostFeatures.devices, (part) => part.removeDevice(cx, id, request)),
      countRequests: () => call(hostFeatures.devices, (part) => part.countRequests(cx)),
      approve: (request = {}) => call(hostFeatures.devices, (part) => part.approveDevice(cx, request)),
      proofs: () => call(hostFeatures.devices, (part) => part.listProofs(cx)),
      addProof: (request = {}) => call(hostFeatures.devices, (part) => part.addProof(cx, request)),
    },
    farcasterSigner: {
      request: (options = {}) =>
        call(hostFeatures.farcasterSigner, (part) => part.requestFarcasterSigner(cx, options)),
      sign: (hash, options = {}) =>
        call(hostFeatures.farcasterSigner, async (part) =>
          part.signForFarcaster(cx, await sending(), hash, options),
        ),
    },
    permissions: {
      list: () => call(hostFeatures.permissions, (part) => part.listPermissions(cx)),
      stop: (id) => call(hostFeatures.permissions, (part) => part.stopPermission(cx, id)),
    },
    connectedApps: {
      list: () => call(hostFeatures.sessions, (part) => part.listConnectedApps(cx)),
      disconnect: (id) => call(hostFeatures.sessions, (part) => part.disconnectApp(cx, id)),
    },
    delegateWallet: (request = {}) =>
      call(hostFeatures.permissions, (part) => part.delegateWallet(cx, request)),
    revokeDelegatedWallets: (request = {}) =>
      call(hostFeatures.permissions, (part) => part.revokeDelegatedWallets(cx, request)),
    sessions: {
      list: () => call(hostFeatures.sessions, (part) => part.listSessions(cx)),
      end: (id) => call(hostFeatures.sessions, (part) => part.endSession(cx, id)),
      endOthers: () => call(hostFeatures.sessions, (part) => part.endOtherSessions(cx)),
    },
    passkeys: {
      manage: (request = {}) =>
        call(hostFeatures.settings, (part) => part.openPasskeys(cx, request, showActivity)),
      rename: account('renamePasskey'),
    },
    manageAccount: (request = {}) =>
      call(hostFeatures.settings, (part) => part.openSettings(cx, request, showActivity)),
    balances: { refresh: () => call(balances, (part) => part.refresh()) },
    openBalances: (request = {}) => call(balances, (part) => part.open(request)),
    openSend: (request = {}) =>
      call(hostFeatures.sendForm, async (part) =>
        part.openSend(cx, await sending(), await balances(), request),
      ),
    fundWallet: (request = {}) =>
      call(hostFeatures.funding, async (part) => part.fundWallet(cx, await sending(), request, fundingParts)),
    promptFunding,
    openActivity: (request = {}) =>
      call(hostFeatures.activity, async (part) =>
        part.openActivity(cx, await sending(), request, activityParts),
      ),

    link: account('link'),
    unlink: account('unlink'),
    updateEmail: account('updateEmail'),
    updatePhone: account('updatePhone'),
    initiateTransfer: account('initiateTransfer'),

    signTypedData: (input, options = {}) =>
      withSmart(
        options.address,
        (part, own, linked) => part.signTypedDataWithSmartWallet(cx, own, linked, input, options),
        () => {
          const { address, surface, signal } = options
          if (isInOtherApp(address))
            return crossApp.signTypedData(input, placed({ address, surface, signal }))
          return transaction((part, own) => part.signTypedDataForHost(cx, own, input, options))
        },
      ),
    signTransaction: (input, options) =>
      transaction((part, own) => part.signTransactionForHost(cx, own, input, options)),
    sendTransaction: (input, options) =>
      withSmart(
        options?.address ?? input?.from,
        (part, own, linked) => part.sendTransactionFromSmartWallet(cx, own, linked, input, options),
        () => transaction((part, own) => part.sendTransactionForHost(cx, own, input, options)),
      ),
    sendCalls: (options) =>
      withSmart(
        options?.address,
        (part, own, linked) => part.sendCallsFromSmartWallet(cx, own, linked, options),
        () =>
          call(hostFeatures.sendCalls, async (part) => part.sendCallsForHost(cx, await sending(), options)),
      ),
    getCallsStatus: (id) =>
      call(hostFeatures.sendCalls, async (part) => part.callsStatusForHost(cx, await sending(), id)),
    fetchWithPayment: (input, init, options) =>
      call(hostFeatures.payments, async (part) =>
        part.fetchForHost(cx, await sending(), input, init, options),
      ),
    upgradeWallet: (options) => walletCode((part, own) => part.upgradeWalletForHost(cx, own, options)),
    downgradeWallet: (options) => walletCode((part, own) => part.downgradeWalletForHost(cx, own, options)),
    signAuthorization: (options) =>
      walletCode((part, own) => part.signAuthorizationForHost(cx, own, options)),
    solana: {
      signMessage: (message, options) =>
        onSolana((part, own) => part.signSolanaMessageForHost(cx, own, message, options)),
      signTransaction: ((input, options) =>
        onSolana((part, own) =>
          part.signSolanaTransactionForHost(cx, own, input, options),
        )) as Kit['solana']['signTransaction'],
      signAllTransactions: ((inputs, options) =>
        onSolana((part, own) =>
          part.signAllSolanaTransactionsForHost(cx, own, inputs, options),
        )) as Kit['solana']['signAllTransactions'],
      signAndSendTransaction: (input, options) =>
        onSolana((part, own) => part.sendSolanaTransactionForHost(cx, own, input, options)),
      signAndSendAllTransactions: (inputs, options) =>
        call(hostFeatures.sendCalls, async (part) =>
          part.sendSolanaTransactionsForHost(cx, await sending(), inputs, options),
        ),
    },
    crossApp,
    signMessage: ((...input: SignMessageArguments) => {
      const [message, options] = messageOf(input)
      const { address, surface, signal } = options
      return withSmart<unknown>(
        address,
        async (part, own, linked) => {
          const signature = await part.signMessageWithSmartWallet(cx, own, linked, message, options)
          return isPositional(input) ? signature : { signature }
        },
        async () => {
          if (!isInOtherApp(address))
            return call(hostFeatures.signing, async (part) => part.signForHost(cx, await sending(), ...input))
          const signed = await crossApp.signMessage(String(message), placed({ address, surface, signal }))
          return isPositional(input) ? signed.signature : signed
        },
      )
    }) as Kit['signMessage'],

    connectWallet: (request = {}) =>
      call(hostFeatures.connect, async ({ connect }) => {
        const published = await own.externalWallets()
        return published.of(await connect(cx, request))
      }),
    connectOrCreateWallet: (request = {}) =>
      call(hostFeatures.connect, async ({ connectOrLogin }) => {
        const published = await own.externalWallets()
        return app.loggingIn(async () => {
          const outcome = await connectOrLogin(cx, request, own.loginFeatures)
          if (!('user' in outcome)) return { wallet: published.of(outcome) }
          const user = await cx.announceLogin(outcome)
          if (outcome.created) void cx.reportFailure(promptFunding(outcome.created, request.surface))
          return { user }
        })
      }),

    acceptTerms: () =>
      call(cx.services, async ({ session }) => {
        await session.acceptTerms()
      }),

    headless: lazily(async () => {
      await app.whenReady()
      const [{ createHeadless }, services] = await Promise.all([hostFeatures.headless(), cx.services()])
      return createHeadless(services.auth, cx.announceWithWallet, {
        user: services.session.user.get,
        authFor: services.authFor,
        announceChange: cx.announceChange,
        loggingIn: app.loggingIn,
        logout: own.logout,
      })
    }),
    async resume(returned) {
      const { prepareResume } = await hostFeatures.resume()
      const { appId, tabStorage } = cx
      return prepareResume(returned, {
        appId,
        tabStorage,
        cx,
        features: hostFeatures,
        resume: own.resume,
        showActivity,
      })
    },
    publishEmbedded: lazily(async () => {
      const [{ createKitEmbedded }, shared] = await Promise.all([hostFeatures.embeddedWallets(), sending()])
      if (closed) return
      const { appId, storage, tabStorage, fetch, early } = cx
      const embedded = createKitEmbedded({
        appId,
        kit: cx,
        app,
        storage,
        tabStorage,
        fetch,
        early,
        wallets: cx.embeddedWallets,
        clock: cx.clock,
        page: cx.page,
        sending: shared,
        signing: hostFeatures.signing,
        calls: hostFeatures.sendCalls,
        watch: hostFeatures.watchToken,
        smart: hostFeatures.smartWallets,
        smartWallets: cx.smartWallets,
      })
      withdrawWallets = embedded.close
      embedded.publish()
      // Logins wait for the list of wallets, and need no more to be told.
      const following = hostFeatures.followDevices().then(({ followDevices }) => {
        if (!closed) stopFollowing = followDevices(cx)
      })
      void cx.reportFailure(following)
    }),
    advice: hostFeatures.advice,
    close() {
      closed = true
      withdrawWallets?.()
      stopFollowing?.()
      stopBalances?.()
      stopSending?.()
    },
  }
}

/** Whether a message is given in the older form, whose result is the signature alone. */
const isPositional = ([input]: SignMessageArguments): boolean =>
  !(typeof input === 'object' && input !== null && 'message' in input)

/** The message and the options of either form. */
function messageOf(input: SignMessageArguments): [message: unknown, options: SignOptions] {
  const [first, second = {}, address] = input
  if (isPositional(input)) return [first, { uiOptions: second, ...(address !== undefined && { address }) }]
  return [(first as { message: unknown }).message, second]
}

type SmartPart = typeof import('./smart-wallets.ts')
type TransactionPart = typeof import('./transactions.ts')
type CrossAppPart = typeof import('./cross-app.ts')
type WalletCodePart = typeof import('./wallet-code.ts')
type SolanaPart = typeof import('./solana.ts')
type AccountPart = typeof import('./account.ts')
/** Without the kit's own context. */
type Rest<Call> = Call extends (cx: KitContext, ...input: infer Input) => unknown ? Input : never
type AnyCall = (cx: KitContext, ...input: readonly unknown[]) => Promise<unknown>

/** Without what is not given. */
const placed = ({
  address,
  surface,
  signal,
}: {
  address: string
  surface?: Surface | undefined
  signal?: AbortSignal | undefined
}): CrossAppRequestOptions => ({ address, ...(surface && { surface }), ...(signal && { signal }) })

type SignMessageArguments = [input: unknown, second?: object, address?: string]
