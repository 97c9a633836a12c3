import { readEthereumAddress, readSolanaAddress } from '../chains/address.ts'

/** Symbols of the networks' own coins, where a provider sells any. */
const coins: Readonly<Record<string, string>> = {
  'eip155:1': 'ETH',
  'eip155:10': 'ETH',
  'eip155:137': 'POL',
  'eip155:8453': 'ETH',
  'eip155:42161': 'ETH',
  'eip155:42220': 'CELO',
  'eip155:43114': 'AVAX',
  'solana:mainnet': 'SOL',
}

/** Chains on which some provider sells something. */
export const soldChains: readonly string[] = Object.keys(coins)

export const isSolana = (chain: string) => chain.startsWith('solana:')

/** The symbol of an asset; `undefined` on a chain on which nothing is sold. */
export function symbolOf(chain: string, asset: string): string | undefined {
  const coin = Object.hasOwn(coins, chain) ? coins[chain] : undefined
  return coin && asset === 'USDC' ? 'USDC' : coin
}

export const decimalsOf = (chain: string, asset: string): number =>
  asset === 'USDC' ? 6 : isSolana(chain) ? 9 : 18

/** The address in the form in which it is compared; `undefined` for one that is not of that chain. */
export const readAddressOn = (chain: string, text: string): string | undefined =>
  isSolana(chain) ? readSolanaAddress(text) : readEthereumAddress(text)

/** Whether two spellings are of one address. */
export const isSameAddress = (one: string, other: string) =>
  one === other || (/^0x[\da-f]{40}$/i.test(one) && one.toLowerCase() === other.toLowerCase())
