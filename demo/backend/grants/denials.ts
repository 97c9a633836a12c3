import { Refusal } from '../lib/refusal.ts'

/** Why a grant doesn't let its signer do something. */
export type Denial =
  /** Ended by its user or by time, used up, or not yet begun. */
  | 'ended'
  /** The user's account is frozen or gone. */
  | 'account'
  | 'chain'
  | 'recipient'
  /** Nothing in the grant allows this call. */
  | 'call'
  /** Nothing in the grant counts what it would take. */
  | 'asset'
  | 'per_transaction'
  | 'per_window'
  | 'total'
  | 'max_uses'
  /** It can't be simulated, or would fail. */
  | 'simulation'
  /** Afterwards somebody else could take assets. */
  | 'allowance'
  | 'fee'

/** A use that a grant doesn't allow; `data.reason` says why. */
export const denied = (reason: Denial) =>
  new Refusal('permission_denied', 'The permission does not allow this.', { data: { reason } })
