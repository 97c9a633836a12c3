import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { TextWell } from '../../ui/layout/text-well.tsx'
import { useWords } from '../../ui/text/words.tsx'
import { type SignatureAnswer, SignatureRequest, type SignatureRequestProps } from '../signature-request.tsx'

export interface SignMessageProps extends SignatureRequestProps {
  message: string
}

/** A message, who asks for it, and the wallet that signs it. */
export const signMessage = defineScreen<SignMessageProps, SignatureAnswer>('sign-message', {
  view: SignMessage,
  size: 'full',
  closable: ({ cancellable }) => cancellable,
})

function SignMessage({ message, ...request }: SignMessageProps & Answering<SignatureAnswer>) {
  const t = useWords()
  return (
    <SignatureRequest {...request} subject={message}>
      {(onEdge) => (
        <TextWell label={t('sign.message')} onEdge={onEdge}>
          {message}
        </TextWell>
      )}
    </SignatureRequest>
  )
}
