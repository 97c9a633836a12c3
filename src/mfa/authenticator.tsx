import type { CSSObject } from '@emotion/react'
import { useRef } from 'react'
import { color, text } from '../../styles/tokens.ts'
import { type Answering, defineScreen } from '../dialog/screen.ts'
import { Button } from '../ui/actions/button.tsx'
import { CopyButton } from '../ui/actions/copy-button.tsx'
import { Content } from '../ui/layout/content.tsx'
import { Hero } from '../ui/layout/hero.tsx'
import { Body, Footer } from '../ui/layout/layout.tsx'
import { cardValue, secretCard } from '../ui/layout/value-card.ts'
import { QrPicture } from '../ui/qr/qr-card.tsx'
import { useWords } from '../ui/text/words.tsx'

export interface AuthenticatorProps {
  /** What the app reads from the code, an otpauth URL. */
  authUrl: string
  /** The same for people who type it: base32. */
  secret: string
}
export type AuthenticatorAnswer = 'continue' | 'back'

/** Shows the secret that a person's authenticator app takes in. */
export const authenticator = defineScreen<AuthenticatorProps, AuthenticatorAnswer>('mfa-authenticator', {
  view: Authenticator,
  back: true,
})

function Authenticator({
  authUrl,
  secret,
  busy,
  answer,
}: AuthenticatorProps & Answering<AuthenticatorAnswer>) {
  const t = useWords()
  const shown = useRef<HTMLElement>(null)
  return (
    <>
      <Body>
        <Hero title={t('mfa.totp.title')}>{t('mfa.totp.text')}</Hero>
        <Content gap={16}>
          <QrPicture value={authUrl} name={t('mfa.totp.qr')} />
          <div css={secretCard}>
            <span css={both}>
              <span css={caption}>{t('mfa.totp.secret')}</span>
              <bdi ref={shown} css={[cardValue, { textWrap: 'balance' }]} data-secret>
                {secret.replace(/(.{4})(?=.)/g, '$1 ')}
              </bdi>
            </span>
            <CopyButton value={secret} name={t('mfa.totp.copy')} shown={shown} />
          </div>
        </Content>
      </Body>
      <Footer>
        <Button busy={busy === 'continue'} disabled={busy !== undefined} onClick={() => answer('continue')}>
          {t('common.continue')}
        </Button>
      </Footer>
    </>
  )
}

const both: CSSObject = { display: 'flex', flexDirection: 'column', gap: 2, minWidth: 0 }
const caption: CSSObject = { ...text('caption'), color: color('text-muted') }
