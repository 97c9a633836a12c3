import type { Wallet } from '@wallet-standard/base'
import { isLoopbackHost } from '../../../core/origin.ts'
import type { EthereumProvider } from '../../external/connector.ts'

/** EIP-6963. */
export interface ProviderInfo {
  readonly uuid: string
  readonly name: string
  /** The data URL of a picture. */
  readonly icon: string
  /** A host name backwards. */
  readonly rdns: string
}

/** What the page's own wallets announce themselves to. */
type Target = Pick<EventTarget, 'addEventListener' | 'removeEventListener' | 'dispatchEvent'>

/**
 * Makes a provider known to the page's libraries, those that ask later too. Returns what stops that; EIP-6963 has no
 * word for a wallet that has gone, so the provider itself must say so to those that know it.
 */
export function announceProvider(target: Target, info: ProviderInfo, provider: EthereumProvider): () => void {
  const detail = Object.freeze({ info: Object.freeze({ ...info }), provider })
  const tell = () => void target.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  target.addEventListener('eip6963:requestProvider', tell)
  tell()
  return () => target.removeEventListener('eip6963:requestProvider', tell)
}

/** What a page's list of wallets gives to those that register; they leave it by what it returns. */
interface Registry {
  register(...wallets: Wallet[]): () => void
}

/** Puts a wallet into the page's lists of the Wallet Standard, also into those that come later. Returns what takes it out. */
export function registerWallet(target: Target, wallet: Wallet): () => void {
  const leave = new Set<() => void>()
  const enter = ({ register }: Registry) => void leave.add(register(wallet))
  const heard = (event: Event) => enter((event as CustomEvent<Registry>).detail)
  target.addEventListener('wallet-standard:app-ready', heard)
  target.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: enter }))
  return () => {
    target.removeEventListener('wallet-standard:app-ready', heard)
    for (const each of leave) each()
    leave.clear()
  }
}

/**
 * The reverse-domain name of an app's wallets on a page: below the page's own host, so that nobody else's is claimed,
 * and another one for each app on it.
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
