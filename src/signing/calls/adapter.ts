/**
 * How a wallet carries out several calls. A wallet that is a key sends a transaction for each (`sequence.ts`); an account with code sends
 * one for all of them. The flow, the approvers and what follows the calls know only this.
 */
import type { ActivityEntry } from '../../activity/entry.ts'
import type { Signature } from '../signature.ts'
import type { CallBatch } from './batch.ts'
import type { CallsPreview } from './preview.ts'

/** A call of a batch, in short. */
export type CallSummary = NonNullable<CallBatch['calls']>[number]
/** A transaction that was signed. */
export type SignedEntry = Omit<ActivityEntry, 'status' | 'sentAt'>

export interface CallsAdapter<Prepared> {
  readonly chainType: 'ethereum' | 'solana'
  /** CAIP-2. */
  readonly chain: string
  /** The address that the calls come from, where that is not the key's own: a smart account's. */
  readonly wallet?: string | undefined
  /** Whether all calls take effect or none does. */
  readonly isAtomic: boolean
  /**
   * Asks the nodes for all that the calls leave open.
   * @throws NodeError, Unreachable, or InvalidRequest for what no network takes
   */
  prepare(signal: AbortSignal): Promise<Prepared>
  /** The preview that a review displays. Pure: without `prepared` it is what the calls themselves say. */
  preview(prepared?: Prepared): CallsPreview
  /** The signing request for all calls. Without `prepared` it is only displayed, and never signed. */
  encode(prepared?: Prepared): Signature<unknown>
  /** Asks the nodes again after a while. Resolves with `undefined` while what was displayed holds. */
  renew(prepared: Prepared, signal: AbortSignal): Promise<Prepared | undefined>
  /** The transactions that were signed, in the order in which they are sent, as the activity stores them. */
  toEntries(prepared: Prepared, signed: unknown): readonly SignedEntry[]
  /** The same calls without the app's sponsor, where there may be one. */
  selfPaid?(): CallsAdapter<Prepared>
  /** Each call as the activity displays it, where one transaction carries several. */
  summarize?(prepared: Prepared): readonly CallSummary[]
}
