import * as v from 'valibot'

/** The parameters of a link into a wallet's own browser, so that the page there continues where this one was. */
export interface WalletBrowserReturn {
  readonly kind: 'wallet-browser'
  readonly connector: 'injected' | 'solana_adapter'
  /** The wallet client type: `phantom`, `solflare` … */
  readonly client: string
  /** A forked session, good for one use. Like everything here, only a claim by the link's author. */
  readonly token?: string | undefined
  /** The wallet is to be connected, without logging in. */
  readonly connectOnly: boolean
}

/** The query of such a link: a forked session, or a mark to connect only. */
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

/** An address without what such a link has added: the base for a new link. */
export const withoutWalletBrowser = (address: string): string => {
  const [, before = '', query = '', rest = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(address) ?? []
  const kept = query.split('&').filter((part) => part && !walletBrowserNames.test(part.replace(/=.*/s, '')))
  return before + (kept.length > 0 ? `?${kept.join('&')}` : '') + rest
}
const walletBrowserNames = /^privy_(connector|wallet_client|token|connect_only)$/

/** What is incomplete or unknown is none. Older links name the wallet with its chain. */
export const walletBrowserReturn = v.pipe(
  v.object({
    privy_connector: v.picklist(['injected', 'solana_adapter']),
    privy_wallet_client: v.pipe(
      v.string(),
      v.transform((named) => named.replace(/_solana$/, '')),
      v.regex(/^[a-z0-9_.-]{1,64}$/i),
    ),
    privy_token: v.optional(v.pipe(v.string(), v.regex(/^[\w.~-]{1,512}$/))),
    privy_connect_only: v.optional(v.string()),
  }),
  v.check(
    (raw) => raw.privy_token === undefined || raw.privy_connect_only === undefined,
    'expected a session or none',
  ),
  v.transform(
    ({ privy_token: token, privy_connect_only: connectOnly, ...raw }): WalletBrowserReturn => ({
      kind: 'wallet-browser',
      connector: raw.privy_connector,
      client: raw.privy_wallet_client,
      ...(token !== undefined && { token }),
      connectOnly: connectOnly !== undefined && connectOnly !== 'false',
    }),
  ),
)
