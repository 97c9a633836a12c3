import { Closed } from '../../dialog/stage.ts'
import { toKitError } from '../../errors/kit-error.ts'
import type { ApprovalAnswers } from '../../protocol/frame/approval.ts'
import { approve } from '../approval/flow.ts'
import type { EmbeddedAccount } from '../embedded/embedded-wallets.ts'
import type { WalletFlow } from '../flow-context.ts'
import { walletsLimits } from '../limits.ts'
import { connectHere } from '../recovery/recover-flow.ts'
import { type PermissionResultProps, permissionResult } from './permission-result.tsx'
import { revokePermission } from './revoke-permission.tsx'

/** The screen's id in the vault's window. */
const GIVE_PERMISSION = 'give-permission'

/**
 * Has the user agree, in the vault's own window, to what a server of the app may do with a wallet. Throws `Closed` if they don't, or the
 * vault's error once it was shown.
 * @param permission which of the app's permissions; the first one by default
 */
export async function delegateWallet(
  cx: WalletFlow,
  wallet: EmbeddedAccount,
  permission: string | undefined,
): Promise<ApprovalAnswers['grant']> {
  const embedded = await connectHere(cx, wallet)
  const { address, chainType, walletIndex = 0 } = wallet
  const { chainType: rootChain, address: rootAddress } = embedded.rootOf(wallet)
  const root = { chainType: rootChain, address: rootAddress }
  const request = {
    root,
    chainType,
    walletIndex,
    address,
    ...(permission !== undefined && { permission }),
  }
  const given = await shownFailure(cx, 'notEnabled', async () => {
    const { answer } = await approve(cx, GIVE_PERMISSION, 'grant', async (show) => show(request))
    return answer
  })
  await refreshed(cx)
  await cx.stage.hold(permissionResult, { outcome: 'enabled' }, walletsLimits.permissionVisible)
  return given
}

/**
 * Ends every permission once the user has confirmed it. Throws `Closed` if they don't, or the server's error once it was shown.
 * @param revoke asks the server
 */
export async function revokeDelegation(
  cx: WalletFlow,
  wallets: readonly EmbeddedAccount[],
  revoke: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const { stage } = cx
  const props = { app: cx.config.appName, wallets: wallets.map(({ address }) => address) }
  if ((await stage.ask(revokePermission, props)) === 'cancel') throw new Closed('The user declined')
  await shownFailure(cx, 'notRevoked', () => revoke(stage.signal))
  await refreshed(cx)
  await stage.hold(permissionResult, { outcome: 'revoked' }, walletsLimits.permissionVisible)
}

/** Shows a failure for a while before it ends the run. */
async function shownFailure<T>(
  cx: WalletFlow,
  outcome: PermissionResultProps['outcome'],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    cx.stage.signal.throwIfAborted()
    if (!(cause instanceof Closed))
      await cx.stage.hold(permissionResult, { outcome }, walletsLimits.permissionVisible)
    throw cause
  }
}

/** The account says of a wallet whether it is delegated; what is done stays done if it can't be read now. */
async function refreshed(cx: WalletFlow): Promise<void> {
  const embedded = await cx.wallets.embedded()
  await embedded.refresh(cx.stage.signal).catch((cause: unknown) => {
    cx.stage.signal.throwIfAborted()
    cx.report(toKitError(cause))
  })
}
