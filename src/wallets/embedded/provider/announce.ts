import type { Wallet } from '@wallet-standard/base'
import { isLoopbackHost } from '../../../lib/origin.ts'
import type { EthereumProvider } from '../../external/connector.ts'

/** EIP-6963. */
export interface ProviderInfo {
  readonly uuid: string
  readonly name: string
  /** The data URL of an image. */
  readonly icon: string
  /** A host name in reverse. */
  readonly rdns: string
}

/** What the page's own wallets announce themselves to. */
type Target = Pick<EventTarget, 'addEventListener' | 'removeEventListener' | 'dispatchEvent'>

/**
 * Announces a provider to the page's libraries, also to those that ask later. Returns a function that stops
 * it; EIP-6963 has no message for a wallet that is gone, so the provider itself must tell its users.
 */
export function announceProvider(target: Target, info: ProviderInfo, provider: EthereumProvider): () => void {
  const detail = Object.freeze({ info: Object.freeze({ ...info }), provider })
  const announce = () => void target.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  target.addEventListener('eip6963:requestProvider', announce)
  announce()
  return () => target.removeEventListener('eip6963:requestProvider', announce)
}

/** What a page's list of wallets gives to those that register; they leave it by calling what it returns. */
interface Registry {
  register(...wallets: Wallet[]): () => void
}

/**
 * Puts a wallet into the page's lists of the Wallet Standard, also into later ones. Returns a function that
 * removes it.
 */
export function registerWallet(target: Target, wallet: Wallet): () => void {
  const unregister = new Set<() => void>()
  const registerIn = ({ register }: Registry) => void unregister.add(register(wallet))
  const onAppReady = (event: Event) => registerIn((event as CustomEvent<Registry>).detail)
  target.addEventListener('wallet-standard:app-ready', onAppReady)
  target.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: registerIn }))
  return () => {
    target.removeEventListener('wallet-standard:app-ready', onAppReady)
    for (const each of unregister) each()
    unregister.clear()
  }
}

/**
 * The reverse-domain name of an app's wallets on a page: below the page's own host, so that no other name is
 * claimed, and different for each app on it.
 */
export function reverseDomain(origin: string, appId: string): string {
  const { hostname } = new URL(origin)
  const isName =
    !isLoopbackHost(hostname) && /^[a-z\d-]+(\.[a-z\d-]+)+$/.test(hostname) && !/\.\d+$/.test(hostname)
  const host = isName ? hostname.split('.').reverse().join('.') : 'localhost'
  const label = appId
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '-')
    .replace(/^-+|-+$/g, '')
  return `${host}.latchkey.${label || 'app'}`
}
