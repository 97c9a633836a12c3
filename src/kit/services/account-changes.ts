/** Has the user approve changes of their accounts and sessions; loaded when the server first wants one approved. */
import type { FlowContext } from '../../app/flow-context.ts'
import { addWords } from '../../copy/copy.ts'
import { approval } from '../../copy/en/approval.ts'
import { errors } from '../../copy/en/errors.ts'
import { exitOf } from '../../dialog/intent.ts'
import type { Runs } from '../../dialog/runs.ts'
import type { Stage } from '../../dialog/stage.ts'
import type { Run } from '../../dialog/surface.ts'
import type { ApproveChange, ChangeAction } from '../../protocol/account-changes.ts'
import { approveAccountChange } from '../../wallets/account-change/flow.ts'
import type { WalletServices } from '../../wallets/services.ts'

addWords(approval, errors)

/** What a change is to the host, where no dialog is open for it already. */
const intents = {
  link: 'link',
  transfer: 'link',
  update: 'update',
  unlink: 'unlink',
  'end-session': 'settings',
  'end-sessions': 'settings',
} as const satisfies Record<ChangeAction, Run['intent']>

/**
 * In the dialog that is open, in the middle of what it does; otherwise in one of its own. A user who doesn't approve the change has
 * turned back: the error that hosts get says so, with the `Closed` of the dialog as its cause.
 */
export function createChangeApproval(cx: {
  readonly runs: Runs
  readonly flow: (stage: Stage) => FlowContext
  readonly wallets: () => WalletServices
}): ApproveChange {
  return async ({ id, action }, { signal }) => {
    const intent = action ? intents[action] : 'settings'
    try {
      await cx.runs.interpose(intent, undefined, { signal }, (stage) =>
        approveAccountChange({ ...cx.flow(stage), wallets: cx.wallets() }, id),
      )
    } catch (cause) {
      throw exitOf(intent, cause)
    }
  }
}
