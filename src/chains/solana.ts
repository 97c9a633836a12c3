import type { Config } from '../config.ts'

/** A cluster of Solana with the node that the kit asks. */
export interface SolanaCluster {
  /** As the Wallet Standard names it: `solana:mainnet`. */
  readonly chain: `solana:${string}`
  /** Spec §9: as a person knows it. */
  readonly name: string
  readonly rpcUrl: string
}

export const LAMPORT_DECIMALS = 9
export const SOL = 'SOL'

const MAINNET = 'mainnet-beta'
const names: Readonly<Record<string, string>> = { [MAINNET]: 'Solana', devnet: 'Devnet', testnet: 'Testnet' }
const standard = { name: MAINNET, rpcUrl: 'https://api.mainnet-beta.solana.com' }

/** The app's clusters, its first one first; Solana's main one without any. Spec §9 "Chains and funding". */
export function solanaClusters({ host }: Pick<Config, 'host'>): readonly SolanaCluster[] {
  const named = host.solanaClusters?.length ? host.solanaClusters : [standard]
  return named.map(({ name, rpcUrl }) => ({
    chain: `solana:${name === MAINNET ? 'mainnet' : name}`,
    name: (Object.hasOwn(names, name) && names[name]) || name,
    rpcUrl,
  }))
}
