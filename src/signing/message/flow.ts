import { utf8ToBytes } from '@noble/hashes/utils.js'
import { base64, base64urlnopad } from '@scure/base'
import type { EmbeddedAccount } from '../../wallets/embedded/embedded-wallets.ts'
import type { WalletFlow } from '../../wallets/flow-context.ts'
import { requestSignature } from '../request-signature.ts'
import { requesterOf } from '../requester.ts'
import {
  type AccountSigner,
  readFarcasterSignature,
  readHex,
  readSolanaSignature,
  type Signature,
} from '../signature.ts'
import { codeOf, type SigningChain } from '../wallet-code.ts'
import { hexOf, previewMessage } from './preview.ts'
import { type SignMessageProps, signMessage as screen } from './sign-message.tsx'

/** The host's own words on the screen, which never say who asks, and how it is displayed. */
export interface SignMessageUi
  extends Pick<SignMessageProps, 'title' | 'description' | 'buttonText' | 'iconUrl'> {
  /** Whether the user may leave without signing; they may by default. */
  readonly isCancellable?: boolean | undefined
  /** The host wants no screen (`showWalletUIs: false`), which a strict app doesn't grant. */
  readonly isHidden?: boolean | undefined
}

export interface SignMessageRequest {
  readonly wallet: EmbeddedAccount
  /** Text as a host gives it, which is displayed and signed as text even if it looks like hex; or bytes. */
  readonly message: string | Uint8Array
  readonly ui?: SignMessageUi | undefined
  /** The wallet's smart account, which signs in its place. */
  readonly signer?: AccountSigner | undefined
  /** The chain that the wallet is on. */
  readonly chain?: SigningChain | undefined
}

/**
 * Reviews a message with the user and signs it by EIP-191, or as its smart account by ERC-1271.
 * @returns the signature, 0x-hex
 * @throws Closed if the user rejects it
 */
export function signMessage(cx: WalletFlow, request: SignMessageRequest): Promise<string> {
  const { message, signer, chain } = request
  // In hex, because `personal_sign` reads text that looks like hex as other bytes than those of the text.
  const bytes = hexOf(typeof message === 'string' ? utf8ToBytes(message) : message)
  const own = signer ? undefined : chain
  const signature = {
    content: {
      kind: 'message',
      message: bytes,
      ...(signer && { account: signer.account }),
      ...(own && { chainId: own.chainId }),
    },
    ...(signer ? signer.sign({ message: bytes }) : { read: readHex }),
  } as const
  return review(cx, request, signature, own)
}

/**
 * Reviews a message with the user and signs it with a Solana wallet.
 * @returns the 64 bytes of the signature
 * @throws Closed if the user rejects it
 */
export function signSolanaMessage(
  cx: WalletFlow,
  request: SignMessageRequest & { readonly message: Uint8Array },
): Promise<Uint8Array> {
  const content = { kind: 'solanaMessage', message: base64.encode(request.message) } as const
  return review(cx, request, { content, read: readSolanaSignature })
}

/**
 * Reviews something that is done on Farcaster in the user's name, of which only the hash is known, and signs it with the vault's key.
 * @param hash 20 bytes
 * @returns the 64 bytes of the signature
 * @throws Closed if the user rejects it
 */
export function signFarcasterHash(
  cx: WalletFlow,
  { wallet, hash, ui = {} }: Omit<SignMessageRequest, 'message'> & { readonly hash: Uint8Array },
): Promise<Uint8Array> {
  const text = base64urlnopad.encode(hash)
  const words = { title: cx.t('sign.farcaster.title'), description: cx.t('sign.farcaster.description') }
  return requestSignature<SignMessageProps, Uint8Array>(cx, {
    wallet,
    screen: screen as never,
    props: { message: text, origin: cx.page.origin, address: wallet.address, cancellable: true, ...words },
    words: signatureWords(ui),
    signature: { content: { kind: 'farcasterMessage', hash: text }, read: readFarcasterSignature },
    isHidden: ui.isHidden,
  })
}

function review<T>(
  cx: WalletFlow,
  { wallet, message, ui, signer }: SignMessageRequest,
  signature: Signature<T>,
  chain?: SigningChain,
): Promise<T> {
  const { origin, app } = requesterOf(cx)
  const props = {
    ...previewMessage(cx.t, message, origin),
    origin,
    app,
    address: signer?.account.address ?? wallet.address,
    cancellable: true,
  }
  return requestSignature<SignMessageProps, T>(cx, {
    wallet,
    screen: screen as never,
    props,
    ...(chain && { more: codeOf(chain, wallet.address, cx.clock) }),
    words: signatureWords(ui),
    signature,
    isHidden: ui?.isHidden,
  })
}

/** The host's words, as a screen displays them in the page. */
export const signatureWords = (ui: SignMessageUi = {}): Partial<SignMessageProps> => ({
  ...(ui.title !== undefined && { title: ui.title }),
  ...(ui.description !== undefined && { description: ui.description }),
  ...(ui.buttonText !== undefined && { buttonText: ui.buttonText }),
  ...(ui.iconUrl !== undefined && { iconUrl: ui.iconUrl }),
  ...(ui.isCancellable !== undefined && { cancellable: ui.isCancellable }),
})
