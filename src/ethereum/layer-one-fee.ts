import { minOf } from '../lib/bigint.ts'
import { catchNodeError, INTERNAL_ERROR, NodeError } from '../lib/node-errors.ts'
import { failureReason } from './failure-reason.ts'
import { isHexBytes } from './hex.ts'
import type { Ask } from './rpc.ts'
import { serialize } from './serialize.ts'
import type { CompleteTransaction, WalletTransaction } from './transaction.ts'

/** `getL1Fee(bytes)` of the OP stack's GasPriceOracle. */
const GET_L1_FEE = '49948e0e'

/**
 * What a chain of the OP stack takes beside the gas, for writing the transaction to layer 1. Resolves
 * with the {@link NodeError} of an oracle that refuses.
 */
export async function layerOneFee(
  ask: Ask,
  oracle: string,
  transaction: CompleteTransaction,
): Promise<bigint | NodeError> {
  const bytes = serialize(withFillers(transaction)).slice(2)
  const data = `0x${GET_L1_FEE}${word(32)}${word(bytes.length / 2)}${bytes.padEnd(Math.ceil(bytes.length / 64) * 64, '0')}`
  const answer = await catchNodeError(ask('eth_call', [{ to: oracle, data }, 'latest']))
  if (answer instanceof NodeError) return answer
  if (!isHexBytes(answer) || answer.length !== 66)
    throw new NodeError(INTERNAL_ERROR, 'The node did not say a layer-1 fee')
  return BigInt(answer)
}

/** `getOperatorFee(uint256)` of the GasPriceOracle, since Isthmus. */
const GET_OPERATOR_FEE = '275aedd2'
/** The chain counts this fee by a million units of gas, so for this much it rounds nothing. */
const OPERATOR_GAS = 1_000_000n

/** What the operator of a chain takes beside the gas: a part that is always the same, and one for each million units of gas. */
export interface OperatorFee {
  readonly constant: bigint
  readonly perMillion: bigint
}
export const NO_OPERATOR_FEE: OperatorFee = { constant: 0n, perMillion: 0n }

/** For a gas limit: nodes want the wallet to have that much. */
export const operatorFeeOf = ({ constant, perMillion }: OperatorFee, gasLimit: bigint): bigint =>
  constant + (gasLimit * perMillion + OPERATOR_GAS - 1n) / OPERATOR_GAS

/**
 * Reads the operator fee of a chain of the OP stack; nothing on one from before it has such a fee. Resolves with the {@link NodeError}
 * of a node that can't say.
 */
export async function readOperatorFee(ask: Ask, oracle: string): Promise<OperatorFee | NodeError> {
  const [constant, million] = await Promise.all(
    [0n, OPERATOR_GAS].map((gas) => operatorFee(ask, oracle, gas)),
  )
  if (constant instanceof NodeError) return constant
  if (million instanceof NodeError) return million
  if (constant === undefined || million === undefined) return NO_OPERATOR_FEE
  if (million < constant) throw new NodeError(INTERNAL_ERROR, 'The node did not say an operator fee')
  return { constant, perMillion: million - constant }
}

async function operatorFee(ask: Ask, oracle: string, gas: bigint): Promise<bigint | undefined | NodeError> {
  const data = `0x${GET_OPERATOR_FEE}${gas.toString(16).padStart(64, '0')}`
  const answer = await catchNodeError(ask('eth_call', [{ to: oracle, data }, 'latest']))
  if (answer instanceof NodeError) return failureReason(answer).kind === 'reverted' ? undefined : answer
  // An older contract, or none.
  if (answer === '0x') return undefined
  if (!isHexBytes(answer) || answer.length !== 66)
    throw new NodeError(INTERNAL_ERROR, 'The node did not say an operator fee')
  return BigInt(answer)
}

/** Values as long as real ones get, of bytes that no compression makes shorter. */
const filler = {
  nonce: 0x9e_37_79n,
  gasLimit: 0xb7_e1_51n,
  maxFeePerGas: 0xc3_d2_e1_f0_9bn,
  maxPriorityFeePerGas: 0x85_eb_ca_6b_2fn,
}
const fillerSignature = { yParity: 1, r: `0x${'9e'.repeat(32)}`, s: `0x${'5a'.repeat(32)}` } as const
/**
 * A transaction of at least the size that the request gets once everything is filled in, so that the fee for its size can be asked for
 * at the same time as what is missing.
 */
export const largestOf = ({
  nonce = filler.nonce,
  gasLimit = filler.gasLimit,
  maxFeePerGas = filler.maxFeePerGas,
  maxPriorityFeePerGas = filler.maxPriorityFeePerGas,
  gasPrice: _,
  ...request
}: WalletTransaction): CompleteTransaction => ({
  ...request,
  type: request.authorizationList ? 4 : 2,
  nonce,
  gasLimit,
  maxFeePerGas,
  maxPriorityFeePerGas: minOf(maxPriorityFeePerGas, maxFeePerGas),
})

/** Whether the fee for one covers the other as well: what a chain takes depends on the size. */
export const coversSize = (larger: CompleteTransaction, transaction: CompleteTransaction): boolean =>
  serialize(withFillers(larger)).length >= serialize(withFillers(transaction)).length

/** Authorizations are signed later, and are as long then. */
const withFillers = ({ authorizationList, ...transaction }: CompleteTransaction): CompleteTransaction => ({
  ...transaction,
  ...(authorizationList && {
    authorizationList: authorizationList.map((each) => ({ ...each, signature: fillerSignature })),
  }),
})

const word = (value: number) => value.toString(16).padStart(64, '0')
