import { safeLink } from '../../lib/safe-link.ts'
import { walletBrowserQuery, withoutWalletBrowser } from '../../protocol/wallet-browser.ts'
import type { ChainType } from '../external/connector.ts'
import type { WalletLinks } from './links.ts'

interface Browse {
  readonly chains: readonly ChainType[]
  /** Makes the link from the page's percent-encoded address. */
  readonly universal: (ref: string) => string
  readonly native?: (ref: string) => string
}

const at = (base: string) => (ref: string) => `${base}/browse/${ref}?ref=${ref}`

/** Wallets with a browser of their own on phones, which a link can send to a page. */
const browsers: ReadonlyMap<string, Browse> = new Map<string, Browse>([
  [
    'phantom',
    {
      chains: ['ethereum', 'solana'],
      universal: at('https://phantom.app/ul'),
      native: (ref) => `phantom://browse/${ref}?ref=${ref}`,
    },
  ],
  [
    'solflare',
    { chains: ['solana'], universal: at('https://solflare.com/ul/v1'), native: at('solflare://ul/v1') },
  ],
  [
    'backpack',
    {
      chains: ['ethereum', 'solana'],
      universal: at('https://backpack.com/ul/v1'),
      native: at('backpack://ul/v1'),
    },
  ],
  [
    'okx_wallet',
    {
      chains: ['solana'],
      universal: (ref) =>
        `https://www.okx.com/download?deeplink=${encodeURIComponent(`okx://wallet/dapp/url?dappUrl=${ref}`)}`,
    },
  ],
])

/** The chains for which a wallet's own browser can be sent to a page. */
export const browseChains = (id: string): readonly ChainType[] => browsers.get(id)?.chains ?? []

/** What the page is to do when it opens there: continue the login with a forked session, or connect only. */
export interface BrowseOptions {
  /** The page's present address. */
  readonly address: string
  readonly connector: 'injected' | 'solana_adapter'
  readonly client: string
  readonly token?: string | undefined
  readonly connectOnly?: boolean | undefined
}

/** Links that open this page in a wallet's own browser; empty for a wallet that has none. */
export function browseLinks(id: string, options: BrowseOptions): WalletLinks {
  const wallet = browsers.get(id)
  const page = safeLink(options.address)
  if (!wallet || !page) return {}
  const { address: _, ...link } = options
  const [, path = '', query = '', fragment = ''] =
    /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(withoutWalletBrowser(page)) ?? []
  const own = walletBrowserQuery(link)
  const ref = encodeURIComponent(
    `${path.replace(/\/$/, '')}${query.length > 1 ? `${query}&` : '?'}${own}${fragment}`,
  )
  return { universal: wallet.universal(ref), ...(wallet.native && { native: wallet.native(ref) }) }
}
