import { limits } from '../../core/limits.ts'
import { Closed } from '../../core/stage.ts'
import { KitError, toKitError } from '../../errors/kit-error.ts'
import { signMessage as screen } from '../../screens/sign/sign-message.tsx'
import type { EmbeddedAccount } from '../../wallets/embedded/embedded-wallets.ts'
import type { WalletFlow } from '../wallet/context.ts'

export interface SignRequest {
  readonly message: string
  readonly wallet: EmbeddedAccount
  /** Who asks, as the page itself says it: never the host's own words. */
  readonly origin: string
  readonly ui: {
    readonly title?: string
    readonly description?: string
    readonly buttonText?: string
    readonly iconUrl?: string
    readonly isCancellable?: boolean
  }
}

/** Shows a message and signs it once the person says so. Throws {@link Closed} when they don't. Spec §2 "Sign request". */
export async function signMessage(
  cx: WalletFlow,
  { message, wallet, origin, ui }: SignRequest,
): Promise<string> {
  const { stage, clock } = cx
  const { address } = wallet
  const { isCancellable: cancellable = true, ...words } = ui
  const ahead = cx.wallets.embedded().then((embedded) => embedded.prepare())
  // What goes wrong shows when it is signed.
  ahead.catch(() => {})

  let error: string | undefined
  for (;;) {
    const props = { ...words, message, address, origin, cancellable }
    const answer = await stage.ask(screen, { ...props, ...(error && { error }) })
    if (answer === 'cancel') throw new Closed('The person cancelled')
    try {
      const signature = await sign(cx, wallet, message)
      const wait = (signal: AbortSignal) => clock.sleep(limits.successVisible, signal)
      await stage.during(screen, { ...props, done: true }, wait).catch(() => {})
      return signature
    } catch (cause) {
      stage.signal.throwIfAborted()
      const failure = toKitError(cause, 'unable_to_sign')
      cx.report(failure)
      error = cx.t(wordsFor(failure))
    }
  }
}

/** Signs; a wallet whose share is not on this device is recovered first. */
async function sign(cx: WalletFlow, wallet: EmbeddedAccount, message: string): Promise<string> {
  const request = { method: 'personal_sign', params: [message, wallet.address] }
  const { withWalletHere } = await import('../wallet/index.ts')
  const signature = await withWalletHere(cx, wallet, (embedded) =>
    embedded.rpc(wallet, request, cx.stage.signal),
  )
  if (typeof signature !== 'string') throw new KitError('unable_to_sign', 'Unable to sign message')
  return signature
}

function wordsFor(error: KitError) {
  if (error.code === 'vault_unavailable') return 'error.wallet.blocked'
  if (error.code === 'vault_timeout' || error.code === 'vault_crashed') return 'error.wallet.unreachable'
  if (error.code === 'network_unavailable') return 'error.network.detail'
  if (error.code === 'embedded_wallet_recovery_error') return 'error.wallet.recover'
  return 'sign.failed'
}
