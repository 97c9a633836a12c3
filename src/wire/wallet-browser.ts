/** What a link into a wallet's own browser says of itself, so that the page there goes on where this one was. Wire 6.4. */
export interface WalletBrowserReturn {
  readonly kind: 'wallet-browser'
  readonly connector: 'injected' | 'solana_adapter'
  /** The wallet client type: `phantom`, `solflare` … */
  readonly client: string
  /** A forked session, good for one use. A claim of whoever made the link, as is all of this. */
  readonly token?: string | undefined
  /** The wallet is to be connected, and nobody logged in. */
  readonly connectOnly: boolean
}

/** The query of such a link: a forked session, or the wish to connect only. */
export function walletBrowserQuery(link: {
  connector: WalletBrowserReturn['connector']
  client: string
  token?: string | undefined
  connectOnly?: boolean | undefined
}): string {
  const query = new URLSearchParams({ privy_connector: link.connector, privy_wallet_client: link.client })
  if (link.token !== undefined) query.set('privy_token', link.token)
  else if (link.connectOnly) query.set('privy_connect_only', 'true')
  return query.toString()
}

/** An address without what such a link has put there: what a link is made from. */
export const withoutWalletBrowser = (address: string): string => {
  const [, before = '', query = '', rest = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(address) ?? []
  const kept = query.split('&').filter((part) => part && !walletBrowserNames.test(part.replace(/=.*/s, '')))
  return before + (kept.length > 0 ? `?${kept.join('&')}` : '') + rest
}
const walletBrowserNames = /^privy_(connector|wallet_client|token|connect_only)$/

/** Reads what such a link brought; what is incomplete or unknown is none. Older links name the wallet with its chain. */
export function readWalletBrowser(fields: Readonly<Record<string, string>>): WalletBrowserReturn | undefined {
  const { privy_connector: connector, privy_wallet_client: named = '', privy_token: token } = fields
  const connectOnly = fields.privy_connect_only
  const client = named.replace(/_solana$/, '')
  if (connector !== 'injected' && connector !== 'solana_adapter') return undefined
  if (!/^[a-z0-9_.-]{1,64}$/i.test(client)) return undefined
  if (token !== undefined && !/^[\w.~-]{1,512}$/.test(token)) return undefined
  if (token !== undefined && connectOnly !== undefined) return undefined
  return {
    kind: 'wallet-browser',
    connector,
    client,
    ...(token !== undefined && { token }),
    connectOnly: connectOnly !== undefined && connectOnly !== 'false',
  }
}
