import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { EmbeddedAccount } from '../../wallets/embedded/embedded-wallets.ts'
import { readableText } from '../../wallets/embedded/provider/sign-in-text.ts'
import type { WalletFlow } from '../../wallets/flow-context.ts'
import { prepareVault, signEthereum, signSolanaBytes, untilDone } from '../approved.ts'
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
  return showAndSign(cx, request, () => signEthereum(cx, wallet, { method: 'personal_sign', params }))
}

/**
 * Shows a message and signs it with a Solana wallet once the person agrees. Resolves with the 64 bytes of the
 * signature. Throws `Closed` if they don't agree.
 */
export const signSolanaMessage = (
  cx: WalletFlow,
  request: { readonly wallet: EmbeddedAccount; readonly message: Uint8Array },
): Promise<Uint8Array> => showAndSign(cx, request, () => signSolanaBytes(cx, request.wallet, request.message))

function showAndSign<T>(
  cx: WalletFlow,
  { wallet, message, ui = {} }: SignMessageRequest,
  sign: () => Promise<T>,
): Promise<T> {
  prepareVault(cx)
  const { isCancellable: cancellable = true, ...words } = ui
  const props = {
    ...shown(cx, message),
    ...words,
    ...{ origin: cx.page.origin, address: wallet.address, cancellable },
  }
  return untilDone(cx, screen, props, sign)
}

function shown(
  cx: WalletFlow,
  message: string | Uint8Array,
): Pick<SignMessageProps, 'message' | 'description'> {
  if (typeof message === 'string') return { message }
  const text = readableText(message)
  // A text may look like hex, so the dialog says which of the two it is.
  return text === undefined ? { message: hexOf(message), description: cx.t('sign.bytes') } : { message: text }
}

const hexOf = (bytes: Uint8Array): string => `0x${bytesToHex(bytes)}`
