import { InvalidRequest } from './invalid-request.ts'

/** Fees of one coin, in its smallest unit. */
export interface FeeLimits {
  /** Above it a user is asked to look again. */
  readonly unusual: bigint
  /** Above it nothing is signed: nobody has ever meant to pay that. */
  readonly absurd: bigint
}
/** `high`: it is unusual by itself. `share`: it is much, measured by what the transaction moves. */
export type FeeConcern = 'high' | 'share'

/** A fee above this part of the amount needs another look … */
const SHARE = 4n
/** … unless it is this small a part of an unusual fee. */
const SMALL = 20n

/** Whether a fee needs another look. Throws an {@link InvalidRequest} for an absurd one. */
export function feeConcern(
  fee: bigint,
  value: bigint,
  { unusual, absurd }: FeeLimits,
): FeeConcern | undefined {
  if (fee > absurd) throw new InvalidRequest('The fee of this transaction is out of all proportion')
  if (fee > unusual) return 'high'
  return value > 0n && fee * SHARE > value && fee * SMALL > unusual ? 'share' : undefined
}
