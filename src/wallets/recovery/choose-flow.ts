import { toKitError } from '../../errors/kit-error.ts'
import type { RecoverySecret } from '../../wallets/embedded/embedded-wallets.ts'
import type { WalletFlow } from '../flow-context.ts'
import { walletsLimits } from '../limits.ts'
import { automaticRecovery } from './automatic-recovery.tsx'
import { withDrive } from './drives/flow.ts'
import { withNewPassword } from './password/flow.ts'
import { passwordSplash } from './password/password-splash.tsx'
import type { OwnMethod } from './recovery-options.ts'
import { selectRecovery } from './recovery-selection.tsx'

export interface SecureOptions<T> {
  /** The methods to choose from. */
  readonly methods: readonly OwnMethod[]
  /** The wallet's present method; none if the wallet is about to be created. */
  readonly current?: RecoverySecret['method'] | undefined
  /** The wallet, if there is one. */
  readonly address?: string | undefined
  /** Part of a login: it can't be left. */
  readonly automatic: boolean
  /** Creates the wallet, or changes its recovery. */
  readonly work: (secret: RecoverySecret, signal: AbortSignal) => Promise<T>
  /** Has the vault ask for what a method needs, instead of screens of this page. */
  readonly inVault?: ((method: OwnMethod, canGoBack: boolean) => Promise<{ done: T } | 'back'>) | undefined
}

/**
 * Lets a person choose a recovery method of their own and runs `work` with what it needs. Resolves with the
 * result of `work`, or with 'back'.
 */
export async function secureWallet<T>(
  cx: WalletFlow,
  options: SecureOptions<T>,
): Promise<{ done: T } | 'back'> {
  const { current, automatic } = options
  // Another account of the same drive would be the same method, so only a password can be set again.
  const methods = options.methods.filter((method) => method === 'password' || method !== current)
  const isOnly = methods.length === 1 || cx.config.app.isLegacyRecovery
  if (isOnly && methods.includes('password')) return onlyPassword(cx, options)

  for (;;) {
    const asked = {
      purpose: current && current !== 'automatic' ? 'update' : 'secure',
      methods,
      ...(current && { current }),
      // A newer server may offer methods that this version can't do: nobody is locked into a screen without
      // any.
      cancellable: !automatic || methods.length === 0,
    } as const
    const answer = await cx.stage.ask(selectRecovery, asked)
    if (answer === 'back') return 'back'
    const came = await byMethod(cx, options, answer.method, true)
    if (came !== 'back') return came
  }
}

async function onlyPassword<T>(cx: WalletFlow, options: SecureOptions<T>): Promise<{ done: T } | 'back'> {
  const splash = options.current !== undefined && options.current !== 'password'
  if (splash && (await cx.stage.ask(passwordSplash, {})) === 'later') return 'back'
  return byMethod(cx, options, 'password', false)
}

function byMethod<T>(
  cx: WalletFlow,
  { current, address, automatic, work, inVault }: SecureOptions<T>,
  method: OwnMethod,
  canGoBack: boolean,
): Promise<{ done: T } | 'back'> {
  if (inVault) return inVault(method, canGoBack)
  if (method === 'password')
    return withNewPassword(
      cx,
      { reset: current === 'password', automatic, address, canGoBack },
      (password, signal) => work({ method, password }, signal),
    )
  return withDrive(cx, method, 'back-up', (accessToken, signal) => work({ method, accessToken }, signal))
}

/** Switches to automatic recovery, once the person confirms. */
export async function secureAutomatically<T>(
  cx: WalletFlow,
  work: (secret: RecoverySecret, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { stage } = cx
  let failed = false
  for (;;) {
    const error = { title: cx.t('error.generic.title'), detail: cx.t('error.recovery.set') }
    await stage.ask(automaticRecovery, failed ? { error } : {})
    try {
      const done = await work({ method: 'automatic' }, stage.signal)
      await stage.hold(automaticRecovery, { done: true }, walletsLimits.successVisible)
      return done
    } catch (cause) {
      stage.signal.throwIfAborted()
      cx.report(toKitError(cause, 'embedded_wallet_set_recovery_error'))
      failed = true
    }
  }
}
