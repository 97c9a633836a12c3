import type { Screen } from '../dialog/screen.ts'
import { toKitError } from '../errors/kit-error.ts'
import type { EmbeddedAccount } from '../wallets/embedded/embedded-wallets.ts'
import type { WalletFlow } from '../wallets/flow-context.ts'
import { createApprover } from './create-approver.ts'
import type { Signature } from './signature.ts'

export interface SignatureOptions<P extends object, S> {
  readonly wallet: EmbeddedAccount
  readonly screen: Screen<P, never>
  readonly props: P
  /** More for the screen, for which the user doesn't wait. */
  readonly more?: ((signal: AbortSignal) => Promise<Partial<P> | undefined>) | undefined
  /** The host's own words, which the vault never displays. */
  readonly words?: Partial<P> | undefined
  readonly signature: Signature<S>
  /** The host wants no screen. */
  readonly isHidden?: boolean | undefined
}

/**
 * Reviews with the user what needs no node, and signs it.
 * @throws Closed if the user rejects it
 */
export async function requestSignature<P extends object, S>(
  cx: WalletFlow,
  { wallet, screen, props, more, words, signature, isHidden }: SignatureOptions<P, S>,
): Promise<S> {
  const approver = createApprover(cx, isHidden)
  for (;;) {
    const decision = await approver.review<P, undefined, S>({
      wallet,
      screen,
      words,
      async *previews() {
        yield { state: 'ready', props, more, value: undefined, signature }
      },
      toError: (cause) => toKitError(cause, 'unable_to_sign'),
    })
    if (decision.outcome !== 'approved') continue
    await approver.showDone({ screen, words }, props)
    return decision.signed
  }
}
