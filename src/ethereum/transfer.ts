/** Transfers that a user fills in: the transaction, the most that can be sent, and what is at the recipient's address. */
import { minOf } from '../lib/bigint.ts'
import { bytes } from './answers.ts'
import { assertChainId, type PreparedTransaction, prepareTransaction } from './prepare-transaction.ts'
import type { ChainNode } from './rpc.ts'
import { addressWord, readToken } from './tokens.ts'
import type { WalletTransaction } from './transaction.ts'

type Hex = `0x${string}`

export interface EthereumTransfer {
  readonly chainId: number
  /** The address of the wallet. */
  readonly from: string
  readonly to: string
  /** In smallest units. */
  readonly amount: bigint
  /** The token's contract; `undefined`: the chain's own coin. */
  readonly token?: string | undefined
}

/** `transfer(address,uint256)` of ERC-20. */
const TRANSFER = '0xa9059cbb'
/** Code that lets an account of a key act like a contract (EIP-7702). */
const DELEGATED = '0xef0100'

/** The transfer as a request, whose fees and nonce the preparation fills in. */
export function transferRequest({ chainId, from, to, amount, token }: EthereumTransfer): WalletTransaction {
  const own = { chainId, from: from as Hex }
  if (token === undefined) return { ...own, to: to as Hex, value: amount, data: '0x' }
  const data: Hex = `${TRANSFER}${addressWord(to)}${amount.toString(16).padStart(64, '0')}`
  return { ...own, to: token as Hex, value: 0n, data }
}

/** The most of a chain's own coin that can be sent, as a request with the fees that it was reckoned with. */
export interface EthereumMaximum {
  readonly amount: bigint
  readonly request: WalletTransaction
}

/** Rounds until the layer-1 fee of the transaction with this very amount is paid for as well. */
const ROUNDS = 4

/**
 * The balance less the gas limit times the highest fee per gas, and less the layer-1 fee of chains that have one. Zero where that is
 * nothing. Throws what {@link prepareTransaction} throws.
 */
export async function quoteMaximum(
  node: ChainNode,
  { chainId, from, to }: Omit<EthereumTransfer, 'amount' | 'token'>,
  options: { gasPriceOracle?: string | undefined; signal?: AbortSignal | undefined } = {},
): Promise<EthereumMaximum> {
  const transfer = (amount: bigint) => transferRequest({ chainId, from, to, amount })
  let prepared = await prepareTransaction(node, transfer(0n), options)
  let { maxSendable: amount } = prepared
  for (let round = 0; round < ROUNDS && amount > 0n; round++) {
    // A contract may need more gas once something comes to it; its limit is estimated once more, and then stays.
    const request = { ...transfer(amount), ...feesOf(prepared), ...(round > 0 && limitOf(prepared)) }
    prepared = await prepareTransaction(node, request, options)
    if (round > 0 && prepared.maxSendable >= amount) return { amount, request }
    amount = minOf(amount, prepared.maxSendable)
  }
  return { amount: 0n, request: transfer(0n) }
}

const limitOf = ({ transaction: { gasLimit } }: PreparedTransaction) => ({ gasLimit })
const feesOf = ({
  transaction: { type, gasPrice, maxFeePerGas, maxPriorityFeePerGas },
}: PreparedTransaction): Partial<WalletTransaction> =>
  type === 2
    ? { type, maxFeePerGas, maxPriorityFeePerGas }
    : { ...(gasPrice !== undefined && { type, gasPrice }) }

/** `token-contract`: the contract of a token, where what is sent is lost. */
export type EthereumInspection =
  | { readonly problem: 'token-contract' }
  | { readonly problem?: undefined; readonly isContract: boolean }

/** Looks at what is at a recipient's address. Throws a `NodeError` or `Unreachable`. */
export async function inspectRecipient(
  node: ChainNode,
  { chainId, to, signal }: { chainId: number; to: string; signal?: AbortSignal | undefined },
): Promise<EthereumInspection> {
  const [, code] = await Promise.all([
    assertChainId(node, chainId, signal),
    node.ask('eth_getCode', [to, 'latest'], { signal }).then(bytes('the code of a contract')),
  ])
  if (code === '0x' || code.startsWith(DELEGATED)) return { isContract: false }
  const { kind } = await readToken(node, to, { signal })
  return kind === 'token' ? { problem: 'token-contract' } : { isContract: true }
}
