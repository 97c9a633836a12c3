import { connect as words } from '../../../copy/en/connect.ts'
import { protocolLimits } from '../../../protocol/limits.ts'
import { walletsLimits } from '../../limits.ts'
import { walletName, walletOf } from '../../registry/registry.ts'
import { clientTypeOf, fieldOf, iconOf, isObject, lineOf, listOf } from '../claims.ts'
import type { WalletMeta } from '../connector.ts'
import type { RawProvider } from './link.ts'

/** An Ethereum wallet in the page. */
export interface Injected {
  readonly meta: WalletMeta
  readonly rdns: string | undefined
  readonly provider: RawProvider
}

/** Reads a wallet's announcement (EIP-6963); `undefined` if it can't be used. */
export function readAnnouncement(detail: unknown): Injected | undefined {
  const provider = fieldOf(detail, 'provider')
  const info = fieldOf(detail, 'info')
  const name = lineOf(fieldOf(info, 'name'), walletsLimits.walletNameLength)
  // The page's own embedded wallets are not external ones: they can't be linked or used to log in.
  if (!name || !isProvider(provider) || fieldOf(provider, 'isLatchkey') === true) return undefined
  const meta = { id: clientTypeOf(name), name, icon: iconOf(fieldOf(info, 'icon')) }
  return { meta, rdns: rdnsOf(fieldOf(info, 'rdns')), provider }
}

/** The flags that identify older wallets. Most of them also claim to be MetaMask, so that comes last. */
const marks: readonly (readonly [mark: string, id: string])[] = [
  ['isBraveWallet', 'brave_wallet'],
  ['isRabby', 'rabby_wallet'],
  ['isPhantom', 'phantom'],
  ['isCoinbaseWallet', 'coinbase_wallet'],
  ['isOkxWallet', 'okx_wallet'],
  ['isOKExWallet', 'okx_wallet'],
  ['isRainbow', 'rainbow'],
  ['isUniswapWallet', 'uniswap'],
  ['isZerion', 'zerion'],
  ['isTrust', 'trust'],
  ['isTrustWallet', 'trust'],
  ['isBitKeep', 'bitkeep'],
  ['isBackpack', 'backpack'],
  ['isRonin', 'ronin_wallet'],
  ['isMetaMask', 'metamask'],
]

/**
 * The wallets at `window.ethereum`, where they were before EIP-6963; several of them may share that place.
 */
export function readLegacy(window: object): readonly Injected[] {
  const place = read(window, 'ethereum')
  if (!isObject(place)) return []
  const several = listOf(read(place, 'providers'), walletsLimits.walletsFound)
  return (several?.length ? several : [place]).filter(isProvider).map((provider) => {
    const id = marks.find(([mark]) => read(provider, mark) === true)?.[1] ?? 'unknown'
    const name = id === 'unknown' ? words['connect.unnamed'] : walletName(id)
    return { meta: { id, name, icon: undefined }, rdns: walletOf(id)?.rdns, provider }
  })
}

/**
 * Some are behind a `Proxy` that answers for fields which it does not have, so this calls without looking.
 */
function read(value: object, name: string): unknown {
  try {
    return Reflect.get(value, name)
  } catch {
    return undefined
  }
}

const isProvider = (value: unknown): value is RawProvider =>
  isObject(value) && typeof read(value, 'request') === 'function'

/**
 * A function and not a promise, because an object that answers for every field, `then` included, could never
 * be awaited.
 */
export const plain = (provider: RawProvider): RawProvider => ({
  request: (input) => provider.request(input),
  on: (event, listener) => void provider.on?.(event, listener),
  removeListener: (event, listener) => void provider.removeListener?.(event, listener),
})

const rdnsOf = (value: unknown): string | undefined =>
  typeof value === 'string' &&
  value.length <= protocolLimits.serverTextLength &&
  /^[\w-]+(\.[\w-]+)+$/.test(value)
    ? value.toLowerCase()
    : undefined
