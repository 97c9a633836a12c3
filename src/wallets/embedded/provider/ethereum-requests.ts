import type { Config } from '../../../app/config.ts'
import { chainOf } from '../../../ethereum/chains.ts'
import { parseChainNumber } from '../../../ethereum/integer.ts'
import { parseMessage } from '../../../ethereum/message.ts'
import { InvalidRequest } from '../../../lib/invalid-request.ts'
import { fieldOf, listOf } from '../../external/claims.ts'
import { ProviderRpcError } from '../../external/provider-error.ts'
import { walletsLimits } from '../../limits.ts'
import { invalidParams } from './rpc-error.ts'

const MOST_PARAMS = 16

/** The parameters of a method that takes a list of them. */
export function takeList(method: string, params: unknown): readonly unknown[] {
  const list = listOf(params, MOST_PARAMS)
  if (!list || list.length === 0) throw invalidParams(method)
  return list
}

/**
 * The requested chain, if the app has it. Throws 4902 for any other, which libraries report or answer by
 * adding the chain.
 */
export function readSwitch(method: string, params: unknown, config: Config): number {
  const [first] = takeList(method, params)
  const named = typeof first === 'string' ? first : fieldOf(first, 'chainId')
  if (typeof named !== 'string' && typeof named !== 'number') throw invalidParams(method)
  const chainId = parseChainNumber(named)
  if (!chainId) throw new ProviderRpcError(4902, 'Unsupported chainId')
  if (!chainOf(config, chainId))
    throw new ProviderRpcError(
      4902,
      `Chain ID ${chainId} is not supported. It must be added to the config.supportedChains property.`,
    )
  return chainId
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

/** A namespace and a name, of which some are a wallet's, an operator's, or a development node's own. */
const METHOD = /^[a-z][a-z0-9]{0,31}_\w{1,64}$/i
const NOT_FOR_PAGES =
  /^(wallet|personal|account|parity|signer|clef|admin|miner|engine|anvil|hardhat|evm|tenderly|ganache)_/i
/**
 * Refused in every namespace: a node that holds keys would use them, or keep a connection open that nobody
 * listens to.
 */
const NEVER = /sign|sendtransaction|resend|crypt|privatekey|unlock|imperson|submit|subscribe/i
const ABOUT_ACCOUNTS = /^eth_(accounts|coinbase|getEncryptionPublicKey)$/i

/** Whether a request goes to the chain's node: reading, and sending what is already signed. */
export const isForNode = (method: string): boolean =>
  METHOD.test(method) && !NOT_FOR_PAGES.test(method) && !NEVER.test(method) && !ABOUT_ACCOUNTS.test(method)
