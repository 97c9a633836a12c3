import type { HostConfig } from '../../src/index.ts'

type Chain = NonNullable<HostConfig['defaultChain']>
interface Networks {
  chains: Record<number, string>
  solanaRpcUrl: string
  relayUrl: string
  coinbaseKeysUrl: string
}

const ether = { name: 'Ether', symbol: 'ETH', decimals: 18 }
const names: Record<number, string> = { 1: 'Ethereum', 8453: 'Base' }

/** Chains of this machine in the place of those that everybody has; a host leaves all of this out. */
export function networks(text: string | undefined): HostConfig {
  if (!text) return {}
  const { chains, solanaRpcUrl, relayUrl, coinbaseKeysUrl } = JSON.parse(text) as Networks
  const supportedChains = Object.entries(chains).map(
    ([id, node]): Chain => ({
      id: Number(id),
      name: names[Number(id)] ?? `Chain ${id}`,
      nativeCurrency: ether,
      rpcUrls: { default: { http: [node] } },
    }),
  )
  const [defaultChain] = supportedChains
  return {
    // The demo has a wallet of each kind for those who have no extension.
    appearance: { walletChainType: 'ethereum-and-solana' },
    externalWallets: {
      walletConnect: { enabled: true, relayUrl },
      coinbaseWallet: { keysUrl: coinbaseKeysUrl },
    },
    walletConnectCloudProjectId: '0'.repeat(32),
    ...(defaultChain && { supportedChains, defaultChain, rpcConfig: { rpcUrls: chains } }),
    solanaClusters: [{ name: 'mainnet-beta', rpcUrl: solanaRpcUrl }],
  }
}
