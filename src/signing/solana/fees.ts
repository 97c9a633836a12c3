/** The priority fees that a user may choose from on Solana, out of what was prepared. */
import { feeSpeeds } from '../../ethereum/fees.ts'
import type { PriorityChoice } from '../../solana/budget.ts'
import type { PreparedTransaction } from '../../solana/prepare.ts'
import type { ChosenFees, EditableFees } from '../preview.ts'

/**
 * The fees of a preview, as far as they can be chosen. `undefined` where the app has set a priority fee or somebody else signs as well.
 * @param choice the one that was prepared
 */
export function toEditableFees(
  {
    priorities,
    fee,
    wallet,
    message,
  }: Pick<PreparedTransaction, 'priorities' | 'fee' | 'wallet' | 'message'>,
  choice: PriorityChoice = 'usual',
): EditableFees | undefined {
  if (!priorities || message.payer !== wallet) return undefined
  const base = fee.total - fee.priority
  return {
    chosen: typeof choice === 'string' ? choice : 'own',
    levels: feeSpeeds
      .filter((speed) => speed === 'usual' || priorities[speed] !== priorities.usual)
      .map((speed) => ({ speed, fee: base + priorities[speed] })),
    own: { priority: fee.priority },
  }
}

/** The user's choice for a transaction of Solana; `undefined` for one that only Ethereum has. */
export function readPriority(fees: ChosenFees | undefined): PriorityChoice | undefined {
  if (typeof fees !== 'object') return fees
  return 'priority' in fees ? fees.priority : undefined
}
