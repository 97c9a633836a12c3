import { limits } from '../../core/limits.ts'
import { toKitError } from '../../errors/kit-error.ts'
import { automaticRecovery } from '../../screens/wallet/automatic-recovery.tsx'
import { passwordSplash } from '../../screens/wallet/password-splash.tsx'
import { selectRecovery } from '../../screens/wallet/recovery-selection.tsx'
import type { RecoverySecret } from '../../wallets/embedded/embedded-wallets.ts'
import type { OwnMethod } from '../../wallets/embedded/recovery-options.ts'
import type { WalletFlow } from './context.ts'
import { withDrive } from './drive.ts'
import { withNewPassword } from './password.ts'

export interface SecureWish<T> {
  /** The ways to choose from. */
  readonly methods: readonly OwnMethod[]
  /** What the wallet has now; nothing where it is about to be made. */
  readonly current?: RecoverySecret['method'] | undefined
  /** The wallet, where there is one. */
  readonly address?: string | undefined
  /** Part of a login: it can't be left. */
  readonly automatic: boolean
  /** Makes the wallet, or changes its recovery. */
  readonly work: (secret: RecoverySecret, signal: AbortSignal) => Promise<T>
}

/**
 * Has a person choose a way of recovery of their own and does `work` with what it takes. Resolves with what `work`
 * gives, or with 'back'. Spec §4 "Recovery screen choice".
 */
export async function secureWallet<T>(cx: WalletFlow, wish: SecureWish<T>): Promise<{ done: T } | 'back'> {
  const { current, automatic } = wish
  // Another account of the same drive would be the same method: only a password can be set anew.
  const methods = wish.methods.filter((method) => method === 'password' || method !== current)
  const [only] = methods
  if (methods.length === 1 && only === 'password') return onlyPassword(cx, wish)

  for (;;) {
    const asked = {
      purpose: current && current !== 'automatic' ? 'update' : 'secure',
      methods,
      ...(current && { current }),
      // A newer server may offer ways that this version can't do: nobody is locked into a screen without any.
      cancellable: !automatic || methods.length === 0,
    } as const
    const answer = await cx.stage.ask(selectRecovery, asked)
    if (answer === 'back') return 'back'
    const came = await byMethod(cx, wish, answer.method, true)
    if (came !== 'back') return came
  }
}

async function onlyPassword<T>(cx: WalletFlow, wish: SecureWish<T>): Promise<{ done: T } | 'back'> {
  const splash = wish.current !== undefined && wish.current !== 'password'
  if (splash && (await cx.stage.ask(passwordSplash, {})) === 'later') return 'back'
  return byMethod(cx, wish, 'password', false)
}

function byMethod<T>(
  cx: WalletFlow,
  { current, address, automatic, work }: SecureWish<T>,
  method: OwnMethod,
  canGoBack: boolean,
): Promise<{ done: T } | 'back'> {
  if (method === 'password')
    return withNewPassword(
      cx,
      { reset: current === 'password', automatic, address, canGoBack },
      (password, signal) => work({ method, password }, signal),
    )
  return withDrive(cx, method, 'back-up', (accessToken, signal) => work({ method, accessToken }, signal))
}

/** Goes over to automatic recovery, once the person says so. Spec §2 "Automatic recovery". */
export async function secureAutomatically<T>(
  cx: WalletFlow,
  work: (secret: RecoverySecret, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { stage, clock } = cx
  let failed = false
  for (;;) {
    const error = { title: cx.t('error.generic.title'), detail: cx.t('error.recovery.set') }
    await stage.ask(automaticRecovery, failed ? { error } : {})
    try {
      const done = await work({ method: 'automatic' }, stage.signal)
      const wait = (signal: AbortSignal) => clock.sleep(limits.successVisible, signal)
      await stage.during(automaticRecovery, { done: true }, wait).catch(() => {})
      return done
    } catch (cause) {
      stage.signal.throwIfAborted()
      cx.report(toKitError(cause, 'embedded_wallet_set_recovery_error'))
      failed = true
    }
  }
}
