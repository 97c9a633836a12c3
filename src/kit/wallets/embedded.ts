import type { Clock } from '../../lib/clock.ts'
import type { Page } from '../../lib/page.ts'
import type { Fetch } from '../../lib/retrying-fetch.ts'
import type { Storage } from '../../lib/storage.ts'
import { createStore, type Readable, type Store } from '../../lib/store.ts'
import type { SmartWalletAccount } from '../../protocol/user.ts'
import type { EmbeddedAccount } from '../../wallets/embedded/embedded-wallets.ts'
import { embeddedOf } from '../../wallets/embedded/listing.ts'
import { createAnnouncement, type EarlyWallets } from '../../wallets/embedded/provider/announcement.ts'
import { createWalletChains } from '../../wallets/embedded/provider/chains.ts'
import { createEthereumProvider, type OwnProvider } from '../../wallets/embedded/provider/ethereum.ts'
import type { EmbeddedWallet, SmartWallet } from '../api.ts'
import type { KitApp } from '../app.ts'
import type { KitContext } from '../context.ts'
import { serviceFeatures } from '../services/features.ts'
import { createRequestHandlers } from './request-handlers.ts'
import type { Sending } from './sending.ts'

/** The embedded wallets, as a host and its libraries see them. */
export interface KitEmbedded {
  readonly wallets: Readable<readonly EmbeddedWallet[]>
  /** Shows the person's wallets to the host and the page's libraries from now on. */
  publish(): void
  /** Withdraws everything, as after a logout. */
  close(): void
}

export interface KitEmbeddedOptions {
  readonly appId: string
  readonly kit: KitContext
  readonly app: Pick<KitApp, 'state' | 'known' | 'whenReady'>
  /** What the host sees; an empty list of its own by default. */
  readonly wallets?: Store<readonly EmbeddedWallet[]>
  /** What was announced before there was a kit, if anything. */
  readonly early?: EarlyWallets | undefined
  readonly storage: Storage
  /** What belongs to this tab alone. */
  readonly tabStorage: Storage
  readonly clock: Clock
  readonly page: Page
  readonly fetch: Fetch
  readonly sending: Sending
  readonly signing: Parameters<typeof createRequestHandlers>[0]['signing']
  readonly calls: Parameters<typeof createRequestHandlers>[0]['calls']
  readonly watch: Parameters<typeof createRequestHandlers>[0]['watch']
  readonly smart: Parameters<typeof createRequestHandlers>[0]['smart']
  /** The smart wallets that the host sees. */
  readonly smartWallets: Store<readonly SmartWallet[]>
}

