import { untilAborted } from '../../lib/abort.ts'
import { approve } from '../approval/flow.ts'
import type { EmbeddedAccount, EmbeddedWallets, RecoverySecret } from '../embedded/embedded-wallets.ts'
import type { WalletFlow } from '../flow-context.ts'
import { automaticRecovery } from './automatic-recovery.tsx'
import { withDrive } from './drives/flow.ts'
import { recoveryOAuth } from './drives/recovery-oauth.tsx'
import { setPassword } from './password/set-password.tsx'
import { isOfPresent, withPresentAccess } from './present-flow.ts'
import { methodOf } from './recovery-data.ts'

type Method = RecoverySecret['method']
interface Wish {
  readonly method: Method
  readonly current: Method | undefined
  readonly canGoBack: boolean
}

/**
 * Has the vault change a wallet's recovery, and ask for what that takes: no page sees a password. Access to a drive is granted to the
 * page first, which alone can open the drive's window. Resolves with the wallet, or with 'back'. Throws `Closed`, or the vault's
 * error.
 */
export async function changeInVault(
  cx: WalletFlow,
  embedded: EmbeddedWallets,
  wallet: EmbeddedAccount,
  { method, current, canGoBack }: Wish,
): Promise<{ done: EmbeddedAccount } | 'back'> {
  const root = embedded.rootOf(wallet)

  async function ask(presentAccessToken?: string, accessToken?: string) {
    cx.track('embedded_wallet_set_recovery_started')
    try {
      const { answer } = await approve(cx, screens[method], 'set-recovery', async (show) =>
        show({
          root: { chainType: root.chainType, address: root.address },
          address: wallet.address,
          method,
          canGoBack,
          ...(accessToken !== undefined && { accessToken }),
          ...(presentAccessToken !== undefined && { presentAccessToken }),
        }),
      )
      if ('wants' in answer) return 'back'
    } catch (cause) {
      const isPassword = method === 'password'
      cx.track(isPassword ? 'embedded_wallet_set_password_failed' : 'embedded_wallet_set_recovery_failed')
      throw cause
    }
    cx.track('embedded_wallet_set_recovery_completed')
    // The method is set: closing the dialog takes nothing back, and only ends the wait for the list.
    await untilAborted(embedded.refresh(), cx.stage.signal).catch(() => {})
    return { ...(embedded.find(wallet.address) ?? wallet), recoveryMethod: methodOf(method) }
  }
  async function withNew(present?: string) {
    if (!isDrive(method)) return ask(present)
    const came = await withDrive(cx, method, 'back-up', (token) => ask(present, token), isOfPresent)
    return came === 'back' ? came : came.done
  }
  const came = await withPresentAccess(cx, isDrive(current) ? current : undefined, withNew)
  return came === 'back' || came.done === 'back' ? 'back' : { done: came.done }
}

const isDrive = (method: Method | undefined) => method === 'google-drive' || method === 'icloud'

const screens: Readonly<Record<Method, string>> = {
  automatic: automaticRecovery.id,
  password: setPassword.id,
  'google-drive': recoveryOAuth.id,
  icloud: recoveryOAuth.id,
}
