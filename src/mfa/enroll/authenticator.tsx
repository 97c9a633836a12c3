import type { CSSObject } from '@emotion/react'
import { useRef } from 'react'
import { color, media, text } from '../../../styles/tokens.ts'
import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { appLink } from '../../lib/app-link.ts'
import { AnswerButton, Face, sideStep } from '../../ui/actions/button.tsx'
import { CopyButton } from '../../ui/actions/copy-button.tsx'
import { Icon } from '../../ui/brand/icon.tsx'
import { externalLink } from '../../ui/icons/frame.ts'
import { Content } from '../../ui/layout/content.tsx'
import { Hero } from '../../ui/layout/hero.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { cardValue, secretCard } from '../../ui/layout/value-card.ts'
import { QrPicture } from '../../ui/qr/qr-card.tsx'
import { useWords } from '../../ui/text/words.tsx'
import { mfaLimits } from '../limits.ts'

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
      <Body step={[1, mfaLimits.codeSteps]}>
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
        <OpenApp href={appLink(authUrl)}>{t('mfa.totp.open')}</OpenApp>
        <AnswerButton gives="continue" busy={busy} answer={answer}>
          {t('common.continue')}
        </AnswerButton>
      </Footer>
    </>
  )
}

/** On a phone the app is on the device that shows the code, and can't scan it. */
function OpenApp({ href, children }: { href: string | undefined; children: string }) {
  if (!href) return null
  return (
    <a
      part="button"
      css={[...sideStep(), touchOnly]}
      href={href}
      // A `frame-src` of the page that has the vault's frame would put an error page in its place.
      target={window.parent === window ? undefined : '_blank'}
      rel="noopener noreferrer"
    >
      <Face shown>
        {children}
        <Icon path={externalLink} size={16} />
      </Face>
    </a>
  )
}

const touchOnly: CSSObject = { display: 'none', [media.coarse]: { display: 'grid' } }
const both: CSSObject = { display: 'flex', flexDirection: 'column', gap: 2, minWidth: 0 }
const caption: CSSObject = { ...text('caption'), color: color('text-muted') }
