import { useState } from 'react'
import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { Logo } from '../../ui/brand/logo.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Content } from '../../ui/layout/content.tsx'
import { Body, Footer, Note } from '../../ui/layout/layout.tsx'
import { TextWell } from '../../ui/layout/text-well.tsx'
import { useAnnounced } from '../../ui/panel/panel-context.tsx'
import { useWords } from '../../ui/text/words.tsx'
import { Decision, RequestedBy } from '../../ui/wallet/request.tsx'

export interface SignMessageProps {
  title?: string | undefined
  description?: string | undefined
  buttonText?: string | undefined
  iconUrl?: string | undefined
  message: string
  /** Who asks, according to the page itself; never the host's words. */
  origin: string
  address: string
  cancellable: boolean
  error?: string | undefined
  done?: boolean | undefined
}

export type SignMessageAnswer = 'sign' | 'cancel'

/** A message, who asks for it, and the wallet that signs it. */
export const signMessage = defineScreen<SignMessageProps, SignMessageAnswer>('sign-message', {
  view: SignMessage,
  size: 'full',
  closable: ({ cancellable }) => cancellable,
})

function SignMessage(props: SignMessageProps & Answering<SignMessageAnswer>) {
  const { title, description, buttonText, iconUrl, message, origin, address, cancellable, error, done } =
    props
  const { busy, answer } = props
  const t = useWords()
  // Long content is signed only after its end has been in sight, so that nothing hides below.
  const [read, setRead] = useState<string>()
  const unread = read !== message
  const [long, setLong] = useState(false)
  const problem = busy || done ? undefined : error
  useAnnounced(problem, 'alert')
  useAnnounced(done ? t('sign.done') : busy === 'sign' && t('sign.busy'))
  return (
    <>
      <Body title={title ?? t('sign.title')} subtitle={description ?? t('sign.description')} fit>
        <Content gap={12} fit>
          {iconUrl && (
            <div css={{ alignSelf: 'center' }}>
              <Logo url={iconUrl} name={title ?? t('sign.title')} />
            </div>
          )}
          <RequestedBy origin={origin} address={address} />
          <TextWell label={t('sign.message')} onEdge={(atEnd) => (atEnd ? setRead(message) : setLong(true))}>
            {message}
          </TextWell>
        </Content>
      </Body>
      <Footer>
        {problem && <Banner tone="danger">{problem}</Banner>}
        {long && <Note silent={!unread}>{t('sign.readOn')}</Note>}
        <Decision
          agree="sign"
          words={buttonText ?? t('sign.button')}
          busyWords={t('sign.busy')}
          notYet={unread}
          {...{ busy, done, cancellable, answer }}
        />
      </Footer>
    </>
  )
}
