import type { Translate } from '../../copy/copy.ts'
import type { Stage } from '../../dialog/stage.ts'
import type { Readable } from '../../lib/store.ts'
import type { ApprovalAnswers, ApprovalPurpose, ApprovalRequests } from '../../protocol/frame/approval.ts'
import type { VaultContext } from '../context.ts'
import type { Token } from '../token.ts'
import type { ApprovalConnection } from './connection.ts'
import type { WindowPurpose, WindowReason } from './window/about.ts'

/** What the flow of a purpose works with. It runs in the frame, wherever its screens are drawn. */
export interface ApprovalContext<P extends ApprovalPurpose> {
  readonly vault: VaultContext
  /** The stage of the frame: for what approves nothing. */
  readonly stage: Stage
  /** The page that asks, as the browser names it. */
  readonly origin: string
  /** What is asked; a page that learns more says so. */
  readonly asked: Readable<ApprovalRequests[P]>
  readonly t: Translate
  /**
   * Gives the page an answer that is not the last, and resolves with what it asks then.
   */
  turn(answer: ApprovalAnswers[P]): Promise<ApprovalRequests[P]>
  /** The page's access token, if somebody is logged in there. */
  tokenText(): Promise<string | undefined>
  /** The person's access token, as good as the page has it now. Throws a `VaultError`. */
  token(): Promise<Token>
  /** Has the page ask for a passkey; see {@link ApprovalConnection}. */
  readonly passkey: ApprovalConnection['passkey']
  /** The person was shown a failure and may try again. Gives the words for it. */
  shown(failure: unknown): void
  /**
   * Says that the request has taken effect. This result is final: the page has it at once, and gets it whoever closes what from now on.
   * A later one replaces it.
   */
  settle(answer: ApprovalAnswers[P]): void
  /**
   * Does what can't be called off once it has begun, and settles the request with it. Meanwhile neither the page nor the frame can be
   * closed as if nothing happened; where the user is asked for a second factor, they may still leave.
   */
  commit<T>(work: () => Promise<T>, answerOf: (done: T) => ApprovalAnswers[P]): Promise<T>
  /**
   * Lends `work` the stage on which a person may approve something: in the frame, or in a window of the vault's own, where no
   * page can cover or bend what they see. A window that is closed says nothing: the user may open another one, which goes on where it
   * was. Throws `Closed` if they cancel, and `TurnedBack` if they go back to where they came from.
   * @param why what the window is for, and what is at stake; by itself it is what the request is for
   */
  approving<T>(risk: Risk, work: (stage: Stage) => Promise<T>, why?: WindowPurpose | WindowReason): Promise<T>
}

/** `high`: for what no page may get by a trick with its frame. */
export type Risk = 'usual' | 'high'

/** Throws `Closed` if the person says no, and a `VaultError` for what can't be done here. */
export type PurposeFlow<P extends ApprovalPurpose> = (cx: ApprovalContext<P>) => Promise<ApprovalAnswers[P]>
