import { Closed } from '../../dialog/stage.ts'
import { KitError } from '../../errors/kit-error.ts'
import type { EmbeddedAccount, RecoverySecret } from '../../wallets/embedded/embedded-wallets.ts'
import type { WalletFlow } from '../flow-context.ts'
import { secureAutomatically, secureWallet } from './choose-flow.ts'
import { connectHere } from './recover-flow.ts'
import { ownMethodOf } from './recovery-data.ts'
import { recoveryOptionsOf } from './recovery-options.ts'

/**
 * Changes a wallet's recovery: the person chooses among the app's methods. The old one works until the new
 * one is confirmed. Resolves with the wallet. Throws {@link Closed}, or the failure that was shown.
 */
export async function changeRecovery(
  cx: WalletFlow,
  wallet: EmbeddedAccount,
  { automatic }: { automatic: boolean },
): Promise<EmbeddedAccount> {
  const { methods } = recoveryOptionsOf(cx.config)
  const set = await ready(cx, wallet)
  if (automatic) return secureAutomatically(cx, set.work)
  if (methods.length === 0)
    throw new KitError('disallowed_recovery_method', 'This app offers no other recovery method')
  return orClosed(await secureWallet(cx, { ...set, methods, automatic: false }))
}

/** Sets or replaces a recovery password. */
export async function changePassword(cx: WalletFlow, wallet: EmbeddedAccount): Promise<EmbeddedAccount> {
  const set = await ready(cx, wallet)
  const options = { ...set, methods: ['password'], automatic: false } as const
  return orClosed(await secureWallet(cx, options))
}

/** A change needs the whole key, so the wallet has to be on this device before anything is chosen. */
async function ready(cx: WalletFlow, wallet: EmbeddedAccount) {
  const embedded = await connectHere(cx, wallet, { refresh: true })
  return {
    address: wallet.address,
    current: ownMethodOf(embedded.rootOf(wallet).recoveryMethod),
    work: (secret: RecoverySecret, signal: AbortSignal) => embedded.setRecovery(wallet, secret, signal),
  }
}

function orClosed<T>(came: { done: T } | 'back'): T {
  if (came === 'back') throw new Closed('The person turned back')
  return came.done
}
