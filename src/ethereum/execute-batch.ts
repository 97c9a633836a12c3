/** Several calls as one call of a wallet to itself, whose code carries out all of them or none (EIP-7702). */
import { encodeFunctionData, parseAbi } from 'viem'
import { openCall } from './call-actions.ts'
import type { TransactionRequest } from './transaction.ts'

type Hex = `0x${string}`

/** A call that code at the wallet's own address can carry out: none that creates a contract. */
export interface BatchCall {
  readonly to: Hex
  readonly value: bigint
  readonly data: Hex
}

const abi = parseAbi(['function executeBatch((address target, uint256 value, bytes data)[] calls)'])
const EXECUTE_BATCH = '0x34fcd5be'

/** The call data of all calls. */
export const encodeBatch = (calls: readonly BatchCall[]): Hex =>
  encodeFunctionData({ abi, args: [calls.map(({ to: target, value, data }) => ({ target, value, data }))] })

/**
 * The calls of a transaction of a wallet to itself; `undefined` for any other transaction, and for bytes that {@link encodeBatch} would not
 * have written.
 */
export function decodeBatch(
  { to, value, data }: Pick<TransactionRequest, 'to' | 'value' | 'data'>,
  wallet: string,
): readonly BatchCall[] | undefined {
  if (to !== wallet || value !== 0n || !data.startsWith(EXECUTE_BATCH)) return undefined
  const calls = openCall({ data, to: wallet })?.calls.flatMap((call) =>
    call.to === undefined ? [] : [{ to: call.to as Hex, value: call.value, data: call.data as Hex }],
  )
  return calls && encodeBatch(calls) === data ? calls : undefined
}
