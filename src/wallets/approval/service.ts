import type { KitError } from '../../errors/kit-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { type ApprovalPurpose, approvalUrl } from '../../protocol/frame/approval.ts'
import type { Session } from '../../session/session.ts'
import { type Approval, type ApprovalMfa, openApproval, prepareApproval } from './approval-frame.ts'

/** Opens a frame for one request; the browser's by default. */
export type OpenApprovalFrame = typeof openApproval

/** Has people approve what the vault does, in the vault's own frame. */
export interface Approving {
  /**
   * Loads what a frame for that purpose needs, in a frame that nobody sees, so that a later one is there at once. It goes when
   * `signal` is aborted.
   */
  prepare(purpose: ApprovalPurpose, signal: AbortSignal): void
  /** Opens a frame for one request. It is loaded once a screen has put it into the page. */
  open<P extends ApprovalPurpose>(
    purpose: P,
    shown: (error: KitError) => void,
    onSettled?: () => void,
  ): Approval<P>
}

export function createApproving(cx: {
  appId: string
  clientId: string | undefined
  analyticsId: () => string
  vaultUrl: string
  session: Session
  clock: Clock
  mfa: ApprovalMfa
  /** Loads the vault's hidden frame. Where the browser keeps nothing for frames, it keeps for the others what they need. */
  loadVault: () => Promise<void>
  openApproval?: OpenApprovalFrame | undefined
}): Approving {
  const { appId, clientId, vaultUrl, session, clock, loadVault, mfa } = cx
  const { openApproval: openApprovalFrame = openApproval } = cx
  const url = () => approvalUrl(vaultUrl, { appId, clientId, analyticsId: cx.analyticsId() })
  return {
    prepare: (purpose, signal) => prepareApproval(url(), purpose, signal),
    open(purpose, shown, onSettled) {
      // A failure shows when the hidden frame is used; the frame that is opened here says its own.
      loadVault().catch(() => {})
      return openApprovalFrame({
        url: url(),
        purpose,
        clock,
        shown,
        mfa,
        ...(onSettled && { onSettled }),
        accessToken: () => session.accessToken(),
      })
    },
  }
}
