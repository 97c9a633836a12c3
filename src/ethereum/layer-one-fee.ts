import { catchNodeError, NodeError } from '../lib/node-errors.ts'
import { isHexBytes } from './hex.ts'
import type { Ask } from './rpc.ts'
import { serialize } from './serialize.ts'
import type { CompleteTransaction } from './transaction.ts'

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
  const bytes = serialize(transaction).slice(2)
  const data = `0x${GET_L1_FEE}${word(32)}${word(bytes.length / 2)}${bytes.padEnd(Math.ceil(bytes.length / 64) * 64, '0')}`
  const answer = await catchNodeError(ask('eth_call', [{ to: oracle, data }, 'latest']))
  if (answer instanceof NodeError) return answer
  if (!isHexBytes(answer) || answer.length !== 66)
    throw new NodeError(-32603, 'The node did not say a layer-1 fee')
  return BigInt(answer)
}

const word = (value: number) => value.toString(16).padStart(64, '0')
