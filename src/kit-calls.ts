import type { HeadlessCalls } from './auth/headless-calls.ts'
import type { LeftLogin } from './auth/left-login.ts'
import type { Emitter } from './core/emitter.ts'
import type { Store } from './core/store.ts'
import { lazily } from './errors/lazily.ts'
import type { ConnectedWallet, Kit, KitEvents, SignOptions } from './kit-api.ts'
import type { KitApp } from './kit-app.ts'
import type { KitFlows } from './kit-flows.ts'
import type { Services } from './services.ts'
import type { ExternalWallets } from './wallets/external/connector.ts'
import type { WalletBrowserReturn } from './wire/wallet-browser.ts'

const loadSign = lazily(() => import('./kit-sign.ts'))
const loadConnect = lazily(() => import('./kit-connect.ts'))

/** What a kit does beside its dialog: loaded with the first call, for a page that only logs people in makes none. */
export interface KitCalls
  extends Pick<
    Kit,
    | 'logout'
    | 'getAccessToken'
    | 'getIdentityToken'
    | 'createWallet'
    | 'importWallet'
    | 'setWalletRecovery'
    | 'setWalletPassword'
    | 'exportWallet'
    | 'acceptTerms'
    | 'signMessage'
    | 'connectWallet'
    | 'connectOrCreateWallet'
  > {
  headless(): Promise<HeadlessCalls>
  /** Shows the host the wallets that are connected, from now on. */
  publishWallets(external: ExternalWallets): Promise<void>
  /** Goes on with what a link into a wallet's browser has begun. */
  enterWalletBrowser(returned: WalletBrowserReturn): Promise<void>
  /** Takes up the connections of former pages. */
  restoreWallets(): Promise<void>
  /** Goes on with a login that has left the page, without a dialog. */
  complete(left: LeftLogin): Promise<void>
}

export function createKitCalls(cx: {
  app: KitApp
  flows: KitFlows
  services: Services
  wallets: Store<readonly ConnectedWallet[]>
  events: Emitter<KitEvents>
}): KitCalls {
  const { app, flows, services } = cx
  const { session, wallets, auth } = services

  const loadWallets = lazily(async () => {
    const { createKitWallets } = await import('./kit-wallets.ts')
    return createKitWallets({ ...cx, config: app.known, user: () => app.state.get().user })
  })

  const loadVault = lazily(() => import('./kit-vault.ts'))
  const vault = async () => {
    const { createKitVault } = await loadVault()
    return flows.lead(createKitVault)
  }

  async function logout(): Promise<void> {
    const left = session.user.get()
    await session.logout()
    if (left) services.forget(left.id)
  }

  function signMessage(message: string, ui?: SignOptions['uiOptions'], address?: string): Promise<string>
  function signMessage(input: { message: string }, options?: SignOptions): Promise<{ signature: string }>
  async function signMessage(input: unknown, second: object = {}, address?: string) {
    const { sign } = await loadSign()
    if (typeof input === 'object' && input !== null && 'message' in input)
      return { signature: await flows.lead((cx) => sign(cx, input.message, second)) }
    const options = { uiOptions: second, ...(address !== undefined && { address }) }
    return flows.lead((cx) => sign(cx, input, options))
  }

  return {
    logout,
    signMessage,
    headless: lazily(async () => {
      const { createHeadless } = await import('./headless.ts')
      return createHeadless(auth, flows.welcome, {
        wallets,
        config: app.known,
        user: session.user.get,
        logout,
      })
    }),
    async getAccessToken() {
      await app.start().catch(() => {})
      const known = session.user.get()
      if (known && !app.admitted(known)) return null
      return (await session.accessToken()) ?? null
    },
    async getIdentityToken() {
      await app.whenReady()
      return app.state.get().user ? (session.identityToken() ?? null) : null
    },
    createWallet: async (options = {}) => (await vault()).create(options),
    importWallet: async (input) => (await vault()).import(input),
    setWalletRecovery: async (options = {}) => (await vault()).setRecovery(options),
    setWalletPassword: async (options = {}) => (await vault()).setPassword(options),
    exportWallet: async (options = {}) => (await vault()).export(options),
    async acceptTerms() {
      await app.whenReady()
      await session.acceptTerms()
    },
    async connectWallet(options = {}) {
      const [{ connect }, wallets] = await Promise.all([loadConnect(), loadWallets()])
      return wallets.of(await flows.lead((cx) => connect(cx, options)))
    },
    async connectOrCreateWallet(options = {}) {
      const [{ connectOrLogin }, wallets] = await Promise.all([loadConnect(), loadWallets()])
      const came = await flows.lead((cx) => connectOrLogin(cx, options))
      return 'user' in came ? { user: flows.welcome(came) } : { wallet: wallets.of(came) }
    },
    publishWallets: async (external) => (await loadWallets()).publish(external),
    async enterWalletBrowser(returned) {
      const { enterWalletBrowser } = await import('./kit-browse.ts')
      await flows.lead((cx) => enterWalletBrowser(cx, flows, returned))
    },
    restoreWallets: async () => (await services.wallets.external()).restore(),
    async complete(left) {
      await app.whenReady()
      const { completeHeadless } = await import('./auth/headless-return.ts')
      const login = await completeHeadless(auth, left)
      if (login) flows.welcome(login)
    },
  }
}
