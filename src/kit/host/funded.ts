/** Reports to the host that a wallet was funded. */
import { formatUnits } from '../../ethereum/amounts.ts'
import type { FundingOutcome } from '../../funding/method.ts'
import type { FundingTarget } from '../../funding/target.ts'
import type { FundedWallet } from '../api.ts'
import type { KitContext } from '../context.ts'

/** Emits what has come of funding, and makes the host's result of it. */
export function announceFunded(
  { events }: Pick<KitContext, 'events'>,
  target: Pick<FundingTarget, 'address' | 'chain' | 'asset' | 'symbol' | 'decimals'>,
  { method, status, received, transactionHash, purchase }: FundingOutcome,
): FundedWallet {
  const { address, chain, asset, symbol, decimals } = target
  const amount = received === undefined ? undefined : toAmountText(received, decimals)
  const bought = purchase && { purchase }
  const result = { method, status, address, chain, asset, symbol, amount, transactionHash, ...bought }
  events.emit('funded', result)
  return result
}

/** An amount in whole units, without separators of thousands. */
export const toAmountText = (amount: bigint, decimals: number) =>
  formatUnits(amount, decimals).replaceAll(',', '')
