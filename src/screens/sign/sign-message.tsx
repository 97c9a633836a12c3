import { useState } from 'react'
import { type Answering, defineScreen, type Examples } from '../../core/screen.ts'
import { Banner } from '../../ui/banner.tsx'
import { Content } from '../../ui/content.tsx'
import { Body, Footer, Note } from '../../ui/layout.tsx'
import { Logo } from '../../ui/logo.tsx'
import { useAnnounced } from '../../ui/panel-context.tsx'
import { Decision, RequestedBy } from '../../ui/request.tsx'
import { TextWell } from '../../ui/text-well.tsx'
import { useWords } from '../../ui/words.tsx'

export interface SignMessageProps {
  title?: string | undefined
  description?: string | undefined
  buttonText?: string | undefined
  iconUrl?: string | undefined
  message: string
  /** Who asks, as the page itself says it; never the host's words. */
  origin: string
  address: string
  cancellable: boolean
  error?: string | undefined
  done?: boolean | undefined
}
export type SignMessageAnswer = 'sign' | 'cancel'

/** A message, who asks for it and the wallet that signs it. Spec §2 "Sign request". */
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
  // Security T33: what is long is signed only after its end has been in sight.
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

const short: SignMessageProps = {
  message: 'Welcome to Harbor.\n\nSign this message to confirm that the wallet is yours.\n\nNonce: 7f3a11c9',
  origin: 'https://harbor.example',
  address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  cancellable: true,
}
const clauses = /* @__PURE__ */ Array.from(
  { length: 24 },
  (_, i) =>
    `${i + 1}. The member agrees to the rule of the harbour with the number ${100 + i} and to its annexes.`,
)
export const examples = {
  rest: { props: short },
  signing: { props: short, busy: 'sign' },
  cancelling: { props: short, busy: 'cancel' },
  failed: { props: { ...short, error: 'An error has occurred, please try again.' } },
  done: { props: { ...short, done: true } },
  'not cancellable': { props: { ...short, cancellable: false } },
  'own words': {
    props: {
      ...short,
      title: 'Confirm the transfer of your berth',
      description: 'The harbour master needs your signature. It costs nothing.',
      buttonText: 'Confirm',
      iconUrl:
        'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"%3E%3Ccircle cx="24" cy="24" r="22" fill="%230E9F8A"/%3E%3C/svg%3E',
    },
  },
  'long message': { props: { ...short, message: /* @__PURE__ */ clauses.join('\n\n') } },
  'invisible characters': {
    props: {
      ...short,
      message: 'Pay 10 to harbor.example\u202Egpj.\nzero\u200Bwidth\u2066, nul \u0000 and a family 👨‍👩‍👧.',
    },
  },
  'bytes, as hex': { props: { ...short, message: /* @__PURE__ */ `0x${'4f56e0b3'.repeat(8)}` } },
  'longest origin, one word': {
    props: {
      ...short,
      origin:
        'https://a-very-long-subdomain-for-members-only.accounts.energieversorgung-oberland.example:8443',
      message: /* @__PURE__ */ '4f56e0b3'.repeat(40),
      address: '7EqQdEULxWcraVx3mXKFjc84LhCkMGZCkRuDpvcMwJeK',
    },
  },
} satisfies Examples<typeof signMessage>
