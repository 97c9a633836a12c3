import { parseWalletAddress } from '../../../ethereum/address.ts'
import { ethereumChainId, ethereumChainNumber, parseAccountId } from '../../../lib/caip.ts'
import { walletsLimits } from '../../limits.ts'
import { walletByUrl, walletName } from '../../registry/registry.ts'
import { fieldOf, lineOf, listOf } from '../claims.ts'
import type { WalletMeta } from '../connector.ts'

/** The methods that a wallet is asked for. Everything else goes to the chain's node. */
const askedMethods: readonly string[] = [
  ...['personal_sign', 'eth_sendTransaction', 'eth_signTransaction', 'eth_signTypedData'],
  ...[
    'eth_signTypedData_v3',
    'eth_signTypedData_v4',
    'wallet_switchEthereumChain',
    'wallet_addEthereumChain',
  ],
  ...['wallet_watchAsset', 'wallet_getCapabilities', 'wallet_sendCalls', 'wallet_getCallsStatus'],
  'wallet_showCallsStatus',
]
const askedEvents: readonly string[] = ['accountsChanged', 'chainChanged', 'message']

/** What is asked of a wallet that has not connected yet. */
export const askedNamespaces = (chainIds: readonly number[]) => ({
  eip155: { chains: chainIds.map(ethereumChainId), methods: [...askedMethods], events: [...askedEvents] },
})

/** What a wallet has opened, as far as it was asked for. */
export interface Opened {
  /** By chain, in the wallet's order, checksummed; no chain without an account. */
  readonly accounts: ReadonlyMap<number, readonly string[]>
  readonly methods: ReadonlySet<string>
}

/**
 * Reads the namespaces of a session (CAIP-25), which a peer may fill with anything: accounts by CAIP-10 alone, on chains
 * and with methods that were asked for. `undefined` where that does not cover what a login takes.
 */
export function openedBy(namespaces: unknown, chainIds: readonly number[]): Opened | undefined {
  const accounts = new Map<number, string[]>()
  const methods = new Set<string>()
  for (const namespace of ownNames(namespaces)) {
    if (!/^eip155(:\d{1,16})?$/.test(namespace)) continue
    const one = fieldOf(namespaces, namespace)
    for (const method of listOf(fieldOf(one, 'methods'), walletsLimits.walletAccounts) ?? [])
      if (typeof method === 'string' && askedMethods.includes(method)) methods.add(method)
    for (const text of listOf(fieldOf(one, 'accounts'), walletsLimits.walletAccounts * chainIds.length) ??
      []) {
      const account = parseAccountId(text)
      const chain = ethereumChainNumber(`${account?.chain.namespace}:${account?.chain.reference}`)
      const address = parseWalletAddress(account?.address)
      const isAsked = chain !== undefined && chainIds.includes(chain)
      if (!isAsked || !address || (namespace !== 'eip155' && namespace !== ethereumChainId(chain))) continue
      const known = accounts.get(chain) ?? []
      if (known.length < walletsLimits.walletAccounts && !known.includes(address))
        accounts.set(chain, [...known, address])
    }
  }
  return accounts.size > 0 && methods.has('personal_sign') ? { accounts, methods } : undefined
}

/** Whether a session is small enough to be stored. */
export function isOfSize(session: unknown): boolean {
  try {
    return JSON.stringify(session).length <= walletsLimits.walletSessionSize
  } catch {
    return false
  }
}

/**
 * Who a peer is: the wallet whose site it claims, or else the one that was chosen, under the peer's own name
 * if none was. Its icon is never loaded: the kit draws its own.
 */
export function peerMeta(session: unknown, chosen: WalletMeta): WalletMeta {
  const metadata = fieldOf(fieldOf(session, 'peer'), 'metadata')
  const known = walletByUrl(lineOf(fieldOf(metadata, 'url'), walletsLimits.walletConnectUriLength))
  if (known) return { id: known.id, name: walletName(known.id), icon: undefined }
  if (chosen.id !== anyWallet.id) return chosen
  return {
    ...anyWallet,
    name: lineOf(fieldOf(metadata, 'name'), walletsLimits.walletNameLength) || anyWallet.name,
  }
}

/** Before a wallet has said who it is. */
export const anyWallet: WalletMeta = { id: 'wallet_connect', name: 'WalletConnect', icon: undefined }

const ownNames = (value: unknown): string[] => {
  try {
    return Object.keys(value ?? {}).slice(0, walletsLimits.walletAccounts)
  } catch {
    return []
  }
}
