import type { ChainSettings } from '../config.ts'

type Row = readonly [
  id: number,
  name: string,
  node: string,
  explorer: readonly [name: string, url: string] | undefined,
  /** Symbol and name; ether without it. All of them have 18 decimals. */
  currency?: readonly [symbol: string, name: string],
]

/**
 * The chains of an app that names none, in the order of wire 10.5. The facts are those of viem's list, which a test
 * compares; the list itself brings along how each chain writes its transactions, ten times the bytes.
 */
const rows: readonly Row[] = [
  [42161, 'Arbitrum One', 'https://arb1.arbitrum.io/rpc', ['Arbiscan', 'https://arbiscan.io']],
  [
    421614,
    'Arbitrum Sepolia',
    'https://sepolia-rollup.arbitrum.io/rpc',
    ['Arbiscan', 'https://sepolia.arbiscan.io'],
    ['ETH', 'Arbitrum Sepolia Ether'],
  ],
  [
    11155111,
    'Sepolia',
    'https://11155111.rpc.thirdweb.com',
    ['Etherscan', 'https://sepolia.etherscan.io'],
    ['ETH', 'Sepolia Ether'],
  ],
  [1, 'Ethereum', 'https://ethereum.reth.rs/rpc', ['Etherscan', 'https://etherscan.io']],
  [10, 'OP Mainnet', 'https://mainnet.optimism.io', ['Optimism Explorer', 'https://optimistic.etherscan.io']],
  [
    11155420,
    'OP Sepolia',
    'https://sepolia.optimism.io',
    ['Blockscout', 'https://optimism-sepolia.blockscout.com'],
    ['ETH', 'Sepolia Ether'],
  ],
  [137, 'Polygon', 'https://polygon.drpc.org', ['PolygonScan', 'https://polygonscan.com'], ['POL', 'POL']],
  [
    80002,
    'Polygon Amoy',
    'https://polygon-amoy.drpc.org',
    ['PolygonScan', 'https://amoy.polygonscan.com'],
    ['POL', 'POL'],
  ],
  [42220, 'Celo', 'https://forno.celo.org', ['Celo Explorer', 'https://celoscan.io'], ['CELO', 'CELO']],
  [
    44787,
    'Alfajores',
    'https://alfajores-forno.celo-testnet.org',
    ['Celo Alfajores Explorer', 'https://celo-alfajores.blockscout.com'],
    ['A-CELO', 'CELO'],
  ],
  [
    314,
    'Filecoin Mainnet',
    'https://api.node.glif.io/rpc/v1',
    ['Filfox', 'https://filfox.info/en'],
    ['FIL', 'filecoin'],
  ],
  [
    314159,
    'Filecoin Calibration',
    'https://api.calibration.node.glif.io/rpc/v1',
    ['Filscan', 'https://calibration.filscan.io'],
    ['tFIL', 'testnet filecoin'],
  ],
  [8453, 'Base', 'https://mainnet.base.org', ['Basescan', 'https://basescan.org']],
  [
    84532,
    'Base Sepolia',
    'https://sepolia.base.org',
    ['Basescan', 'https://sepolia.basescan.org'],
    ['ETH', 'Sepolia Ether'],
  ],
  [
    80085,
    'Berachain Artio',
    'https://artio.rpc.berachain.com',
    ['Berachain', 'https://artio.beratrail.io'],
    ['BERA', 'BERA Token'],
  ],
  [
    42,
    'LUKSO',
    'https://rpc.mainnet.lukso.network',
    ['LUKSO Mainnet Explorer', 'https://explorer.execution.mainnet.lukso.network'],
    ['LYX', 'LUKSO'],
  ],
  [
    59144,
    'Linea Mainnet',
    'https://rpc.linea.build',
    ['Etherscan', 'https://lineascan.build'],
    ['ETH', 'Linea Ether'],
  ],
  [
    59140,
    'Linea Goerli Testnet',
    'https://rpc.goerli.linea.build',
    ['Etherscan', 'https://goerli.lineascan.build'],
    ['ETH', 'Linea Ether'],
  ],
  [
    43114,
    'Avalanche',
    'https://api.avax.network/ext/bc/C/rpc',
    ['SnowTrace', 'https://snowtrace.io'],
    ['AVAX', 'Avalanche'],
  ],
  [
    43113,
    'Avalanche Fuji',
    'https://api.avax-test.network/ext/bc/C/rpc',
    ['SnowTrace', 'https://testnet.snowtrace.io'],
    ['AVAX', 'Avalanche Fuji'],
  ],
  [7777777, 'Zora', 'https://rpc.zora.energy', ['Explorer', 'https://explorer.zora.energy']],
  [
    999,
    'HyperEVM',
    'https://rpc.hyperliquid.xyz/evm',
    ['HyperEVMScan', 'https://hyperevmscan.io'],
    ['HYPE', 'HYPE'],
  ],
  [
    999999999,
    'Zora Sepolia',
    'https://sepolia.rpc.zora.energy',
    ['Zora Sepolia Explorer', 'https://sepolia.explorer.zora.energy/'],
    ['ETH', 'Zora Sepolia'],
  ],
  [
    17000,
    'Holesky',
    'https://ethereum-holesky-rpc.publicnode.com',
    ['Etherscan', 'https://holesky.etherscan.io'],
    ['ETH', 'Holesky Ether'],
  ],
  [690, 'Redstone', 'https://rpc.redstonechain.com', ['Blockscout', 'https://explorer.redstone.xyz']],
  [
    17069,
    'Garnet Testnet',
    'https://rpc.garnetchain.com',
    ['Blockscout', 'https://explorer.garnetchain.com'],
  ],
]

export const defaultChains: readonly ChainSettings[] = rows.map(
  ([id, name, node, explorer, [symbol, currency] = ['ETH', 'Ether']]) => ({
    id,
    name,
    nativeCurrency: { name: currency, symbol, decimals: 18 },
    rpcUrls: { default: { http: [node] } },
    blockExplorers: explorer && { default: { name: explorer[0], url: explorer[1] } },
  }),
)