/** Loaded once a person with a wallet is logged in; before that the page sees nothing. */
export function createKitEmbedded(cx: KitEmbeddedOptions): KitEmbedded {
  const { app, appId, storage, tabStorage } = cx
  const config = app.known
  const wallets = cx.wallets ?? createStore<readonly EmbeddedWallet[]>([])
  const accounts = createStore<readonly EmbeddedAccount[]>([])
  const onEthereum = only(accounts, ({ chainType }) => chainType === 'ethereum')
  const onSolana = only(accounts, ({ chainType }) => chainType === 'solana')
  const chains = createWalletChains({ appId, storage, tabStorage, config })
  const providers = new Map<string, OwnProvider>()
  const handlers = createRequestHandlers(cx)
  const parts = {
    chains,
    config,
    origin: cx.page.origin,
    node: cx.sending.nodeOf,
    loadTypedData: serviceFeatures.ethereumTypedData,
    loadTransaction: serviceFeatures.ethereumTransactions,
  }
  const providerFor = (of: Readable<readonly EmbeddedAccount[]>) =>
    createEthereumProvider({ ...parts, accounts: of, handler: handlers.ethereum })
  const smartAccounts = createStore<readonly SmartWalletAccount[]>([])
  const smartProviders = new Map<string, OwnProvider>()
  const smartProviderFor = (of: Readable<readonly SmartWalletAccount[]>) =>
    createEthereumProvider({ ...parts, accounts: of, handler: handlers.smart })
  const announcement = createAnnouncement({
    appId,
    page: cx.page,
    storage,
    early: cx.early,
    config,
    providerFor,
    ethereum: onEthereum,
    solana: onSolana,
    smart: smartAccounts,
    smartProvider: () => smartProviderFor(smartAccounts),
    solanaHandler: handlers.solana,
  })
  let closed = false

  /**
   * One per address for as long as the page lives, so that its holder learns of a logout and of the next
   * login.
   */
  function providerOf(address: string): OwnProvider {
    const provider = providers.get(address) ?? providerFor(only(accounts, (each) => each.address === address))
    providers.set(address, provider)
    return provider
  }

  function walletOf(account: EmbeddedAccount): EmbeddedWallet {
    const { address, chainType, walletIndex, imported, recoveryMethod } = account
    const own = { address, walletIndex, imported, recoveryMethod }
    return Object.freeze<EmbeddedWallet>(
      chainType === 'ethereum'
        ? { ...own, chainType, getProvider: () => providerOf(address) }
        : { ...own, chainType, getProvider: () => announcement.solanaProvider(address) },
    )
  }

  function show(next: readonly EmbeddedAccount[]): void {
    const before = accounts.get()
    if (isSame(before, next)) return
    const left = before.filter((one) => !next.some(({ address }) => address === one.address))
    if (left.length > 0) handlers.refuseAll()
    accounts.set(next)
    if (!closed) chains.forget(left.map(({ address }) => address))
    const known = wallets.get()
    wallets.set(
      next.map((account) => known.find((wallet) => isSame([wallet], [account])) ?? walletOf(account)),
    )
  }

  /** The smart wallets whose owner is one of the user's embedded wallets; that is checked with the first request. */
  function showSmart(next: readonly SmartWalletAccount[]): void {
    const before = smartAccounts.get()
    if (before.map(({ address }) => address).join() === next.map(({ address }) => address).join()) return
    smartAccounts.set(next)
    cx.smartWallets.set(
      next.map(({ address, smartWalletType: type }) =>
        Object.freeze<SmartWallet>({ address, type, getProvider: () => smartProviderOf(address) }),
      ),
    )
  }

  /** As {@link providerOf}. */
  function smartProviderOf(address: string): OwnProvider {
    const provider =
      smartProviders.get(address) ?? smartProviderFor(only(smartAccounts, (each) => each.address === address))
    smartProviders.set(address, provider)
    return provider
  }

  const update = () => {
    const user = closed ? null : app.state.get().user
    show(embeddedOf(user))
    showSmart(user?.linkedAccounts.filter((each) => each.type === 'smart_wallet') ?? [])
    announcement.update()
  }
  let unsubscribe: (() => void) | undefined

  return {
    wallets,
    publish() {
      unsubscribe ??= app.state.subscribe(update)
      update()
    },
    close() {
      closed = true
      unsubscribe?.()
      update()
    },
  }
}

type Shown = Pick<EmbeddedWallet, 'address' | 'chainType' | 'walletIndex' | 'imported' | 'recoveryMethod'>
/** Whether a host would see the same; the objects may differ. */
const isSame = (one: readonly Shown[], other: readonly Shown[]): boolean =>
  one.length === other.length &&
  one.every((wallet, at) => {
    const same = other[at]
    return (
      wallet.address === same?.address &&
      wallet.chainType === same.chainType &&
      wallet.walletIndex === same.walletIndex &&
      wallet.imported === same.imported &&
      wallet.recoveryMethod === same.recoveryMethod
    )
  })

/** The accounts of a store that are meant. */
const only = <A>(all: Readable<readonly A[]>, isMeant: (account: A) => boolean): Readable<readonly A[]> => ({
  get: () => all.get().filter(isMeant),
  subscribe: all.subscribe,
})
