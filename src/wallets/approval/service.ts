import type { KitError } from '../../errors/kit-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { type ApprovalPurpose, approvalUrl } from '../../protocol/frame/approval.ts'
import type { Session } from '../../session/session.ts'
import { type Approval, openApproval } from './approval-frame.ts'

/** Has people approve what the vault does, in the vault's own frame. */
export interface Approving {
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
    open: (purpose, shown) =>
      openApproval({
        url: approvalUrl(vaultUrl, appId),
        ...{ purpose, clock, shown },
        accessToken: () => session.accessToken(),
      }),
  }
}
