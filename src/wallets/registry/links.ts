import { parseWalletConnectUri } from '../wallet-connect-uri.ts'
import { walletOf } from './registry.ts'

/** Addresses that open something in a wallet's app. */
export interface WalletLinks {
  /** By the app's scheme: nothing happens if it is not installed. */
  readonly native?: string
  /** Https: opens the app, or else a page that offers it. */
  readonly universal?: string
}

/**
 * Where a wallet's app takes a `wc:` address. Only by what the registry says of the wallet, never by what a
 * peer says about itself; empty for a wallet without links.
 */
export function walletConnectLinks(id: string, uri: string): WalletLinks {
  const wallet = walletOf(id)
  if (!wallet || !parseWalletConnectUri(uri)) return {}
  const { native, universal } = wallet
  return {
    ...(native && { native: withUri(native, uri) }),
    ...(universal && { universal: withUri(universal, uri) }),
  }
}

/** What opens a wallet's app for a request that it has already received. */
export function appLinks(id: string): WalletLinks {
  const { native, universal } = walletOf(id) ?? {}
  return {
    ...(native && { native }),
    ...(universal && { universal }),
  }
}

const withUri = (base: string, uri: string) => `${base.replace(/\/?$/, '/')}wc?uri=${encodeURIComponent(uri)}`
