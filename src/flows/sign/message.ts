import { bytesToHex } from '@noble/hashes/utils.js'
import { base64 } from '@scure/base'
import { KitError } from '../../errors/kit-error.ts'
import { signMessage as screen } from '../../screens/sign/sign-message.tsx'
import type { EmbeddedAccount } from '../../wallets/embedded/embedded-wallets.ts'
import type { SignMethod } from '../../wallets/embedded/provider/ethereum.ts'
import { readableText } from '../../wallets/embedded/provider/sign-in-text.ts'
import type { WalletFlow } from '../wallet/context.ts'
import { askVault, prepareVault, untilDone } from './approved.ts'

export interface MessageRequest {
  readonly wallet: EmbeddedAccount
  readonly bytes: Uint8Array
  readonly method: SignMethod
}

/** Shows bytes that a library wants to have signed by EIP-191. Resolves with the signature as hex text. */
export async function signBytes(cx: WalletFlow, { wallet, bytes, method }: MessageRequest): Promise<string> {
  const message = `0x${bytesToHex(bytes)}`
  const params = method === 'personal_sign' ? [message, wallet.address] : [wallet.address, message]
  const signature = await showAndSign(cx, wallet, bytes, () => askVault(cx, wallet, { method, params }))
  if (typeof signature !== 'string') throw noSignature()
  return signature
}

/** Shows bytes that a library wants to have signed by a Solana wallet. Resolves with the 64 bytes of the signature. */
export const signSolanaBytes = (
  cx: WalletFlow,
  { wallet, bytes }: Pick<MessageRequest, 'wallet' | 'bytes'>,
): Promise<Uint8Array> => showAndSign(cx, wallet, bytes, () => askSolanaVault(cx, wallet, bytes))

/** Wire 7.6: a message, or the message of a transaction. */
export async function askSolanaVault(
  cx: WalletFlow,
  wallet: EmbeddedAccount,
  bytes: Uint8Array,
): Promise<Uint8Array> {
  const params = { message: base64.encode(bytes) }
  const answer = await askVault(cx, wallet, { method: 'signMessage', params })
  const { signature } = answer as { signature?: unknown }
  const read = typeof signature === 'string' ? decode(signature) : undefined
  if (read?.length !== 64) throw noSignature()
  return read
}

function showAndSign<T>(
  cx: WalletFlow,
  { address }: EmbeddedAccount,
  bytes: Uint8Array,
  sign: () => Promise<T>,
): Promise<T> {
  prepareVault(cx)
  const text = readableText(bytes)
  const props = {
    message: text ?? `0x${bytesToHex(bytes)}`,
    // A text may look like hex, so it is the dialog that says which of them this is.
    ...(text === undefined && { description: cx.t('sign.bytes') }),
    ...{ origin: cx.page.origin, address, cancellable: true },
  }
  return untilDone(cx, screen, props, sign)
}

const noSignature = () => new KitError('unable_to_sign', 'Unable to sign message')

function decode(text: string): Uint8Array | undefined {
  try {
    return base64.decode(text)
  } catch {
    return undefined
  }
}
