import { type Answering, defineScreen } from '../../dialog/screen.ts'
import type { MessageConcern } from '../../lib/message-concern.ts'
import { Banner } from '../../ui/feedback/banner.tsx'
import { TextWell } from '../../ui/layout/text-well.tsx'
import { useWords } from '../../ui/text/words.tsx'
import { type SignatureAnswer, SignatureRequest, type SignatureRequestProps } from '../signature-request.tsx'

export interface SignMessageProps extends SignatureRequestProps {
  message: string
  /** Why it may be more than plain text. */
  concern?: MessageConcern | undefined
}

/** A message, who asks for it, and the wallet that signs it. */
export const signMessage = defineScreen<SignMessageProps, SignatureAnswer>('sign-message', {
  view: SignMessage,
  size: 'full',
  closable: ({ cancellable }) => cancellable,
})

function SignMessage({ message, concern, ...request }: SignMessageProps & Answering<SignatureAnswer>) {
  const t = useWords()
  return (
    <SignatureRequest
      {...request}
      subject={message}
      warning={
        concern && (
          <Banner tone={concern === 'hash' ? 'danger' : 'warning'}>{t(`sign.concern.${concern}`)}</Banner>
        )
      }
    >
      {(onEdge) => (
        <TextWell label={t('sign.message')} onEdge={onEdge}>
          {message}
        </TextWell>
      )}
    </SignatureRequest>
  )
}
