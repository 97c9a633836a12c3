import { approve } from '../approval/flow.ts'
import type { WalletFlow } from '../flow-context.ts'

/**
 * Has the user approve a change of their accounts or sessions, in the vault's own window. Resolves once the server has made it.
 * Throws `Closed` if they don't approve it, or the vault's error.
 */
export async function approveAccountChange(cx: WalletFlow, change: string): Promise<void> {
  await approve(cx, 'account-change', 'account-change', async (show) =>
    show({ change, ...(await walletToProve(cx)) }),
  )
}

/** Has the user show that their frozen account is theirs, in the vault's own window. Throws as {@link approveAccountChange} does. */
export async function unfreezeAccount(cx: WalletFlow): Promise<void> {
  const wallet = await walletToProve(cx)
  if (wallet) await approve(cx, 'account-frozen', 'unfreeze', async (show) => show(wallet))
}

/** The wallet by whose recovery the user may show that they are who they are. */
async function walletToProve({ wallets }: WalletFlow) {
  const embedded = await wallets.embedded()
  const [wallet] = embedded.list()
  if (!wallet) return undefined
  const { chainType, address } = embedded.rootOf(wallet)
  return { root: { chainType, address }, address: wallet.address }
}
