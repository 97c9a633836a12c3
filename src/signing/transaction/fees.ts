/** The fees that a user may choose from, out of what was prepared. */
import type { FeeChoice, FeesPerGas } from '../../ethereum/fees.ts'
import { feeSpeeds } from '../../ethereum/fees.ts'
import type { PreparedTransaction } from '../../ethereum/prepare-transaction.ts'
import type { ChosenFees, EditableFees, OwnFees, Warning } from '../preview.ts'

/**
 * The fees of a preview, as far as they can be chosen. `undefined` where the host page has named its own: another fee would be another
 * request.
 * @param choice the one that was prepared
 */
export function toEditableFees(
  { levels, transaction }: Pick<PreparedTransaction, 'levels' | 'transaction'>,
  choice: FeeChoice = 'usual',
): EditableFees | undefined {
  if (!levels) return undefined
  const usual = mostOf(levels.usual.perGas)
  return {
    chosen: typeof choice === 'string' ? choice : 'own',
    // On some networks all levels are the same.
    levels: feeSpeeds
      .filter((speed) => speed === 'usual' || mostOf(levels[speed].perGas) !== usual)
      .map((speed) => ({ speed, fee: levels[speed].most })),
    own: ownFees(transaction),
  }
}

const mostOf = (fees: FeesPerGas) => (fees.type === 2 ? fees.maxFeePerGas : fees.gasPrice)

function ownFees({
  gasPrice,
  maxFeePerGas,
  maxPriorityFeePerGas,
}: PreparedTransaction['transaction']): OwnFees {
  return gasPrice === undefined
    ? { maxFeePerGas: maxFeePerGas ?? 0n, maxPriorityFeePerGas: maxPriorityFeePerGas ?? 0n }
    : { gasPrice }
}

/** The user's choice for a transaction of Ethereum; `undefined` for one that only Solana has. */
export const readFeeChoice = (fees: ChosenFees | undefined): FeeChoice | undefined =>
  typeof fees === 'object' && 'priority' in fees ? undefined : fees

/** Warns of a fee that the network doesn't take at present: such a transaction waits, and may wait for ever. */
export function feeWarnings({
  transaction,
  baseFee,
}: Pick<PreparedTransaction, 'transaction' | 'baseFee'>): Warning[] {
  const { gasPrice, maxFeePerGas = gasPrice } = transaction
  return baseFee !== undefined && maxFeePerGas !== undefined && maxFeePerGas < baseFee
    ? [{ code: 'low-fee', severity: 'warning' }]
    : []
}
