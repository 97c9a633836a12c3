import { utf8ToBytes } from '@noble/hashes/utils.js'
import type { EmbeddedAccount } from '../../wallets/embedded/embedded-wallets.ts'
import type { WalletFlow } from '../../wallets/flow-context.ts'
import { agreed, ethereumSignature, type Signature, solanaSignature } from '../approved.ts'
import { hexOf, shownMessage } from './shown.ts'
import { type SignMessageProps, signMessage as screen } from './sign-message.tsx'

/** What a host may say on the screen in its own words; it can't say who asks. */
export interface SignMessageUi
  extends Pick<SignMessageProps, 'title' | 'description' | 'buttonText' | 'iconUrl'> {
  /** Whether the person may leave without signing; they may by default. */
  readonly isCancellable?: boolean
}

export interface SignMessageRequest {
  readonly wallet: EmbeddedAccount
  /** Text as a host gives it, which is shown and signed as text even if it looks like hex; or bytes. */
  readonly message: string | Uint8Array
  readonly ui?: SignMessageUi
}

/**
 * Shows a message and signs it by EIP-191 once the person agrees. Resolves with the signature as hex text.
 * Throws `Closed` if they don't agree.
 */
export function signMessage(cx: WalletFlow, request: SignMessageRequest): Promise<string> {
  const { wallet, message } = request
  // In hex, because `personal_sign` reads text that looks like hex as other bytes than those of the text.
  const bytes = hexOf(typeof message === 'string' ? utf8ToBytes(message) : message)
  const params = [bytes, wallet.address]
  return showAndSign(cx, request, ethereumSignature({ method: 'personal_sign', params }))
}

/**
 * Shows a message and signs it with a Solana wallet once the person agrees. Resolves with the 64 bytes of the
 * signature. Throws `Closed` if they don't agree.
 */
export const signSolanaMessage = (
  cx: WalletFlow,
  request: SignMessageRequest & { readonly message: Uint8Array },
): Promise<Uint8Array> => showAndSign(cx, request, solanaSignature(request.message))

function showAndSign<T>(
  cx: WalletFlow,
  { wallet, message, ui = {} }: SignMessageRequest,
  signature: Signature<T>,
): Promise<T> {
  const { isCancellable: cancellable = true, ...words } = ui
  const origin = cx.page.origin
  const shown = { ...shownMessage(cx.t, message, origin), origin, address: wallet.address, cancellable: true }
  return agreed(cx, wallet, screen, { shown, worded: { ...shown, ...words, cancellable } }, signature)
}
