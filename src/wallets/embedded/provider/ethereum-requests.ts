import { chainOf } from '../../../chains/chains.ts'
import { isHexBytes, parseChainNumber } from '../../../chains/hex.ts'
import { InvalidRequest } from '../../../chains/invalid-request.ts'
import type { TypedData } from '../../../chains/typed-data.ts'
import type { Config } from '../../../config.ts'
import { limits } from '../../../core/limits.ts'
import { fieldOf, listOf } from '../../external/claims.ts'
import { ProviderRpcError } from '../../external/provider-error.ts'
import { invalidParams } from './rpc-error.ts'

const MOST_PARAMS = 16

/** The parameters of a method that takes a list of them. Spec §5 "Wallets and chains". */
export function takeList(method: string, params: unknown): readonly unknown[] {
  const list = listOf(params, MOST_PARAMS)
  if (!list || list.length === 0) throw invalidParams(method)
  return list
}

/** The chain that is asked for, if the app has it. Throws 4902 for any other: libraries then say so, or add it. */
export function readSwitch(method: string, params: unknown, config: Config): number {
  const [first] = takeList(method, params)
  const chainId = parseChainNumber(typeof first === 'string' ? first : fieldOf(first, 'chainId'))
  if (!chainId) throw new ProviderRpcError(4902, 'Unsupported chainId')
  if (!chainOf(config, chainId))
    throw new ProviderRpcError(
      4902,
      `Chain ID ${chainId} is not supported. It must be added to the config.supportedChains property.`,
    )
  return chainId
}

/** What `personal_sign` and `eth_sign` are asked to sign, and by whom: they name these in opposite order. */
export function readMessage(method: string, params: unknown): { address: unknown; bytes: Uint8Array } {
  const [first, second] = takeList(method, params)
  const isSwapped = isAddress(first) && !isAddress(second)
  // Old pages name the address first in personal_sign too, and wallets put up with it.
  const [address, message] = method === 'eth_sign' || isSwapped ? [first, second] : [second, first]
  return { address, bytes: bytesOf(message) }
}

const isAddress = (value: unknown) => typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value)

/** 0x-hex stands for its bytes, all else is text. */
function bytesOf(message: unknown): Uint8Array {
  if (typeof message !== 'string' || message === '' || message === '0x')
    throw new InvalidRequest('Message must be a non-empty string')
  if (message.length > limits.walletRequestSize) throw new InvalidRequest('The message is too long')
  if (/^0x[0-9a-fA-F]*$/.test(message)) {
    if (!isHexBytes(message)) throw new InvalidRequest('The hex message has half a byte')
    return Uint8Array.from(message.slice(2).match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
  }
  if (/\p{Surrogate}/u.test(message)) throw new InvalidRequest('The message is not well-formed text')
  const bytes = new TextEncoder().encode(message)
  if (bytes.length * 2 > limits.walletRequestSize) throw new InvalidRequest('The message is too long')
  return bytes
}

/** Security T17: what is signed for another chain is good there, whatever this wallet shows. */
export function sameChain({ domain }: TypedData, chainId: number): void {
  if (domain.chainId !== undefined && domain.chainId !== BigInt(chainId))
    throw new InvalidRequest(
      `Provided chainId "${domain.chainId}" must match the active chainId "${chainId}"`,
    )
}

/** A namespace and a name, of which some are a wallet's, an operator's, or one's own node's in development. */
const METHOD = /^[a-z][a-z0-9]{0,31}_\w{1,64}$/i
const NOT_FOR_PAGES =
  /^(wallet|personal|account|parity|signer|clef|admin|miner|engine|anvil|hardhat|evm|tenderly|ganache)_/i
/** Whatever its namespace: a node that holds keys would use them, or keep a line open that nobody hears. */
const NEVER = /sign|sendtransaction|resend|crypt|privatekey|unlock|imperson|submit|subscribe/i
const ABOUT_ACCOUNTS = /^eth_(accounts|coinbase|getEncryptionPublicKey)$/i

/** Whether a request is for the chain's node: what reads, and what is signed already. */
export const isNodesBusiness = (method: string): boolean =>
  METHOD.test(method) && !NOT_FOR_PAGES.test(method) && !NEVER.test(method) && !ABOUT_ACCOUNTS.test(method)
