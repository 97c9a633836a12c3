import type { Config } from '../../../app/config.ts'
import type { Page } from '../../../lib/page.ts'
import type { Storage } from '../../../lib/storage.ts'
import type { Readable } from '../../../lib/store.ts'
import { announcedKeys, sessionKey } from '../../../session/keys.ts'
import { solanaClusters } from '../../../solana/clusters.ts'
import { lineOf } from '../../external/claims.ts'
import type { SolanaProvider } from '../../external/connector.ts'
import { walletsLimits } from '../../limits.ts'
import type { EmbeddedAccount } from '../embedded-wallets.ts'
import { announceProvider, type ProviderInfo, registerWallet, reverseDomain } from './announce.ts'
import type { OwnProvider } from './ethereum.ts'
import { announcedIcon } from './icon.ts'
import { createSolanaWallet, type OwnSolanaWallet, type SolanaRequestHandler } from './solana.ts'

/** The embedded wallets under the app's name, for libraries that look for wallets in the page. */
export interface Announcement {
  /** Announces what there is now, and withdraws what is gone. */
  update(): void
  solanaProvider(address: string): SolanaProvider
}

/** A wallet that was announced by what an earlier page had kept of it, before there was a kit. */
export interface EarlyWallet {
  readonly info: ProviderInfo
  /** What the page's libraries hold; it passes everything on to the wallet's own provider once it has one. */
  readonly provider: OwnProvider
  adopt(own: OwnProvider): void
  /** There is no wallet now, so nobody waits for it any longer. */
  release(): void
}

/** The same for each kind of wallet that is announced by itself. */
export type EarlyWallets = Readonly<Partial<Record<'embedded' | 'smart', EarlyWallet>>>

export function createAnnouncement(cx: {
  appId: string
  page: Page
  storage: Storage
  early: EarlyWallets | undefined
  config: () => Config
  ethereum: Readable<readonly EmbeddedAccount[]>
  solana: Readable<readonly EmbeddedAccount[]>
  /** The user's smart wallets, as one wallet beside the embedded ones. */
  smart: Readable<readonly unknown[]>
  smartProvider: () => OwnProvider
  solanaHandler: SolanaRequestHandler
  providerFor: (accounts: Readable<readonly EmbeddedAccount[]>) => OwnProvider
}): Announcement {
  const { appId, page, storage, early = {}, config, ethereum, solana, smart } = cx
  const [uuid, smartUuid] = [crypto.randomUUID(), crypto.randomUUID()]
  /** One each for the life of the page, because libraries drop a second one with the same identity. */
  let provider: OwnProvider | undefined
  let smartProvider: OwnProvider | undefined
  let own: OwnSolanaWallet | undefined
  const stops = new Map<'ethereum' | 'smart' | 'solana', () => void>()

  function identity() {
    const { appName, logoUrl } = config()
    const name = lineOf(appName, walletsLimits.walletNameLength) || new URL(page.origin).host
    return { name, icon: announcedIcon(logoUrl) }
  }
  function ethereumProvider(): OwnProvider {
    provider ??= cx.providerFor(ethereum)
    return provider
  }
  function solanaWallet(): OwnSolanaWallet {
    const clusters = () => solanaClusters(config())
    const { origin } = page
    own ??= createSolanaWallet({
      ...identity(),
      ...{ accounts: solana, clusters, origin },
      handler: cx.solanaHandler,
    })
    return own
  }

  function keep(kind: 'ethereum' | 'smart' | 'solana', enabled: boolean, begin: () => () => void): void {
    const stop = stops.get(kind)
    if (enabled === (stop !== undefined)) return
    stops.delete(kind)
    if (stop) stop()
    else stops.set(kind, begin())
  }

  /** Announces a provider, in the place of the one that was announced early, and keeps what the next page announces. */
  function announce(kind: 'embedded' | 'smart', info: ProviderInfo, provider: OwnProvider): () => void {
    const before = early[kind]
    storage.set(sessionKey(appId, announcedKeys[kind]), JSON.stringify({ ...info, uuid: undefined }))
    before?.adopt(provider)
    return announceProvider(page.window, before?.info ?? info, before?.provider ?? provider)
  }

  return {
    update() {
      // A window without events has no libraries either.
      if (!('dispatchEvent' in page.window)) return
      const rdns = reverseDomain(page.origin, appId)
      keep('ethereum', ethereum.get().length > 0, () =>
        announce('embedded', { uuid, ...identity(), rdns }, ethereumProvider()),
      )
      if (ethereum.get().length === 0) early.embedded?.release()
      keep('smart', smart.get().length > 0, () => {
        const { name, icon } = identity()
        smartProvider ??= cx.smartProvider()
        const info = { uuid: smartUuid, name: `${name} smart wallet`, icon, rdns: `${rdns}.smart` }
        return announce('smart', info, smartProvider)
      })
      if (smart.get().length === 0) {
        early.smart?.release()
        storage.remove(sessionKey(appId, announcedKeys.smart))
      }
      keep('solana', solana.get().length > 0, () => registerWallet(page.window, solanaWallet().wallet))
    },
    solanaProvider(address) {
      const { wallet, accountOf } = solanaWallet()
      return { wallet, account: accountOf(address) }
    },
  }
}
