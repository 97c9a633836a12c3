import { untilAborted } from '../../lib/abort.ts'
import { approve } from '../approval/flow.ts'
import type { EmbeddedAccount, EmbeddedWallets, RecoverySecret } from '../embedded/embedded-wallets.ts'
import type { WalletFlow } from '../flow-context.ts'
import { automaticRecovery } from './automatic-recovery.tsx'
import { recoveryOAuth } from './drives/recovery-oauth.tsx'
import { setPassword } from './password/set-password.tsx'
import { methodOf } from './recovery-data.ts'

type Method = RecoverySecret['method']
interface Wish {
  readonly method: Method
  readonly canGoBack: boolean
}

/**
 * Has the vault change a wallet's recovery, and ask for what that takes: no page sees a password, or has access
 * to a drive. Resolves with the wallet, or with 'back'. Throws `Closed`, or the vault's
 * error.
 */
export async function changeInVault(
  cx: WalletFlow,
  embedded: EmbeddedWallets,
  wallet: EmbeddedAccount,
  { method, canGoBack }: Wish,
): Promise<{ done: EmbeddedAccount } | 'back'> {
  const root = embedded.rootOf(wallet)

  async function ask() {
    cx.track('embedded_wallet_set_recovery_started')
    try {
      const { answer } = await approve(cx, screens[method], 'set-recovery', async (show) =>
        show({
          root: { chainType: root.chainType, address: root.address },
          address: wallet.address,
          method,
          canGoBack,
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
  const done = await ask()
  return done === 'back' ? done : { done }
}

const screens: Readonly<Record<Method, string>> = {
  automatic: automaticRecovery.id,
  password: setPassword.id,
  'google-drive': recoveryOAuth.id,
  icloud: recoveryOAuth.id,
}
