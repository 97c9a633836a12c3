import { Closed } from '../../dialog/stage.ts'
import { KitError, toKitError } from '../../errors/kit-error.ts'
import type {
  EmbeddedAccount,
  EmbeddedWallets,
  RecoverySecret,
} from '../../wallets/embedded/embedded-wallets.ts'
import type { WalletFlow } from '../flow-context.ts'
import { changeInVault } from './change-in-vault.ts'
import { type SecureOptions, secureAutomatically, secureWallet } from './choose-flow.ts'
import { askPresent } from './present-flow.ts'
import { connectHere, unsupported, withWalletHere } from './recover-flow.ts'
import { ownMethodOf } from './recovery-data.ts'
import { recoveryOptionsOf } from './recovery-options.ts'

interface ChangeOptions {
  /** The person has a second factor, for which they are asked once: at the change itself, and not at what comes before it too. */
  readonly hasFactor: boolean
}

/**
 * Changes a wallet's recovery: the person chooses among the app's methods. The old one works until the new
 * one is confirmed. Resolves with the wallet. Throws {@link Closed}, or the failure that was shown.
 */
export async function changeRecovery(
  cx: WalletFlow,
  wallet: EmbeddedAccount,
  { automatic, ...options }: ChangeOptions & { readonly automatic: boolean },
): Promise<EmbeddedAccount> {
  const { methods } = recoveryOptionsOf(cx.config)
  const set = await ready(cx, wallet, options)
  if (automatic) return set.automatically()
  if (methods.length === 0)
    throw new KitError('disallowed_recovery_method', 'This app offers no other recovery method')
  return orClosed(await secureWallet(cx, { ...set.options, methods, automatic: false }))
}

/** Sets or replaces a recovery password. */
export async function changePassword(
  cx: WalletFlow,
  wallet: EmbeddedAccount,
  change: ChangeOptions,
): Promise<EmbeddedAccount> {
  const { options } = await ready(cx, wallet, change)
  return orClosed(await secureWallet(cx, { ...options, methods: ['password'], automatic: false }))
}

interface Ready {
  readonly options: Pick<SecureOptions<EmbeddedAccount>, 'address' | 'current' | 'work' | 'inVault'>
  automatically(): Promise<EmbeddedAccount>
}

/** A change needs the whole key, so the wallet has to be on this device, before anything is chosen where that asks for nothing. */
async function ready(cx: WalletFlow, wallet: EmbeddedAccount, { hasFactor }: ChangeOptions): Promise<Ready> {
  // The vault asks for a factor by itself, for the whole of what it is asked to do.
  const isLate = hasFactor && cx.config.vault !== 'strict'
  const embedded = await connectHere(cx, wallet, { refresh: true, connect: !isLate })
  const { recoveryMethod } = embedded.rootOf(wallet)
  const current = ownMethodOf(recoveryMethod)
  // The vault has no way to have it shown there, which it wants before a change.
  if (cx.config.vault === 'strict' && recoveryMethod !== undefined && !current) await unsupported(cx)
  const change = (secret: RecoverySecret, signal: AbortSignal) =>
    withPresent(cx, embedded, wallet, secret, signal)
  const work: typeof change = isLate
    ? (...given) => withWalletHere(cx, wallet, () => change(...given))
    : change
  const options = { address: wallet.address, current, work }
  if (cx.config.vault !== 'strict') return { options, automatically: () => secureAutomatically(cx, work) }
  const inVault = (method: RecoverySecret['method'], canGoBack: boolean) =>
    changeInVault(cx, embedded, wallet, { method, canGoBack })
  return {
    options: { ...options, inVault },
    automatically: async () => orClosed(await inVault('automatic', false)),
  }
}

/** The present method has to be shown first, unless that was done on this device just now. */
async function withPresent(
  cx: WalletFlow,
  embedded: EmbeddedWallets,
  wallet: EmbeddedAccount,
  secret: RecoverySecret,
  signal: AbortSignal,
): Promise<EmbeddedAccount> {
  try {
    return await embedded.setRecovery(wallet, secret, signal)
  } catch (cause) {
    signal.throwIfAborted()
    if (toKitError(cause).code !== 'recovery_proof_required') throw cause
    return askPresent(cx, embedded, wallet, (present) =>
      embedded.setRecovery(wallet, secret, signal, present),
    )
  }
}

function orClosed<T>(came: { done: T } | 'back'): T {
  if (came === 'back') throw new Closed('The person turned back')
  return came.done
}
