/** Has the user approve changes of their accounts and sessions; loaded when the server first wants one approved. */
import type { FlowContext } from '../../app/flow-context.ts'
import { addWords } from '../../copy/copy.ts'
import { approval } from '../../copy/en/approval.ts'
import { errors } from '../../copy/en/errors.ts'
import { exitOf } from '../../dialog/intent.ts'
import type { Runs } from '../../dialog/runs.ts'
import type { Stage } from '../../dialog/stage.ts'
import type { Run } from '../../dialog/surface.ts'
import type { Approvals, ChangeAction } from '../../protocol/account-changes.ts'
import type { CallOptions } from '../../protocol/http.ts'
import { approveAccountChange, unfreezeAccount } from '../../wallets/account-change/flow.ts'
import type { WalletFlow } from '../../wallets/flow-context.ts'
import type { WalletServices } from '../../wallets/services.ts'

addWords(approval, errors)

/** The intent under which a change runs where no dialog is open for it already. */
const intents = {
  link: 'link',
  transfer: 'link',
  update: 'update',
  unlink: 'unlink',
  'end-session': 'settings',
  'end-sessions': 'settings',
  grant: 'settings',
} as const satisfies Record<ChangeAction, Run['intent']>

/**
 * In the dialog that is open, in the middle of what it does; otherwise in one of its own. A user who turns back is an error with the code
 * that hosts know for that, and with the `Closed` of the dialog as its cause.
 */
export function createApprovals(cx: {
  readonly runs: Runs
  readonly flow: (stage: Stage) => FlowContext
  readonly wallets: () => WalletServices
}): Approvals {
  const ask = async (
    intent: Run['intent'],
    { signal }: CallOptions,
    work: (flow: WalletFlow) => Promise<void>,
  ) => {
    try {
      await cx.runs.interpose(intent, undefined, { signal }, (stage) =>
        work({ ...cx.flow(stage), wallets: cx.wallets() }),
      )
    } catch (cause) {
      throw exitOf(intent, cause)
    }
  }
  return {
    approve: ({ id, action }, options) =>
      ask(action ? intents[action] : 'settings', options, (flow) => approveAccountChange(flow, id)),
    unfreeze: (options) => ask('settings', options, unfreezeAccount),
  }
}
