/** The target of funding: a wallet of the user's, with a coin, USDC or a token that the app names, on one network. */
import type { Config } from '../app/config.ts'
import { KitError } from '../errors/kit-error.ts'
import { parseEthereumAddress } from '../ethereum/address.ts'
import { parseAmount } from '../ethereum/amount-input.ts'
import { chainOf } from '../ethereum/chains.ts'
import { USDC, USDC_DECIMALS, usdcOn } from '../lib/usdc.ts'
import type { FundingSettings } from '../protocol/app-config.ts'
import { parseSolanaAddress } from '../solana/base58.ts'
import { LAMPORT_DECIMALS, SOL, solanaClusters } from '../solana/clusters.ts'

/** A coin of a network, USDC on it, or the address of another token there. */
export type FundingAsset = 'native-currency' | 'USDC' | (string & {})

/** Symbol and decimals of an asset. */
export interface FundingUnit {
  readonly symbol: string
  readonly decimals: number
}
/** A token of a network, CAIP-2. */
export interface FundingToken {
  readonly chain: string
  readonly address: string
}

export interface FundingWallet {
  readonly address: string
  /** `ethereum` or `solana`; a newer server knows others. */
  readonly chainType: string
}

export interface FundingTarget {
  readonly address: string
  /** CAIP-2: `eip155:8453`, `solana:mainnet`. */
  readonly chain: string
  /** The network's name. */
  readonly network: string
  readonly chainType: 'ethereum' | 'solana'
  readonly asset: FundingAsset
  /** Contract or mint of USDC, or of the token. */
  readonly token?: string | undefined
  readonly symbol: string
  readonly decimals: number
  /** The amount that is proposed, in smallest units; never zero. */
  readonly amount?: bigint | undefined
}

/** What the page wants to be funded; the app's settings fill in the rest. */
export interface FundingChoice {
  readonly address?: string | undefined
  readonly chain?: string | undefined
  readonly asset?: FundingAsset | { readonly erc20: string } | undefined
  /** In whole units, with a point: `0.05`. */
  readonly amount?: string | undefined
}

/**
 * Reads the app's settings.
 * @throws KitError `feature_not_enabled` where users can't fund their wallets
 */
export function readFundingSettings({ app }: Config): FundingSettings {
  if (!app.funding) throw new KitError('feature_not_enabled', 'Funding wallet is not enabled')
  return app.funding
}

/**
 * The token that the page asks for, other than USDC; `undefined` for a coin or USDC.
 * @throws KitError `invalid_request_arguments` for a token that the app doesn't name, since a page could name one of its own
 */
export function readFundingToken(
  settings: Pick<FundingSettings, 'chain' | 'tokens'>,
  { asset, chain = settings.chain }: Pick<FundingChoice, 'asset' | 'chain'>,
): FundingToken | undefined {
  const named = typeof asset === 'object' && asset !== null ? (asset.erc20 ?? '') : asset
  if (named === undefined || named === 'native-currency' || named === USDC) return undefined
  const wanted = typeof named === 'string' ? tokenAddress(named) : undefined
  if (wanted === undefined) throw invalid('The asset is none that can be funded')
  const found = settings.tokens.find((each) => each.chain === chain && tokenAddress(each.address) === wanted)
  if (!found) throw invalid('The app does not name this token among those that can be funded')
  return { chain: found.chain, address: wanted }
}

/** An address of Ethereum has several spellings. */
const tokenAddress = (text: string): string | undefined =>
  parseEthereumAddress(text) ?? parseSolanaAddress(text)

/**
 * Determines what is funded.
 * @param token the token that is funded, and its unit; `undefined` for a coin or USDC
 * @param wallets all wallets of the user, those that come first are preferred
 * @throws KitError `invalid_request_arguments` for what can't be funded, `unsupported_chain_id`, `embedded_wallet_not_found`, or
 * `invalid_configuration` where neither page nor app name a chain
 */
