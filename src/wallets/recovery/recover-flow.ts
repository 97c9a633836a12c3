import { failure } from '../../app/failure/failure.tsx'
import { Closed } from '../../dialog/stage.ts'
import { KitError, toKitError } from '../../errors/kit-error.ts'
import { say } from '../../errors/words.ts'
import type { EmbeddedAccount, EmbeddedWallets } from '../../wallets/embedded/embedded-wallets.ts'
import { unfreezeAccount } from '../account-change/flow.ts'
import { approve } from '../approval/flow.ts'
import { askToRetry } from '../embedded/ask-to-retry.ts'
import { connectingWallet } from '../embedded/connecting.tsx'
import { connectionVerdict } from '../embedded/errors.ts'
import type { WalletFlow } from '../flow-context.ts'
import { withDrive } from './drives/flow.ts'
import { recoveryOAuth } from './drives/recovery-oauth.tsx'
import { recoveryPasswordVerdict } from './errors.ts'
import { passwordRecovery } from './password/password-recovery.tsx'
import { ownMethodOf } from './recovery-data.ts'

/**
 * Uses a wallet; one that is not on this device is recovered first, by its own method, and the work is
 * repeated, as it is for a frozen account once the user has shown that it is theirs. Throws {@link Closed} when the person goes back, `recovery_method_not_supported` for a method
 * that this version does not know, `embedded_wallet_recovery_error`, or what `work` throws.
 */
export async function withWalletHere<T>(
  cx: WalletFlow,
  wallet: EmbeddedAccount,
  work: (embedded: EmbeddedWallets) => Promise<T>,
): Promise<T> {
  const embedded = await cx.wallets.embedded()
  try {
    return await work(embedded)
  } catch (cause) {
    cx.stage.signal.throwIfAborted()
    const { code } = toKitError(cause)
    if (code === 'account_frozen') await unfreezeAccount(cx)
    else if (elsewhere.has(code)) {
      // The device that has changed the recovery method has also made this one's share worthless.
      await embedded.refresh(cx.stage.signal)
      await recoverHere(cx, embedded, wallet)
    } else throw cause
    return work(embedded)
  }
}

interface ConnectOptions {
  /** How long 'Connecting' stays, in milliseconds. */
  atLeast?: number | undefined
  /** Also asks the server for the wallet as it is now: another device may have changed it. */
  refresh?: boolean | undefined
  /** Whether the vault is asked for the wallet itself now, and not only by what comes later. */
  connect?: boolean | undefined
  /** Is done before, and fails as connecting does. */
  first?: ((signal: AbortSignal) => Promise<void>) | undefined
}

/**
 * Connects to a wallet in the vault, which is recovered first where it is not on this device. If the vault is
 * blocked, or has no answer of any use, shows a failure screen with a retry. Throws what {@link withWalletHere} throws.
 */
export async function connectHere(
  cx: WalletFlow,
  wallet: EmbeddedAccount,
  { atLeast = 0, connect = true, refresh = false, first }: ConnectOptions = {},
): Promise<EmbeddedWallets> {
  for (;;) {
    const begun = cx.clock.now()
    try {
      return await withWalletHere(cx, wallet, (embedded) =>
        cx.stage.during(connectingWallet, {}, async (signal) => {
          await first?.(signal)
          await Promise.all([
            connect && embedded.connect(wallet, signal),
            refresh && embedded.refresh(signal),
          ])
          await cx.clock.sleep(Math.max(0, atLeast - (cx.clock.now() - begun)), signal)
          return embedded
        }),
      )
    } catch (cause) {
      cx.stage.signal.throwIfAborted()
      const error = toKitError(cause)
      if (!passing.has(error.code)) throw cause
      await askToRetry(cx, error, { verdict: connectionVerdict(error), back: true })
    }
  }
}

/**
 * Does what needs this device to be known to the server, and no wallet in particular. Somebody who has wallets shows that they may
 * use them here, in the way of those wallets; for everybody else the vault sees to it by itself. Throws what {@link withWalletHere} throws.
 */
export async function enrolledHere<T>(
  cx: WalletFlow,
  work: (embedded: EmbeddedWallets) => Promise<T>,
  { refresh }: Pick<ConnectOptions, 'refresh'> = {},
): Promise<T> {
  const embedded = await cx.wallets.embedded()
  const [own] = embedded.list()
  if (own) await connectHere(cx, own, { refresh })
  return work(embedded)
}

