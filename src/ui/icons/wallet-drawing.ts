import { wallets } from './wallets.ts'

/** Client types that a wallet's drawing also stands for. */
const aliases: Readonly<Record<string, string>> = {
  coinbase_smart_wallet: 'coinbase_wallet',
  uniswap_wallet_extension: 'uniswap',
  uniswap_extension: 'uniswap',
  'crypto.com_wallet_extension': 'cryptocom',
  'crypto.com_onchain': 'cryptocom',
  trust_wallet: 'trust',
}

/** Our own drawing of a wallet's mark, as the address of an image. */
export function walletDrawing(id: string): string | undefined {
  const name = Object.hasOwn(aliases, id) ? aliases[id] : id
  const inside = name !== undefined && Object.hasOwn(wallets, name) && wallets[name]
  if (!inside) return undefined
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none">${inside}</svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
