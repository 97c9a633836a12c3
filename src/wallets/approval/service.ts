import type { KitError } from '../../errors/kit-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { type ApprovalPurpose, approvalUrl } from '../../protocol/frame/approval.ts'
import type { Session } from '../../session/session.ts'
import { type Approval, openApproval, prepareApproval } from './approval-frame.ts'

/** Has people approve what the vault does, in the vault's own frame. */
export interface Approving {
  /**
   * Loads what a frame for that purpose needs, in a frame that nobody sees, so that a later one is there at once. It goes when
   * `signal` is aborted.
   */
  prepare(purpose: ApprovalPurpose, signal: AbortSignal): void
  /** Opens a frame for one request. It is loaded once a screen has put it into the page. */
  open<P extends ApprovalPurpose>(purpose: P, shown: (error: KitError) => void): Approval<P>
}

export function createApproving(cx: {
  appId: string
  vaultUrl: string
  session: Session
  clock: Clock
}): Approving {
  const { appId, vaultUrl, session, clock } = cx
  return {
    prepare: (purpose, signal) => prepareApproval(approvalUrl(vaultUrl, appId), purpose, signal),
    open: (purpose, shown) =>
      openApproval({
        url: approvalUrl(vaultUrl, appId),
        ...{ purpose, clock, shown },
        accessToken: () => session.accessToken(),
      }),
  }
}