export function readFundingTarget(
  config: Config,
  settings: Pick<FundingSettings, 'chain' | 'asset' | 'amount'>,
  wallets: readonly FundingWallet[],
  choice: FundingChoice,
  token?: FundingToken & FundingUnit,
): FundingTarget {
  const chain = choice.chain ?? chainFor(config, settings, choice.address)
  if (chain === undefined)
    throw new KitError('invalid_configuration', "Couldn't find funding config", {
      details: 'Neither the page nor the app name a chain',
    })
  if (typeof chain !== 'string') throw invalid('The chain is not text')
  const place = readPlace(config, chain)
  const isDefault = chain === settings.chain
  const asset =
    token?.address ?? choice.asset ?? (isDefault ? settings.asset : undefined) ?? 'native-currency'
  if (typeof asset !== 'string' || !(token || asset === 'native-currency' || asset === USDC))
    throw invalid('The asset is none that can be funded')
  const address = token?.address ?? (asset === USDC ? usdcOn(chain) : undefined)
  if (asset === USDC && address === undefined) throw invalid('There is no USDC on this chain')
  const unit = token ?? (asset === USDC ? { symbol: USDC, decimals: USDC_DECIMALS } : place.coin)
  const { symbol, decimals } = unit
  const proposed = isDefault && asset === (settings.asset ?? 'native-currency') ? settings.amount : undefined
  return {
    address: addressOf(wallets, place.chainType, choice.address),
    chain,
    network: place.network,
    chainType: place.chainType,
    asset,
    token: address,
    symbol,
    decimals,
    amount: readFundingAmount(choice.amount ?? proposed, decimals),
  }
}

/** A wallet of the other kind of chain is funded on that kind's first network. */
function chainFor(
  config: Config,
  { chain }: Pick<FundingSettings, 'chain'>,
  address: string | undefined,
): string | undefined {
  if (address === undefined || chain?.startsWith('solana:') === isSolanaAddress(address)) return chain
  return isSolanaAddress(address) ? solanaClusters(config)[0]?.chain : undefined
}

const isSolanaAddress = (address: string): boolean => parseSolanaAddress(address) !== undefined

export interface Place {
  readonly network: string
  readonly chainType: 'ethereum' | 'solana'
  readonly coin: { readonly symbol: string; readonly decimals: number }
}

/** @throws KitError `unsupported_chain_id` */
export function readPlace(config: Config, chain: string): Place {
  const cluster = solanaClusters(config).find((each) => each.chain === chain)
  if (cluster)
    return {
      network: cluster.name,
      chainType: 'solana',
      coin: { symbol: SOL, decimals: LAMPORT_DECIMALS },
    }
  const id = /^eip155:([1-9]\d{0,15})$/.exec(chain)?.[1]
  const known = id === undefined ? undefined : chainOf(config, Number(id))
  if (!known)
    throw new KitError('unsupported_chain_id', `Chain ${String(chain).slice(0, 64)} is not supported`)
  const { symbol, decimals } = known.nativeCurrency
  return { network: known.name, chainType: 'ethereum', coin: { symbol, decimals } }
}

/** The same, where a network that the app no longer has is called by its id. */
export function findPlace(config: Config, chain: string): Place {
  try {
    return readPlace(config, chain)
  } catch {
    const isSolana = chain.startsWith('solana:')
    const decimals = isSolana ? LAMPORT_DECIMALS : ETHER_DECIMALS
    return { network: chain, chainType: isSolana ? 'solana' : 'ethereum', coin: { symbol: '', decimals } }
  }
}

/** Decimals of an EVM chain's coin that the app does not describe. */
const ETHER_DECIMALS = 18

function addressOf(
  wallets: readonly FundingWallet[],
  chainType: FundingTarget['chainType'],
  wanted: string | undefined,
): string {
  if (wanted === undefined) {
    const first = wallets.find((each) => each.chainType === chainType)
    if (!first)
      throw new KitError('embedded_wallet_not_found', 'The user must have a wallet before it can be funded')
    return first.address
  }
  const address = parseEthereumAddress(wanted) ?? wanted
  const found = wallets.find((each) => each.address === address)
  if (!found) throw new KitError('embedded_wallet_not_found', 'The user has no such wallet')
  if (found.chainType !== chainType) throw invalid('The wallet is of another kind of chain')
  return found.address
}

/**
 * Reads an amount in whole units.
 * @throws KitError `invalid_request_arguments` for zero, for what is no number, and for too many decimals
 */
export function readFundingAmount(text: string | undefined, decimals: number): bigint | undefined {
  if (text === undefined) return undefined
  const { amount, problem } = parseAmount(String(text), decimals, 'en')
  if (amount === undefined) throw invalid(`The amount can't be read: ${problem}`)
  if (amount === 0n) throw invalid('The amount is zero')
  return amount
}

const invalid = (details: string) =>
  new KitError('invalid_request_arguments', 'Invalid funding data', { details })
