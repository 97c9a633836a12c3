/** The networks between which money is bridged, by the bridge's names. */
import type { Config } from '../../app/config.ts'
import { supportedChains } from '../../ethereum/chains.ts'
import { USDC, USDC_DECIMALS, usdcOn } from '../../lib/usdc.ts'
import { BRIDGE_SOLANA, type BridgeAsset, bridgeCoins } from '../../protocol/bridge.ts'
import { LAMPORT_DECIMALS, SOL, solanaClusters } from '../../solana/clusters.ts'
import type { FundingTarget } from '../target.ts'

/** A coin or USDC on one network. */
export type Source = Omit<FundingTarget, 'address' | 'amount'>

/** Test networks among those that wallets may use: their money is worth nothing, so none of it is bridged to a main network. */
const testNetworks: ReadonlySet<number> = new Set([
  ...[11155111, 421614, 11155420, 80002, 84532, 43113, 44787, 314159, 59140, 59141, 999999999],
  ...[17000, 17069, 80085],
])
const SOLANA_MAINNET = 'solana:mainnet'

export const chainIdOf = (chain: string): number => Number(chain.slice('eip155:'.length))

export const isTestNetwork = (chain: string): boolean =>
  chain.startsWith('eip155:') ? testNetworks.has(chainIdOf(chain)) : chain !== SOLANA_MAINNET

/** The bridge's name of an asset; `undefined` where it has none: test networks of Solana. */
export function bridgeAssetOf({ chain, token }: Pick<Source, 'chain' | 'token'>): BridgeAsset | undefined {
  if (chain.startsWith('eip155:'))
    return { chainId: chainIdOf(chain), address: token ?? bridgeCoins.ethereum }
  return chain === SOLANA_MAINNET
    ? { chainId: BRIDGE_SOLANA, address: token ?? bridgeCoins.solana }
    : undefined
}

export const targetSource = ({
  chain,
  network,
  chainType,
  asset,
  token,
  symbol,
  decimals,
}: FundingTarget): Source => ({ chain, network, chainType, asset, token, symbol, decimals })

export const isSameSource = (
  one: Pick<Source, 'chain' | 'token'>,
  other: Pick<Source, 'chain' | 'token'>,
): boolean => one.chain === other.chain && one.token === other.token

/**
 * Lists the assets that wallets of one kind of chain can pay with: the asset itself on its own network first, and with a bridge coins and USDC
 * on the app's other networks and, in exchange for the asset, on its own. An app that names no networks has those with USDC.
 */
export function sourcesFor(
  config: Config,
  target: FundingTarget,
  chainType: Source['chainType'],
  hasBridge: boolean,
): readonly Source[] {
  const own = target.chainType === chainType ? [targetSource(target)] : []
  if (!hasBridge || !bridgeAssetOf(target)) return own
  const others = chainType === 'solana' ? onSolana(config, target) : onEthereum(config, target)
  return [...own, ...others.filter((each) => !isSameSource(each, target))]
}

function onEthereum(config: Config, target: FundingTarget): readonly Source[] {
  const { supportedChains: named, defaultChain } = config.host
  const isNamed = Boolean(named?.length) || defaultChain !== undefined
  return supportedChains(config).flatMap(({ id, name, nativeCurrency: { symbol, decimals } }): Source[] => {
    const chain = `eip155:${id}`
    const token = usdcOn(chain)
    if (isTestNetwork(chain) !== isTestNetwork(target.chain) || !(isNamed || token)) return []
    return withUsdc({ chain, network: name, chainType: 'ethereum', symbol, decimals }, token)
  })
}

function onSolana(config: Config, target: FundingTarget): readonly Source[] {
  if (isTestNetwork(target.chain)) return []
  const [cluster] = solanaClusters(config).filter(({ chain }) => chain === SOLANA_MAINNET)
  if (!cluster) return []
  const { chain, name: network } = cluster
  return withUsdc(
    { chain, network, chainType: 'solana', symbol: SOL, decimals: LAMPORT_DECIMALS },
    usdcOn(chain),
  )
}

const withUsdc = (coin: Omit<Source, 'asset'>, token: string | undefined): Source[] => [
  { ...coin, asset: 'native-currency' },
  ...(token === undefined
    ? []
    : [{ ...coin, asset: 'USDC' as const, token, symbol: USDC, decimals: USDC_DECIMALS }]),
]
