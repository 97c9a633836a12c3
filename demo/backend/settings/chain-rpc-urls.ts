/** Nodes of one chain: its URL, or several in the order in which they are asked. */
export type NodeUrls = string | readonly string[]
/** Nodes by chain id. */
export type RpcUrls = Readonly<Record<number, NodeUrls>>

/** The nodes of a chain, the preferred one first; none for a chain that is not in the settings. */
export function nodeUrlsOf(
  urls: Readonly<Record<string | number, NodeUrls>>,
  chain: string | number,
): readonly string[] {
  const given = Object.hasOwn(urls, chain) ? urls[chain] : undefined
  return given === undefined ? [] : [...new Set([given].flat().filter((url) => url !== ''))]
}

/** Public nodes of the chains that a kit knows, by chain id: the chains' own, where they run one. */
export const publicRpcUrls: RpcUrls = {
  1: 'https://ethereum.reth.rs/rpc',
  10: 'https://mainnet.optimism.io',
  42: 'https://rpc.mainnet.lukso.network',
  56: 'https://bsc-dataseed.bnbchain.org',
  137: 'https://polygon.drpc.org',
  314: 'https://api.node.glif.io/rpc/v1',
  690: 'https://rpc.redstonechain.com',
  8453: 'https://mainnet.base.org',
  17000: 'https://ethereum-holesky-rpc.publicnode.com',
  17069: 'https://rpc.garnetchain.com',
  42161: 'https://arb1.arbitrum.io/rpc',
  42220: 'https://forno.celo.org',
  43113: 'https://api.avax-test.network/ext/bc/C/rpc',
  43114: 'https://api.avax.network/ext/bc/C/rpc',
  59144: 'https://rpc.linea.build',
  80002: 'https://polygon-amoy.drpc.org',
  84532: 'https://sepolia.base.org',
  314159: 'https://api.calibration.node.glif.io/rpc/v1',
  421614: 'https://sepolia-rollup.arbitrum.io/rpc',
  7777777: 'https://rpc.zora.energy',
  11155111: 'https://ethereum-sepolia-rpc.publicnode.com',
  11155420: 'https://sepolia.optimism.io',
  999999999: 'https://sepolia.rpc.zora.energy',
}

/** Public nodes of Solana's clusters. */
export const publicSolanaUrls: Readonly<Record<string, NodeUrls>> = {
  mainnet: 'https://api.mainnet-beta.solana.com',
  devnet: 'https://api.devnet.solana.com',
  testnet: 'https://api.testnet.solana.com',
}
