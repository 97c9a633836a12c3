import { approve } from '../approval/flow.ts'
import type { WalletFlow } from '../flow-context.ts'

/**
 * Has the user approve a change of their accounts or sessions, in the vault's own window. Resolves once the server has made it.
 * Throws `Closed` if they don't approve it, or the vault's error.
 */
export async function approveAccountChange(cx: WalletFlow, change: string): Promise<void> {
  await approve(cx, 'account-change', 'account-change', async (show) => {
    const embedded = await cx.wallets.embedded()
    const [wallet] = embedded.list()
    const root = wallet && embedded.rootOf(wallet)
    show({
      change,
      ...(wallet && {
        root: { chainType: root?.chainType ?? wallet.chainType, address: root?.address ?? wallet.address },
        address: wallet.address,
      }),
    })
  })
}
