import type { WalletFlow } from '../wallets/flow-context.ts'
import type { ApprovalRequest, Approver, Decision } from './approver.ts'
import { createKeySigner } from './signer.ts'

/**
 * Approves requests without a screen, as the host of a compatible app may want. The host gets each failure as the error of its call, and
 * so it does for what has to be seen, such as an unusual fee.
 */
export const createHiddenApprover = (cx: WalletFlow): Approver => ({
  review: (request) => review(cx, request),
  showDone: async () => {},
  async showFailure(cause) {
    throw cause
  },
  async showChoice(_, cause) {
    throw cause
  },
  showOutcome: async () => undefined,
  showProgress: async () => {},
})

async function review<P extends object, V, S>(
  cx: WalletFlow,
  { wallet, previews, toError }: ApprovalRequest<P, V, S>,
): Promise<Decision<V, S>> {
  for await (const each of previews(cx.stage.signal)) {
    if (each.state === 'preparing') continue
    const { value, signature, unseenError } = each
    if (unseenError) throw unseenError
    try {
      const signed = signature.read(await createKeySigner(cx, wallet).sign(signature))
      return { outcome: 'approved', value, signed }
    } catch (cause) {
      cx.stage.signal.throwIfAborted()
      throw toError(cause)
    }
  }
  throw new Error('A preview has no end')
}