/** The vault, or the server behind it, gave no answer, or none of any use: nothing has changed, and a retry may succeed. */
const passing: ReadonlySet<string> = new Set([
  ...['vault_unavailable', 'vault_timeout', 'vault_crashed', 'malformed_response'],
  ...['unknown_embedded_wallet_error', 'wallet_not_on_device'],
  ...['network_unavailable', 'client_request_timeout', 'too_many_requests'],
])

/** The wallet is not on this device, or this device may not use it yet. */
const elsewhere: ReadonlySet<string> = new Set(['wallet_not_on_device', 'wallet_enrolment_required'])

async function recoverHere(
  cx: WalletFlow,
  embedded: EmbeddedWallets,
  wallet: EmbeddedAccount,
): Promise<void> {
  const method = ownMethodOf(embedded.rootOf(wallet).recoveryMethod)
  const strict = cx.config.vault === 'strict'
  switch (method) {
    case 'automatic':
      return automatically(cx, embedded, wallet)
    case 'password':
      return strict
        ? recoverInVault(cx, embedded, wallet, passwordRecovery.id)
        : byPassword(cx, embedded, wallet)
    case 'google-drive':
    case 'icloud': {
      if (strict) return recoverInVault(cx, embedded, wallet, recoveryOAuth.id)
      const came = await withDrive(cx, method, 'recover', (accessToken, signal) =>
        embedded.recover(wallet, { method, accessToken }, signal),
      )
      if (came === 'back') throw new Closed('The person turned back')
      return
    }
    case undefined:
      return unsupported(cx)
  }
}

/** Asks nothing of the person, unless this device is not one of theirs yet. */
async function automatically(
  cx: WalletFlow,
  embedded: EmbeddedWallets,
  wallet: EmbeddedAccount,
): Promise<void> {
  try {
    await cx.stage.during(connectingWallet, {}, (signal) =>
      embedded.recover(wallet, { method: 'automatic' }, signal),
    )
  } catch (cause) {
    cx.stage.signal.throwIfAborted()
    const error = toKitError(cause)
    if (error.code !== 'wallet_enrolment_required') throw cause
    if (cx.config.vault === 'strict') return recoverInVault(cx, embedded, wallet, connectingWallet.id)
    return loginAgain(cx, error)
  }
}

/**
 * Has the vault recover a wallet, and ask for what that takes: no page sees what the person types. Throws {@link Closed} if they
 * turn back.
 */
async function recoverInVault(
  cx: WalletFlow,
  embedded: EmbeddedWallets,
  wallet: EmbeddedAccount,
  id: string,
): Promise<void> {
  const { chainType, address } = embedded.rootOf(wallet)
  cx.track('embedded_wallet_recovery_started')
  await approve(cx, id, 'recover', async (show) =>
    show({
      root: { chainType, address },
      address: wallet.address,
    }),
  )
  cx.track('embedded_wallet_recovery_completed')
}

/** Only a login speaks for this device, and the one that there is was too long ago. */
async function loginAgain(cx: WalletFlow, error: KitError): Promise<never> {
  cx.report(error)
  const title = cx.t('device.login.title')
  await cx.stage.ask(failure, { title, detail: cx.t('device.login.text'), action: 'close' })
  throw error
}

/** Asks for the password until it is right, or the person goes back. */
async function byPassword(cx: WalletFlow, embedded: EmbeddedWallets, wallet: EmbeddedAccount): Promise<void> {
  let error: string | undefined
  for (;;) {
    const asked = { address: wallet.address, ...(error && { error }) }
    const answer = await cx.stage.ask(passwordRecovery, asked)
    if (answer === 'back') throw new Closed('The person turned back')
    try {
      return await embedded.recover(wallet, { method: 'password', ...answer }, cx.stage.signal)
    } catch (cause) {
      cx.stage.signal.throwIfAborted()
      const problem = toKitError(cause, 'embedded_wallet_recovery_error')
      const verdict = recoveryPasswordVerdict(problem)
      cx.report(problem)
      error = verdict.show === 'inline' ? say(cx.t, verdict.words) : cx.t('error.password.other')
    }
  }
}

/**
 * A newer server may know more methods, and a strict app has none for a key that a page keeps. Nothing is lost, and the person is
 * told. Throws `recovery_method_not_supported`.
 */
export async function unsupported(cx: WalletFlow): Promise<never> {
  const error = new KitError('recovery_method_not_supported', 'Recovery method not supported')
  cx.report(error)
  await cx.stage.ask(failure, {
    title: cx.t('error.recovery.unsupportedTitle'),
    detail: cx.t('error.recovery.unsupported'),
    action: 'close',
  })
  throw error
}
