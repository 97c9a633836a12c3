import '../sign-copy.ts'
import { signMessage } from '../../../../signing/message/sign-message.tsx'
import { assertFarcasterHash } from '../../../signing/farcaster-hash.ts'
import { type ReadKind, toReview } from '../review.ts'

/** A hash says nothing of what is posted in the user's name, so only the vault's own window takes the approval. */
export const readFarcasterMessage: ReadKind<'farcasterMessage'> = ({ hash }, { requester, t }) => {
  assertFarcasterHash(hash)
  return toReview(
    signMessage,
    {
      ...requester,
      title: t('sign.farcaster.title'),
      description: t('sign.farcaster.description'),
      message: hash,
      cancellable: true,
    },
    'high',
  )
}
