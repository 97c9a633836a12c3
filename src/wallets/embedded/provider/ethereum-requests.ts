import type { Config } from '../../../app/config.ts'
import { parseEthereumAddress } from '../../../ethereum/address.ts'
import { chainOf } from '../../../ethereum/chains.ts'
import { parseMessage } from '../../../ethereum/message.ts'
import { InvalidRequest } from '../../../lib/invalid-request.ts'
import { isPlainObject, readPlain } from '../../../lib/plain.ts'
import { fieldOf, listOf } from '../../external/claims.ts'
import { invalidParams, ProviderRpcError } from '../../external/provider-error.ts'
import { walletsLimits } from '../../limits.ts'

const MOST_PARAMS = 16

/** The parameters of a method that takes a list of them. */
export function takeList(method: string, params: unknown): readonly unknown[] {
  const list = listOf(params, MOST_PARAMS)
  if (!list || list.length === 0) throw invalidParams(method, { params })
  return list
}

/** A chain as EIP-695 writes it: in hex, without leading zeros. */
export function readChainId(value: unknown): number | undefined {
  const id = typeof value === 'string' && /^0x[1-9a-f][\da-f]{0,13}$/i.test(value) ? Number(value) : undefined
  return id !== undefined && Number.isSafeInteger(id) ? id : undefined
}

/**
 * The requested chain, if the app has it. To switch to any other is 4902, which libraries report or answer by adding the chain; to add
 * one is refused for good, so that none of them tries again.
 */
export function readSwitch(method: string, params: unknown, config: Config): number {
  const [first] = takeList(method, params)
  const chainId = readChainId(typeof first === 'string' ? first : fieldOf(first, 'chainId'))
  if (!chainId) throw invalidParams(method, { params })
  if (chainOf(config, chainId)) return chainId
  const isAdded = method === 'wallet_addEthereumChain'
  throw new ProviderRpcError(
    isAdded ? 4200 : 4902,
    isAdded
      ? `Chain ID ${chainId} can't be added: a chain is supported once the app has it in config.supportedChains.`
      : `Chain ID ${chainId} is not supported. It must be added to the config.supportedChains property.`,
  )
}

/** Whether a list of permissions (EIP-2255) names the accounts, which are all that there is to permit. */
export function readPermissions(method: string, params: unknown): void {
  const [first] = takeList(method, params)
  const asked = readPlain(first, 10_000)
  if (!isPlainObject(asked) || Object.keys(asked).length === 0) throw invalidParams(method, { params })
  const other = Object.keys(asked).find((name) => name !== 'eth_accounts')
  if (other !== undefined)
    throw new ProviderRpcError(4200, `The permission ${other.slice(0, 64)} is not supported`)
}

/** The permission to see accounts, as EIP-2255 writes it. */
export const accountsPermission = (origin: string, addresses: readonly string[]) => ({
  invoker: origin,
  parentCapability: 'eth_accounts',
  caveats: [{ type: 'restrictReturnedAccounts', value: addresses }],
})

/** A token as a page suggests it (EIP-747). What it is called, its contract says. */
export interface SuggestedToken {
  /** Its contract, with checksum. */
  readonly address: string
  /** As the page describes it. */
  readonly symbol?: string | undefined
  readonly decimals?: number | undefined
}

/** Reads `wallet_watchAsset`, whose parameters are an object; some libraries put it into a list. */
export function readWatchedAsset(method: string, params: unknown): SuggestedToken {
  const raw = readPlain(Array.isArray(params) && params.length === 1 ? params[0] : params, 20_000)
  const options = isPlainObject(raw) ? raw.options : undefined
  if (!isPlainObject(raw) || typeof raw.type !== 'string' || !isPlainObject(options))
    throw invalidParams(method)
  if (raw.type !== 'ERC20')
    throw new ProviderRpcError(4200, `Assets of the type ${raw.type.slice(0, 64)} are not supported`)
  const { address: text, symbol, decimals } = options
  const address = typeof text === 'string' ? parseEthereumAddress(text) : undefined
  // Pages often have numbers from forms.
  const count = typeof decimals === 'string' && /^\d{1,3}$/.test(decimals) ? Number(decimals) : decimals
  const isReadable =
    (symbol === undefined || symbol === null || typeof symbol === 'string') &&
    (count === undefined || count === null || (Number.isInteger(count) && (count as number) >= 0))
  if (!address || !isReadable) throw invalidParams(method)
  return {
    address,
    ...(typeof symbol === 'string' && symbol !== '' && { symbol }),
    ...(typeof count === 'number' && { decimals: count }),
  }
}

/** What `personal_sign` is asked to sign, and by whom. */
export function readMessage(params: unknown): { address: unknown; bytes: Uint8Array } {
  const [first, second] = takeList('personal_sign', params)
  // Old pages name the address first, and wallets accept it.
  const isSwapped = isAddress(first) && !isAddress(second)
  const [address, message] = isSwapped ? [first, second] : [second, first]
  return { address, bytes: bytesOf(message) }
}

const isAddress = (value: unknown) => typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value)

/** 0x-hex means its bytes; everything else is text. */
function bytesOf(message: unknown): Uint8Array {
  if (typeof message !== 'string' || message === '' || message === '0x')
    throw new InvalidRequest('Message must be a non-empty string')
  if (message.length > walletsLimits.walletRequestSize) throw new InvalidRequest('The message is too long')
  const bytes = parseMessage(message)
  if (bytes.length * 2 > walletsLimits.walletRequestSize) throw new InvalidRequest('The message is too long')
  return bytes
}

/** Refuses typed data for a chain other than the active one: the signature would be valid there, whichever chain this wallet shows. */
export function requireChain(asked: bigint | number | undefined, chainId: number): void {
  if (asked !== undefined && BigInt(asked) !== BigInt(chainId))
    throw new InvalidRequest(`Provided chainId "${asked}" must match the active chainId "${chainId}"`)
}

/** Reading, and sending what is already signed. Closed: a node that holds keys, or an operator's own, has methods that nobody lists. */
const FOR_NODE =
  /^(eth_(blobBaseFee|blockNumber|call|chainId|config|createAccessList|estimateGas|feeHistory|gasPrice|get(Balance|Block(ByHash|ByNumber|Receipts|TransactionCountBy(Hash|Number))|Code|Filter(Changes|Logs)|Logs|Proof|StorageAt|Transaction(ByBlock(Hash|Number)AndIndex|ByHash|Count|Receipt)|Uncle(ByBlock|CountByBlock)(HashAndIndex|NumberAndIndex|Hash|Number))|maxPriorityFeePerGas|new(Block|PendingTransaction)?Filter|protocolVersion|sendRawTransaction(Sync)?|simulateV1|syncing|uninstallFilter)|net_(listening|peerCount)|web3_(clientVersion|sha3))$/

/** Whether a request goes to the chain's node. */
export const isForNode = (method: string): boolean => FOR_NODE.test(method)
