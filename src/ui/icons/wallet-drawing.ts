import { wallets } from './wallets.ts'

/** Client types whose drawing has another name. */
const named: ReadonlyMap<string, string> = new Map(
  [
    ['coinbase', 'coinbase_wallet', 'coinbase_smart_wallet'],
    ['rabby', 'rabby_wallet'],
    ['okx', 'okx_wallet'],
    ['walletConnect', 'wallet_connect'],
    ['trust', 'trust_wallet'],
    ['ronin', 'ronin_wallet'],
    ['uniswap', 'uniswap_wallet_extension', 'uniswap_extension'],
    ['bybit', 'bybit_wallet'],
    ['cryptoCom', 'cryptocom', 'crypto.com_wallet_extension', 'crypto.com_onchain'],
  ].flatMap(([drawing = '', ...types]) => types.map((type) => [type, drawing] as const)),
)

/** Our own drawing of a wallet's icon, by its client type, as an image address. */
export function walletDrawing(type: string): string | undefined {
  const name = named.get(type) ?? type
  const inside = Object.hasOwn(wallets, name) && wallets[name]
  if (!inside) return undefined
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none">${inside}</svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
