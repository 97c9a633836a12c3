/** A kind of transaction, from what an app asks to what became of it. Flows and approvers know chains only through this. */
import type { ActivityEntry } from '../activity/entry.ts'
import type { Followed, Settled } from '../activity/tracker.ts'
import type { FailureKind } from '../ethereum/failure-reason.ts'
import type { Clock } from '../lib/clock.ts'
import type { EditedContent } from '../protocol/frame/approval.ts'
import type { Edit } from './approver.ts'
import type { TransactionPreview } from './preview.ts'
import type { Signature } from './signature.ts'

/** The types of an adapter. */
export interface ChainTypes {
  /** The app's request. */
  readonly request: unknown
  /** A request as it is prepared now: changed by the user's edits, or after the network refused it. */
  readonly attempt: unknown
  /** An attempt with all that its signature covers, and what the nodes said about it. */
  readonly prepared: unknown
  /** `hash`: the name by which the network knows it; `undefined` while another signature is missing. */
  readonly signed: { readonly hash: string | undefined }
}

export type TransactionAction = 'sign' | 'send'

/** What follows a broadcast that the network refused, or a transaction that it did not carry out. */
export type Recovery<Attempt> =
  /** Another node may still take the same bytes: they are tracked as if they had been taken. */
  | { readonly kind: 'track' }
  /** The user may have `attempt` reviewed, which differs from what was refused. */
  | { readonly kind: 'retry'; readonly cause: unknown; readonly attempt: Attempt }
  /** No attempt of the same request can succeed. */
  | { readonly kind: 'stop'; readonly cause: unknown }

export interface TrackOptions {
  readonly clock: Clock
  readonly signal: AbortSignal
}

/**
 * The part of an adapter that follows what was sent. It stands by itself (`ethereum/track.ts`, `solana/track.ts`), because after a reload
 * transactions are followed without flow, preview or screen.
 */
export interface ChainTracker {
  /**
   * Follows a transaction by its entry alone. Yields whenever the network says something new, and ends once that has decided or the
   * signal is aborted. Never throws for a network that doesn't answer.
   */
  track(entry: ActivityEntry, options: TrackOptions): AsyncIterable<Followed>
}

export interface ChainAdapter<T extends ChainTypes> extends ChainTracker {
  readonly chainType: 'ethereum' | 'solana'
  /**
   * Reads an app's transaction strictly.
   * @throws InvalidRequest for what can't be read, or that the wallet doesn't sign
   */
  parse(input: unknown): T['request']
  /** The first attempt of a request. */
  start(request: T['request'], action: TransactionAction): T['attempt']
  /** The attempt with what the user wants in place of a part of it. */
  edit(attempt: T['attempt'], edit: Edit): T['attempt']
  /**
   * Asks the nodes for all that the request leaves open.
   * @throws NodeError, Unreachable, or InvalidRequest for what no network takes
   */
  prepare(attempt: T['attempt'], signal: AbortSignal): Promise<T['prepared']>
  /** Runs a prepared transaction without sending it, where preparing it doesn't do that already. */
  simulate?(prepared: T['prepared'], signal: AbortSignal): Promise<T['prepared']>
  /**
   * The preview that a review displays. Pure: without `prepared` it is what the request itself says.
   * @throws InvalidRequest for a fee that nobody means
   */
  preview(attempt: T['attempt'], prepared?: T['prepared']): TransactionPreview
  /** The signing request. Without `prepared` it is only displayed, and never signed. */
  encode(attempt: T['attempt'], prepared?: T['prepared']): Signature<T['signed']>
  /** The attempt and what was prepared of it, as the vault has signed it with a lower allowance or other fees. */
  adopt?(
    attempt: T['attempt'],
    prepared: T['prepared'],
    edited: EditedContent,
  ): { readonly attempt: T['attempt']; readonly prepared: T['prepared'] }
  /** Why the network refuses something, where the chain's nodes say that in words. */
  failureKind?(cause: unknown): FailureKind
  /** Why the network will likely not carry it out, which the user may ignore. */
  expectedFailure(
    prepared: T['prepared'],
  ): { readonly cause: unknown; readonly kind?: FailureKind | undefined } | undefined
  /** Asks the nodes again after a while. Resolves with `undefined` while what was displayed holds. */
  renew(
    attempt: T['attempt'],
    prepared: T['prepared'],
    signal: AbortSignal,
  ): Promise<T['prepared'] | undefined>
  /** The activity entry that is stored before the broadcast. */
  toEntry(
    prepared: T['prepared'],
    signed: T['signed'] & { readonly hash: string },
    preview: TransactionPreview,
  ): Pick<ActivityEntry, 'chain' | 'raw' | 'nonce' | 'lastValidBlockHeight' | 'to' | 'amount' | 'asset'>
  /**
   * Gives a signed transaction to the network; the same bytes may be given again.
   * @throws NodeError for a refusal, TransactionUnknownError where nobody can say whether the network has it
   */
  submit(prepared: T['prepared'], signed: T['signed'] & { readonly hash: string }): Promise<void>
  /** The recovery from a refusal of {@link submit}. */
  afterRefusal(attempt: T['attempt'], prepared: T['prepared'], cause: unknown): Recovery<T['attempt']>
  /** The attempt that may follow a transaction with this outcome. `undefined`: the request is over. */
  afterOutcome(
    attempt: T['attempt'],
    prepared: T['prepared'],
    status: 'failed' | 'expired',
  ): T['attempt'] | undefined
  /** Whether the network did something else than the review said. */
  isDifferent?(prepared: T['prepared'], settled: Settled): boolean
  explorerUrl(prepared: T['prepared'], signed: T['signed'] & { readonly hash: string }): string | undefined
}
