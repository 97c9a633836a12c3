import { approve } from '../wallets/approval/flow.ts'
import { connectingWallet } from '../wallets/embedded/connecting.tsx'
import type { WalletFlow } from '../wallets/flow-context.ts'
import { withWalletHere } from '../wallets/flows.ts'
import { driveOf } from '../wallets/recovery/recovery-data.ts'
import type { ApprovalRequest, Approver, Decision, ReadyReview } from './approver.ts'
import { createScreens } from './screens.ts'

/** Has the vault display requests in its own frame, out of their bytes, and sign them there. */
export const createVaultApprover = (cx: WalletFlow): Approver => ({
  ...createScreens(cx),
  review: (request) => review(cx, request),
})

async function review<P extends object, V, S>(
  cx: WalletFlow,
  { wallet, screen, previews }: ApprovalRequest<P, V, S>,
): Promise<Decision<V, S>> {
  return withWalletHere(cx, wallet, async (embedded) => {
    const { chainType, address, recoveryMethod } = embedded.rootOf(wallet)
    // What the vault can't do by itself comes before the request: only a page can open the window of a drive.
    if (driveOf(recoveryMethod))
      await cx.stage.during(connectingWallet, {}, (signal) => embedded.connect(wallet, signal))
    const signer = {
      root: { chainType, address },
      walletIndex: wallet.walletIndex ?? 0,
      address: wallet.address,
      ...(cx.requester && { requester: cx.requester.requestId }),
    }
    const { prepared, answer } = await approve(
      cx,
      screen.id,
      'sign',
      async (show, signal): Promise<ReadyReview<P, V, S>> => {
        for await (const each of previews(signal)) {
          const content = each.state === 'ready' ? each.signature.content : each.content
          show({ ...signer, ...content })
          if (each.state === 'ready') return each
        }
        throw new Error('A preview has no end')
      },
      { isTurn: (given) => 'again' in given },
    )
    if ('again' in answer) return { outcome: 'recheck' }
    if ('wants' in answer) {
      const { token, missing } = answer
      return {
        outcome: 'add-funds',
        ...(missing !== undefined && {
          shortage: { ...(token !== undefined && { token }), missing: BigInt(missing) },
        }),
      }
    }
    const { edited } = answer
    const signed = prepared.signature.read(answer.signed, edited)
    return { outcome: 'approved', value: prepared.value, signed, ...(edited && { edited }) }
  })
}
