/** A cluster of Solana with the node that the kit asks. */
export interface SolanaCluster {
  /** As the Wallet Standard names it: `solana:mainnet`. */
  readonly chain: `solana:${string}`
  /** The name that people know it by. */
  readonly name: string
  readonly rpcUrl: string
}

export const LAMPORT_DECIMALS = 9
export const SOL = 'SOL'

const MAINNET = 'mainnet-beta'
const names: Readonly<Record<string, string>> = { [MAINNET]: 'Solana', devnet: 'Devnet', testnet: 'Testnet' }
const standard = { name: MAINNET, rpcUrl: 'https://api.mainnet-beta.solana.com' }

const SLOTS_PER_EPOCH = 432_000n

/** The epoch that a network has reached at least: some began with shorter ones, so they may have reached a later one. */
export const leastEpoch = (slot: bigint): bigint => slot / SLOTS_PER_EPOCH

/** About a quarter of an hour: longer than a transaction is looked at, and until none with its blockhash can land any more. */
const LAST_SLOTS = 2_250n

/** Whether the network's next epoch may begin before a transaction of this slot lands. */
export const isEndOfEpoch = (slot: bigint): boolean => slot % SLOTS_PER_EPOCH >= SLOTS_PER_EPOCH - LAST_SLOTS

/** What an app says about Solana's clusters. */
export interface ClusterOptions {
  readonly host: { readonly solanaClusters?: readonly { readonly name: string; readonly rpcUrl: string }[] }
}

/** A cluster's name in CAIP-2. */
export const solanaChain = (name: string = MAINNET): `solana:${string}` =>
  `solana:${name === MAINNET ? 'mainnet' : name}`

/** The app's clusters, its preferred one first; mainnet when it names none. */
export function solanaClusters({ host }: ClusterOptions): readonly SolanaCluster[] {
  const named = host.solanaClusters?.length ? host.solanaClusters : [standard]
  return named.map(({ name, rpcUrl }) => ({
    chain: solanaChain(name),
    name: (Object.hasOwn(names, name) && names[name]) || name,
    rpcUrl,
  }))
}

/** The page of a transaction at Solana's explorer; none for a cluster that the explorer doesn't know. */
export function solanaExplorerUrl({ chain }: SolanaCluster, signature: string): string | undefined {
  const cluster = {
    'solana:mainnet': '',
    'solana:devnet': '?cluster=devnet',
    'solana:testnet': '?cluster=testnet',
  }
  const query = Object.hasOwn(cluster, chain) ? cluster[chain as keyof typeof cluster] : undefined
  return query === undefined ? undefined : `https://explorer.solana.com/tx/${signature}${query}`
}
