import type { Clock } from './core/clock.ts'
import type { Page } from './core/page.ts'
import type { Fetch } from './core/retrying-fetch.ts'
import type { Storage } from './core/storage.ts'
import { createStore, type Readable, type Store } from './core/store.ts'
import type { EmbeddedWallet } from './kit-api.ts'
import type { KitApp } from './kit-app.ts'
import { createDesks } from './kit-desks.ts'
import type { KitFlows } from './kit-flows.ts'
import type { EmbeddedAccount } from './wallets/embedded/embedded-wallets.ts'
import { embeddedOf } from './wallets/embedded/listing.ts'
import { createAnnouncement } from './wallets/embedded/provider/announcement.ts'
import { createWalletChains } from './wallets/embedded/provider/chains.ts'
import { createEthereumProvider, type OwnProvider } from './wallets/embedded/provider/ethereum.ts'

/** The embedded wallets, as a host and its libraries have them. */
export interface KitEmbedded {
  readonly wallets: Readable<readonly EmbeddedWallet[]>
  /** Shows them whoever is in, from now on: to the host, and to the libraries of the page. */
  publish(): void
  /** Takes everything back, as after a logout. */
  close(): void
}

export interface KitEmbeddedOptions {
  readonly appId: string
  readonly flows: Pick<KitFlows, 'lead'>
  readonly app: Pick<KitApp, 'state' | 'known'>
  /** What the host sees; one of its own without it. */
  readonly wallets?: Store<readonly EmbeddedWallet[]>
  readonly storage: Storage
  readonly clock: Clock
  readonly page: Page
  readonly fetch: Fetch
}

/** Loaded once somebody is in who has a wallet: nothing of it is known to the page before. */
export function createKitEmbedded(cx: KitEmbeddedOptions): KitEmbedded {
  const { app, appId, storage } = cx
  const config = app.known
  const wallets = cx.wallets ?? createStore<readonly EmbeddedWallet[]>([])
  const accounts = createStore<readonly EmbeddedAccount[]>([])
  const onEthereum = only(accounts, ({ chainType }) => chainType === 'ethereum')
  const onSolana = only(accounts, ({ chainType }) => chainType === 'solana')
  const chains = createWalletChains({ appId, storage, config })
  const providers = new Map<string, OwnProvider>()
  const desks = createDesks(cx)
  const providerFor = (of: Readable<readonly EmbeddedAccount[]>) =>
    createEthereumProvider({ accounts: of, chains, config, desk: desks.ethereum, node: desks.nodeOf })
  const announcement = createAnnouncement({
    ...{ appId, page: cx.page, config, providerFor },
    ...{ ethereum: onEthereum, solana: onSolana, solanaDesk: desks.solanaDesk },
  })
  let closed = false

  /** One for each address, as long as the page lives: whoever holds it hears of a logout, and of the next login. */
  function providerOf(address: string): OwnProvider {
    const provider = providers.get(address) ?? providerFor(only(accounts, (each) => each.address === address))
    providers.set(address, provider)
    return provider
  }

  function walletOf(account: EmbeddedAccount): EmbeddedWallet {
    const { address, chainType, walletIndex, imported, recoveryMethod } = account
    return Object.freeze<EmbeddedWallet>({
      ...{ address, chainType, walletIndex, imported, recoveryMethod },
      getProvider: () =>
        chainType === 'ethereum' ? providerOf(address) : announcement.solanaProvider(address),
    })
  }

  function show(next: readonly EmbeddedAccount[]): void {
    const before = accounts.get()
    if (isSame(before, next)) return
    const left = before.filter((one) => !next.some(({ address }) => address === one.address))
    if (left.length > 0) desks.leave()
    accounts.set(next)
    if (!closed) chains.forget(left.map(({ address }) => address))
    const known = wallets.get()
    wallets.set(
      next.map((account) => known.find((wallet) => isSame([wallet], [account])) ?? walletOf(account)),
    )
    announcement.update()
  }

  const update = () => show(closed ? [] : embeddedOf(app.state.get().user))
  let unhear: (() => void) | undefined

  return {
    wallets,
    publish() {
      unhear ??= app.state.subscribe(update)
      update()
    },
    close() {
      closed = true
      unhear?.()
      update()
    },
  }
}

type Shown = Omit<EmbeddedWallet, 'getProvider'>
/** The same to a host, whatever objects say so. */
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

/** Those of a store that are meant. */
const only = (
  all: Readable<readonly EmbeddedAccount[]>,
  isMeant: (account: EmbeddedAccount) => boolean,
): Readable<readonly EmbeddedAccount[]> => ({
  get: () => all.get().filter(isMeant),
  subscribe: all.subscribe,
})
