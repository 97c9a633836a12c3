import { type ReactNode, useState } from 'react'
import type { Answering } from '../dialog/screen.ts'
import { Logo } from '../ui/brand/logo.tsx'
import { Banner } from '../ui/feedback/banner.tsx'
import { Content } from '../ui/layout/content.tsx'
import { Body, Footer, Note } from '../ui/layout/layout.tsx'
import { useAnnounced } from '../ui/panel/use-announced.ts'
import { useWords } from '../ui/text/words.tsx'
import { Details } from '../ui/wallet/detail-row.tsx'
import { Decision, RequestedBy } from '../ui/wallet/request.tsx'
import type { EditedAllowance, WalletCode } from './preview.ts'
import { codeRow } from './wallet-code-row.tsx'

/** What a screen that asks for a signature has, whatever is signed. */
export interface SignatureRequestProps {
  title?: string | undefined
  description?: string | undefined
  buttonText?: string | undefined
  iconUrl?: string | undefined
  /** The origin of the page that asks; never the host's words. */
  origin: string
  /** The name of another app that asks, as this app's own server says it. */
  app?: string | undefined
  address: string
  /** The code of the wallet's own address, by which a contract may check what the wallet signs. */
  walletCode?: WalletCode | undefined
  cancellable: boolean
  error?: string | undefined
  done?: boolean | undefined
}

export type SignatureAnswer = 'sign' | 'cancel' | EditedAllowance

interface Contents {
  /** What is signed; another one has to be read as well. */
  subject: unknown
  /** Said where there is no failure to tell. */
  warning?: ReactNode
  /** Something is being changed, so nothing can be signed yet. */
  notYet?: boolean | undefined
  /** Draws what is signed; `onEdge` hears whether its end is in sight. */
  children: (onEdge: (atEnd: boolean) => void) => ReactNode
}

/** Something to sign, who asks for it, and the wallet that signs it. */
export function SignatureRequest(props: SignatureRequestProps & Contents & Answering<SignatureAnswer>) {
  const { title, description, buttonText, iconUrl, origin, app, address, cancellable, error, done } = props
  const { walletCode, subject, warning, notYet = false, children, busy, answer } = props
  const t = useWords()
  // Long content is signed only after its end has been in sight, so that nothing hides below.
  const [read, setRead] = useState<{ readonly subject: unknown }>()
  const unread = !read || read.subject !== subject
  const [long, setLong] = useState(false)
  const problem = busy || done ? undefined : error
  const isForeign = walletCode !== undefined && walletCode.name === undefined && !done
  const pressed = typeof busy === 'object' ? undefined : busy
  useAnnounced(problem ?? (isForeign ? t('warning.foreign-code') : undefined), 'alert')
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
          <RequestedBy origin={origin} app={app} address={address} />
          {walletCode && <Details rows={[codeRow(t, walletCode)]} />}
          {children((atEnd) => (atEnd ? setRead({ subject }) : setLong(true)))}
        </Content>
      </Body>
      <Footer>
        {isForeign && <Banner tone="danger">{t('warning.foreign-code')}</Banner>}
        {problem ? <Banner tone="danger">{problem}</Banner> : !done && warning}
        {long && <Note silent={!unread}>{t('sign.readOn')}</Note>}
        <Decision<'sign'>
          agree="sign"
          words={buttonText ?? t('sign.button')}
          busyWords={t('sign.busy')}
          notYet={unread || notYet}
          inert={typeof busy === 'object'}
          busy={pressed}
          done={done}
          cancellable={cancellable}
          answer={answer}
        />
      </Footer>
    </>
  )
}
