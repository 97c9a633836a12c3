/** Where a request is approved: in the page, in the vault's own frame, or without a screen. Flows know only this interface. */
import type { Screen } from '../dialog/screen.ts'
import type { KitError } from '../errors/kit-error.ts'
import type { AllowanceEdit } from '../ethereum/edit-allowance.ts'
import type { EditedContent } from '../protocol/frame/approval.ts'
import type { EmbeddedAccount } from '../wallets/embedded/embedded-wallets.ts'
import type { ChosenFees } from './preview.ts'
import type { Signature } from './signature.ts'
import type { FailureOptions } from './transaction/failure.ts'
import type { Shortage } from './transaction/funding.ts'
import type { Outcome, OutcomeOptions } from './transaction/outcome.ts'

/** One state of a preview. `preparing`: displayed without a way to approve it. */
export type Review<P extends object, V, S> =
  | { readonly state: 'preparing'; readonly props: P; readonly content: Signature<S>['content'] }
  | ReadyReview<P, V, S>

/** A preview that can be approved. */
export interface ReadyReview<P extends object, V, S> {
  readonly state: 'ready'
  /** The properties of its screen. */
  readonly props: P
  /** More for its screen, for which the user doesn't wait. What is approved stays the same, so the vault asks for it by itself. */
  readonly more?: ((signal: AbortSignal) => Promise<Partial<P> | undefined>) | undefined
  /** Source of the preview. */
  readonly value: V
  /** The signature that is made once this very preview is approved. */
  readonly signature: Signature<S>
  /** Absent where it may be signed unseen; otherwise the error of an approver that displays nothing. */
  readonly unseenError?: KitError | undefined
}

/** A request, whatever it is for. */
export interface ApprovalRequest<P extends object, V, S> {
  readonly wallet: EmbeddedAccount
  readonly screen: Screen<P, never>
  /** The host's own words, which the vault never displays. */
  readonly words?: Partial<P> | undefined
  /** The states of its preview in their order; the last one is ready. Starts anew with each call. */
  previews(signal: AbortSignal): AsyncIterable<Review<P, V, S>>
  /** Asks anew about a preview that is old. Resolves with `undefined` while what was displayed holds. */
  renew?(value: V, signal: AbortSignal): Promise<ReadyReview<P, V, S> | undefined>
  /** A failure to sign, in the host's terms. */
  toError(cause: unknown): KitError
}

/** A change that the user wants: the request is prepared and reviewed anew with it. */
export interface Edit {
  readonly allowance?: AllowanceEdit
  /** A level of fees, or fees of the user's own. */
  readonly fees?: ChosenFees
  /** Whether the next payments to the same seller go without a review. */
  readonly withoutReview?: boolean
}

export interface Approved<V, S> {
  readonly outcome: 'approved'
  /** Source of the preview displayed last. */
  readonly value: V
  readonly signed: S
  /** The content that was signed instead: in the vault the user may have lowered an allowance. */
  readonly edited?: EditedContent | undefined
}
/**
 * `recheck`: nothing was approved, and the user wants the nodes asked again. `add-funds`: nothing was approved either; funds are missing,
 * which the user wants to add first.
 */
export type Decision<V, S> =
  | Approved<V, S>
  | { readonly outcome: 'edited'; readonly edit: Edit }
  | { readonly outcome: 'recheck' }
  | {
      readonly outcome: 'add-funds'
      /** As the vault has found it; otherwise it is what the displayed preview lacks. */
      readonly shortage?: Shortage | undefined
    }

export interface Approver {
  /**
   * Displays a request until the user has decided, and has it signed once the preview that is displayed is approved.
   * @throws Closed if the user rejects it, or the error that kept it from being displayed or signed
   */
  review<P extends object, V, S>(request: ApprovalRequest<P, V, S>): Promise<Decision<V, S>>
  /** Displays for a moment that it is done. Closing only skips the wait. */
  showDone<P extends object>(
    request: Pick<ApprovalRequest<P, unknown, unknown>, 'screen' | 'words'>,
    props: P,
  ): Promise<void>
  /** Displays why it can't go on. Resolves for a retry. @throws Closed, or the failure itself where a retry would be in vain */
  showFailure(cause: unknown, options?: FailureOptions): Promise<void>
  /**
   * Displays a choice that has to be made before it can go on.
   * @throws the cause where nothing is displayed: nobody decides for the user
   */
  showChoice(display: () => Promise<void>, cause: unknown): Promise<void>
  /** Displays what becomes of a transaction. Resolves with `undefined` where nothing is displayed: the tracker goes on alone. */
  showOutcome(options: OutcomeOptions): Promise<Outcome | undefined>
  /** Displays how something goes on that was approved. Does nothing where nothing is displayed. */
  showProgress(display: () => Promise<void>): Promise<void>
}
