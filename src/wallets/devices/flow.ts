import { toKitError } from '../../errors/kit-error.ts'
import type { ApprovalAnswers } from '../../protocol/frame/approval.ts'
import { approve } from '../approval/flow.ts'
import type { EmbeddedAccount, EmbeddedWallets } from '../embedded/embedded-wallets.ts'
import type { WalletFlow } from '../flow-context.ts'
import { askPresent, isOfPresent } from '../recovery/present-flow.ts'
import { enrolledHere } from '../recovery/recover-flow.ts'
import { driveOf, ownMethodOf } from '../recovery/recovery-data.ts'

/**
 * Removes a device of the person's. In a strict app the vault's own window names it and asks them. Somebody whose wallets are
 * recovered in a way of their own shows that way first, unless they have done so just now. Throws `Closed` if they don't, or the
 * vault's error.
 */
export const removeDevice = (cx: WalletFlow, id: string): Promise<void> =>
  cx.config.vault === 'strict' ? removeInVault(cx, id) : removeHere(cx, id)

/**
 * Has the user decide in the vault's own window about a new device that waits for this one. Resolves with what they have decided.
 * Throws `Closed` if they leave it for later, or the vault's error.
 */
export async function approveDevice(
  cx: WalletFlow,
  id?: string,
): Promise<ApprovalAnswers['approve-device']['outcome']> {
  const { answer } = await approve(cx, 'approve-device', 'approve-device', async (show) =>
    show(id === undefined ? {} : { id }),
  )
  return answer.outcome
}

/**
 * Has the vault's own window add one of its passkeys, or show those that there are. Resolves with how many there are then. Throws
 * `Closed` if the user turns back, or the vault's error.
 */
export const managePasskeys = (cx: WalletFlow, action: 'add' | 'manage'): Promise<number> =>
  enrolledHere(cx, async () => {
    const { answer } = await approve(cx, 'vault-passkeys', 'vault-passkeys', async (show) => show({ action }))
    return answer.passkeys
  })

const removeInVault = (cx: WalletFlow, id: string): Promise<void> =>
  enrolledHere(
    cx,
    async (embedded) => {
      const wallet = walletToShow(embedded)
      const root = wallet && embedded.rootOf(wallet)
      const request = { id, ...(root && { root: { chainType: root.chainType, address: root.address } }) }
      await approve(cx, 'remove-device', 'remove-device', async (show) => show(request))
    },
    { refresh: true },
  )

async function removeHere(cx: WalletFlow, id: string): Promise<void> {
  const { signal } = cx.stage
  const embedded = await cx.wallets.embedded()
  try {
    await embedded.removeDevice(id, signal)
  } catch (cause) {
    signal.throwIfAborted()
    if (!isOfPresent(toKitError(cause))) throw cause
    await embedded.refresh(signal)
    const wallet = walletToShow(embedded)
    if (!wallet) throw cause
    await askPresent(cx, embedded, wallet, (secret) => embedded.removeDevice(id, signal, { wallet, secret }))
  }
}

/** The wallet whose recovery the person shows: by a password, which takes no other window, or else by their drive. */
function walletToShow(embedded: EmbeddedWallets): EmbeddedAccount | undefined {
  const wallets = embedded.list()
  const methodOf = (wallet: EmbeddedAccount) => embedded.rootOf(wallet).recoveryMethod
  return (
    wallets.find((each) => ownMethodOf(methodOf(each)) === 'password') ??
    wallets.find((each) => driveOf(methodOf(each)) !== undefined)
  )
}
