import type { Config } from '../../../app/config.ts'
import type { Page } from '../../../lib/page.ts'
import type { Readable } from '../../../lib/store.ts'
import { solanaClusters } from '../../../solana/clusters.ts'
import { lineOf } from '../../external/claims.ts'
import type { SolanaProvider } from '../../external/connector.ts'
import { walletsLimits } from '../../limits.ts'
import type { EmbeddedAccount } from '../embedded-wallets.ts'
import { announceProvider, registerWallet, reverseDomain } from './announce.ts'
import type { OwnProvider } from './ethereum.ts'
import { announcedIcon } from './icon.ts'
import { createSolanaWallet, type OwnSolanaWallet, type SolanaRequestHandler } from './solana.ts'

/** The embedded wallets under the app's name, for libraries that look for wallets in the page. */
export interface Announcement {
  /** Announces what there is now, and withdraws what is gone. */
  update(): void
  solanaProvider(address: string): SolanaProvider
}

export function createAnnouncement(cx: {
  appId: string
  page: Page
  config: () => Config
  ethereum: Readable<readonly EmbeddedAccount[]>
  solana: Readable<readonly EmbeddedAccount[]>
  solanaHandler: SolanaRequestHandler
  providerFor: (accounts: Readable<readonly EmbeddedAccount[]>) => OwnProvider
}): Announcement {
  const { appId, page, config, ethereum, solana } = cx
  const uuid = crypto.randomUUID()
  /** One each for the life of the page, because libraries drop a second one with the same identity. */
  let provider: OwnProvider | undefined
  let own: OwnSolanaWallet | undefined
  const stops = new Map<'ethereum' | 'solana', () => void>()

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
    own ??= createSolanaWallet({ ...identity(), accounts: solana, clusters, handler: cx.solanaHandler })
    return own
  }

  function keep(chain: 'ethereum' | 'solana', enabled: boolean, begin: () => () => void): void {
    const stop = stops.get(chain)
    if (enabled === (stop !== undefined)) return
    stops.delete(chain)
    if (stop) stop()
    else stops.set(chain, begin())
  }

  return {
    update() {
      // A window without events has no libraries either.
      if (!('dispatchEvent' in page.window)) return
      keep('ethereum', ethereum.get().length > 0, () => {
        const info = { uuid, ...identity(), rdns: reverseDomain(page.origin, appId) }
        return announceProvider(page.window, info, ethereumProvider())
      })
      keep('solana', solana.get().length > 0, () => registerWallet(page.window, solanaWallet().wallet))
    },
    solanaProvider(address) {
      const { wallet, accountOf } = solanaWallet()
      return { wallet, account: accountOf(address) }
    },
  }
}
