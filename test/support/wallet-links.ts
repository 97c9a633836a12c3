import { walletOf } from '../../src/wallets/registry/registry.ts'
import type { WalletConnectUri } from '../../src/wallets/wallet-connect-uri.ts'

/** Whether a link to a wallet begins as it may: with https, or the scheme that the registry gives to it. */
export function isWalletLink(id: string, link: string): boolean {
  if (!URL.canParse(link)) return false
  const { protocol } = new URL(link)
  const native = walletOf(id)?.native
  return protocol === 'https:' || (native !== undefined && protocol === `${native.split(':')[0]}:`)
}

/** Writes a `wc:` address, as WalletConnect itself does. */
export function formatWalletConnectUri(uri: WalletConnectUri): string {
  const { topic, symKey, expiryTimestamp, methods } = uri
  const query = new URLSearchParams({ 'relay-protocol': uri.relayProtocol, symKey })
  if (expiryTimestamp !== undefined) query.set('expiryTimestamp', String(expiryTimestamp))
  if (methods.length > 0) query.set('methods', methods.join(','))
  return `wc:${topic}@2?${query}`
}
