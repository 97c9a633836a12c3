import type { ChainRpc } from '../../chains/rpc.ts'
import { Refusal } from '../../lib/refusal.ts'
import { readQuantity, resultOf } from './node-answers.ts'
import type { TransactionRequest } from './request.ts'

export type Fees = { gasPrice: bigint } | { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }

/** The tip per gas where nobody knows what was paid lately. */
const USUAL_TIP = 1_000_000_000n
/** A price of so many times the usual one is not believed: a node must not spend a person's money on fees. */
const FAR_TOO_MUCH = 50n

/**
 * The fees that a request names, or those of the last blocks: twice the base fee, so that some full blocks may come
 * between, and the tip that half of the transactions gave.
 * @param baseFee of the latest block; `undefined` on a chain without it
 */
export async function suggestFees(
  node: ChainRpc,
  request: TransactionRequest,
  baseFee: bigint | undefined,
  until: number,
): Promise<Fees> {
  const { type, gasPrice, maxFeePerGas, maxPriorityFeePerGas } = request
  if (gasPrice !== undefined) return { gasPrice }
  if (baseFee === undefined || type === 0 || type === 1) {
    if (type === 2 || maxFeePerGas !== undefined || maxPriorityFeePerGas !== undefined)
      throw new Refusal('invalid_data', 'Invalid or missing: transaction.gasPrice')
    return { gasPrice: readQuantity(node, resultOf(node, await node.ask('eth_gasPrice', [], until))) }
  }
  const tip = maxPriorityFeePerGas ?? (await usualTip(node, maxFeePerGas, until))
  const most = maxFeePerGas ?? baseFee * 2n + tip
  if (tip > most) throw new Refusal('invalid_data', 'Invalid or missing: transaction.maxPriorityFeePerGas')
  return { maxFeePerGas: most, maxPriorityFeePerGas: tip }
}

async function usualTip(node: ChainRpc, atMost: bigint | undefined, until: number): Promise<bigint> {
  const [history, asked] = await Promise.all([
    node.ask('eth_feeHistory', ['0xa', 'latest', [50]], until),
    node.ask('eth_maxPriorityFeePerGas', [], until),
  ])
  const given = medianReward(node, history)
  const wanted = 'result' in asked ? readQuantity(node, asked.result) : (given ?? USUAL_TIP)
  const usual = given === undefined || given < USUAL_TIP ? USUAL_TIP : given
  const tip = wanted > usual * FAR_TOO_MUCH ? usual : wanted
  return atMost !== undefined && tip > atMost ? atMost : tip
}

/** The middle of what was paid in the last blocks that held anything; `undefined` where the node does not tell. */
function medianReward(node: ChainRpc, said: Awaited<ReturnType<ChainRpc['ask']>>): bigint | undefined {
  if (!('result' in said) || typeof said.result !== 'object' || said.result === null) return undefined
  const { reward } = said.result as { reward?: unknown }
  if (!Array.isArray(reward)) return undefined
  const rewards = reward
    .flatMap((each: unknown) => (Array.isArray(each) ? [readQuantity(node, each[0])] : []))
    .filter((each) => each > 0n)
    .sort((one, other) => (one < other ? -1 : 1))
  return rewards[Math.floor(rewards.length / 2)]
}
