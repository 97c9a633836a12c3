import { maxOf, minOf } from '../lib/bigint.ts'
import { catchNodeError, NodeError } from '../lib/node-errors.ts'
import { quantity, unusable } from './answers.ts'
import { failureReason } from './failure-reason.ts'
import { formatQuantity } from './integer.ts'
import type { Ask } from './rpc.ts'
import type { WalletTransaction } from './transaction.ts'
import { AUTHORIZATION_GAS, stateAfterAuthorization } from './wallet-code.ts'

/** Gas of the cheapest transaction there is. */
export const LEAST_GAS = 21_000n
const MOST_GAS = 2n ** 64n - 1n
/** Gas limit of a transaction that the node expects to fail, so that nobody can say how much it needs. */
const FALLBACK_GAS = 1_000_000n

export interface GasEstimate {
  /** Gas that the transaction uses now; `undefined` if the node can't say. */
  readonly used: bigint | undefined
  /** The node's reason to refuse an estimate. */
  readonly error: NodeError | undefined
}

export async function estimateGas(request: WalletTransaction, ask: Ask): Promise<GasEstimate> {
  const { from, to, value, data, accessList } = request
  const state = stateAfterAuthorization(request)
  const estimate = async (amount: bigint) => {
    const call = {
      from,
      value: formatQuantity(amount),
      ...(to && { to }),
      ...(data !== '0x' && { data }),
      ...(accessList && { accessList }),
    }
    const params = state ? [call, 'latest', state] : [call]
    const answer = await catchNodeError(ask('eth_estimateGas', params))
    if (answer instanceof NodeError) return answer
    const gas = quantity('an estimate', MOST_GAS)(answer)
    if (gas < LEAST_GAS) throw unusable('an estimate')
    return state ? gas + AUTHORIZATION_GAS : gas
  }
  const first = await estimate(value)
  if (!(first instanceof NodeError)) return { used: first, error: undefined }
  // Without the value the missing amount can still be named; the execution may take another way then, so it stays a guess.
  const isShort = failureReason(first).kind === 'insufficient-funds'
  const second = isShort && value > 0n ? await estimate(0n) : undefined
  return { used: second instanceof NodeError ? undefined : second, error: first }
}

/**
 * A gas limit with a fifth more: a contract may need it once others have written to it. A plain transfer never does.
 * @param most the gas limit of a block
 */
export function gasLimitOf(used: bigint, data: string, most: bigint): bigint {
  if (used > most) throw unusable('an estimate')
  return minOf(data === '0x' ? used : (used * 12n) / 10n, most)
}

/** As much gas as the wallet can pay for, within reason: the rest stays with it, but the network wants to see that it is there. */
export function fallbackGasLimit(available: bigint, perGas: bigint, most: bigint): bigint {
  const affordable = perGas > 0n && available > 0n ? available / perGas : FALLBACK_GAS
  return minOf(maxOf(minOf(affordable, FALLBACK_GAS), LEAST_GAS), maxOf(most, LEAST_GAS))
}
