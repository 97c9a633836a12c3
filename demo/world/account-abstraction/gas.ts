import { type Hex, hexToBytes } from 'viem'
import type { EntryPoint } from './entry-point.ts'
import type { Node, StateOverride } from './node.ts'
import { toQuantity } from './node.ts'
import { gasOf, type Operation, paymasterOf } from './user-operation.ts'

/** Gas of a bundle that no EntryPoint measures: its transaction, the beneficiary's payment, and the refund of the deposit. */
const TRANSACTION_GAS = 21_000n
const BUNDLE_GAS = 40_000n
const AUTHORIZATION_GAS = 25_000n
/** One operation may use no more: a node refuses larger transactions (EIP-7825). */
export const MOST_GAS = 15_000_000n

/** Gas that a bundler has for an operation besides executing it. */
export function preVerificationGas(entryPoint: EntryPoint, operation: Operation): bigint {
  let calldata = 0n
  for (const byte of hexToBytes(entryPoint.encodeHandleOps([operation]))) calldata += byte === 0 ? 4n : 16n
  return TRANSACTION_GAS + BUNDLE_GAS + calldata + (operation.authorization ? AUTHORIZATION_GAS : 0n)
}

const full = (data: Hex | undefined): Hex => `0x${'ff'.repeat(((data?.length ?? 2) - 2) / 2)}`

/**
 * Estimates an operation by executing it on the latest block; its signature, and its paymaster's, need only have the right length.
 * @throws FailedOperation, ExecutionReverted
 */
export async function estimateGas(
  node: Node,
  entryPoint: EntryPoint,
  operation: Operation,
  override: StateOverride,
) {
  const { fields, version } = operation
  const paymaster = paymasterOf(operation)
  const isUnpacked = version !== '0.6'
  const tried = {
    ...operation,
    fields: {
      ...fields,
      callGasLimit: 10_000_000n,
      verificationGasLimit: 3_000_000n,
      preVerificationGas: 100_000n,
      // The cheapest fees: the account's prefund is there, and its paymaster's deposit needn't cover these limits.
      maxFeePerGas: 1n,
      maxPriorityFeePerGas: 1n,
      ...(isUnpacked &&
        paymaster && { paymasterVerificationGasLimit: 3_000_000n, paymasterPostOpGasLimit: 3_000_000n }),
    },
  } as Operation
  const balance = BigInt(await node.ask<Hex>('eth_getBalance', [fields.sender, 'latest'])) + gasOf(tried)
  const measured = await entryPoint.measure(tried, {
    ...override,
    [fields.sender]: { balance: toQuantity(balance), ...override[fields.sender] },
  })

  const withMargin = (gas: bigint, more: bigint) => (gas * 5n) / 4n + more
  const own = measured.creation + measured.validation
  const limits = {
    callGasLimit: withMargin(measured.execution, 10_000n),
    verificationGasLimit: isUnpacked
      ? withMargin(own, 70_000n)
      : withMargin(own + measured.paymaster, 80_000n),
    ...(isUnpacked &&
      paymaster && {
        paymasterVerificationGasLimit: withMargin(measured.paymaster, 15_000n),
        paymasterPostOpGasLimit: measured.postOp > 0n ? withMargin(measured.postOp, 10_000n) : 0n,
      }),
  }
  // Bytes that are still to come cost the most that they can.
  const complete = {
    ...operation,
    fields: {
      ...fields,
      ...limits,
      preVerificationGas: 0xff_ffffn,
      maxFeePerGas: 0xff_ffff_ffff_ffffn,
      maxPriorityFeePerGas: 0xff_ffff_ffff_ffffn,
      signature: full(fields.signature),
      ...(fields.paymasterData && { paymasterData: full(fields.paymasterData) }),
      ...(!isUnpacked &&
        paymaster && { paymasterAndData: `${paymaster}${full(fields.paymasterAndData).slice(42)}` }),
    },
  } as Operation
  return { preVerificationGas: (preVerificationGas(entryPoint, complete) * 21n) / 20n, ...limits }
}
