import { limits } from '../../core/limits.ts'
import type { Screen } from '../../core/screen.ts'
import { Closed } from '../../core/stage.ts'
import { type KitError, toKitError } from '../../errors/kit-error.ts'
import type { EmbeddedAccount } from '../../wallets/embedded/embedded-wallets.ts'
import type { RpcRequest } from '../../wire/frame/calls.ts'
import type { WalletFlow } from '../wallet/context.ts'

interface Outcome {
  error?: string | undefined
  done?: boolean | undefined
}

/**
 * Shows a request until the person agrees and `work` has been done, and for a moment that it has. Throws
 * {@link Closed} when they don't agree. A failure is shown, and the person may try again.
 */
export async function untilDone<P extends Outcome, A extends string, T>(
  cx: WalletFlow,
  screen: Screen<P, A | 'cancel'>,
  props: P,
  work: () => Promise<T>,
): Promise<T> {
  const { stage } = cx
  let error: string | undefined
  for (;;) {
    const answer = await stage.ask(screen, { ...props, ...(error && { error }) })
    if (answer === 'cancel') throw new Closed('The person cancelled')
    try {
      const result = await work()
      await showDone(cx, screen, props)
      return result
    } catch (cause) {
      stage.signal.throwIfAborted()
      if (cause instanceof Closed) throw cause
      error = tellFailure(cx, toKitError(cause, 'unable_to_sign'))
    }
  }
}

/** Closing here is as good as waiting: it is done. */
export async function showDone<P extends Outcome, A>(
  { stage, clock }: WalletFlow,
  screen: Screen<P, A>,
  props: P,
): Promise<void> {
  const wait = (signal: AbortSignal) => clock.sleep(limits.successVisible, signal)
  await stage.during(screen, { ...props, done: true }, wait).catch(() => {})
}

/** Tells the host of a failure, and says what the person reads of it. */
export function tellFailure(
  cx: WalletFlow,
  failure: KitError,
  otherwise: 'sign.failed' | 'transaction.unprepared' | 'transaction.unsettled' = 'sign.failed',
): string {
  cx.report(failure)
  return cx.t(wordsFor(failure, otherwise))
}

function wordsFor<Otherwise>({ code }: KitError, otherwise: Otherwise) {
  if (code === 'vault_unavailable') return 'error.wallet.blocked'
  if (code === 'vault_timeout' || code === 'vault_crashed') return 'error.wallet.unreachable'
  if (code === 'network_unavailable') return 'error.network.detail'
  if (code === 'embedded_wallet_recovery_error') return 'error.wallet.recover'
  if (code === 'insufficient_funds') return 'transaction.short'
  return otherwise
}

/** Has the vault answer a request of wire 7.6; a wallet that is not on this device is brought here first. */
export async function askVault(
  cx: WalletFlow,
  wallet: EmbeddedAccount,
  request: RpcRequest,
): Promise<string | object> {
  const { withWalletHere } = await import('../wallet/index.ts')
  return withWalletHere(cx, wallet, (embedded) => embedded.rpc(wallet, request, cx.stage.signal))
}

/** Loads the vault while the person reads; what goes wrong shows when it is asked. */
export function prepareVault(cx: WalletFlow): void {
  cx.wallets
    .embedded()
    .then((embedded) => embedded.prepare())
    .catch(() => {})
}
