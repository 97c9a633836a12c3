import '../sign-copy.ts'
import { parseMessage } from '../../../../ethereum/message.ts'
import { assertSignInMatchesOrigin, isOwnSignIn, readableText } from '../../../../lib/sign-in-text.ts'
import { previewMessage } from '../../../../signing/message/preview.ts'
import { signMessage } from '../../../../signing/message/sign-message.tsx'
import { requireNoOperation } from '../no-operation.ts'
import { type ReadContext, type ReadKind, type SignReview, toReview } from '../review.ts'
import { confirmsCode } from '../wallet-code.ts'

/** Bytes of a hash. */
const HASH_SIZE = 32

export const readMessage: ReadKind<'message'> = ({ message, account, address, chainId }, cx) => {
  const bytes = parseMessage(message)
  const read = reviewMessage(bytes, cx, account?.address ?? address)
  const code = account ? {} : confirmsCode(chainId, address, cx.delegates, read.props)
  const review = { ...read, ...code }
  // As a smart account the wallet signs other bytes, which the vault makes of these.
  if (account || bytes.length !== HASH_SIZE) return review
  return { ...review, ...requireNoOperation(address, 'hash') }
}

/**
 * A message of either chain, as text if it is any.
 * @param address the account that vouches for it
 */
export function reviewMessage(bytes: Uint8Array, { requester, t }: ReadContext, address: string): SignReview {
  const text = readableText(bytes)
  assertSignInMatchesOrigin(text, requester.origin)
  const shown = previewMessage(t, bytes, requester.origin)
  // Protocols give any other text a meaning of their own, which no list of words covers.
  const { origin } = requester
  const isHarmless =
    shown.concern === undefined && text !== undefined && isOwnSignIn(text, { origin, address })
  return toReview(signMessage, { ...requester, ...shown, cancellable: true }, isHarmless ? 'usual' : 'high')
}
