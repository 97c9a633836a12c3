import type { CSSObject } from '@emotion/react'
import { color, isolated, text } from '../../../styles/tokens.ts'
import { pieces } from '../../copy/copy.ts'
import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { LinkButton } from '../../ui/actions/link-button.tsx'
import { useElapsed } from '../../ui/feedback/use-elapsed.ts'
import { CodeInput } from '../../ui/fields/code-input/code-input.tsx'
import { mail, smartphone } from '../../ui/icons/landing.ts'
import { Hero } from '../../ui/layout/hero.tsx'
import { Circle } from '../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { useWords } from '../../ui/text/words.tsx'

export interface EnterCodeProps {
  /** What the code is for, unless it is a login. */
  use?: 'device' | undefined
  /** The address or number that the code went to. */
  to: string
  via: 'email' | 'sms'
  error?: string | undefined
  /** Milliseconds until another code may be requested. */
  resendIn: number
  accepted?: boolean | undefined
}

export type EnterCodeAnswer = { code: string } | 'resend' | 'back'

/** Where a person types the six digits that we sent. */
export const enterCode = defineScreen<EnterCodeProps, EnterCodeAnswer>('enter-code', {
  view: EnterCode,
  size: 'compact',
  back: true,
})

function EnterCode(props: EnterCodeProps & Answering<EnterCodeAnswer>) {
  const { use = 'login', to, via, error, resendIn, accepted, busy, answer } = props
  const t = useWords()
  const mayResend = useElapsed(resendIn, answer)
  const checking = typeof busy === 'object' ? busy : undefined
  return (
    <>
      <Body>
        <Hero art={<Circle icon={via === 'sms' ? smartphone : mail} />} title={t(`${use}.code.title`)}>
          {pieces(t(`${use}.code.sentTo`, { to: '{to}' })).map((piece) =>
            piece.name ? (
              <bdi key="to" css={address}>
                {to}
              </bdi>
            ) : (
              piece.text
            ),
          )}
        </Hero>
        <CodeInput
          value={checking?.code}
          busy={checking !== undefined}
          inert={busy !== undefined && !checking}
          accepted={accepted}
          error={error}
          asked={answer}
          fromSms={via === 'sms'}
          onComplete={(code) => answer({ code })}
        />
      </Body>
      <Footer>
        <p css={line}>
          {t('login.code.noCode')}
          <LinkButton
            disabled={!mayResend || busy !== undefined || accepted}
            busy={busy === 'resend'}
            onClick={() => answer('resend')}
          >
            {mayResend ? t('login.code.resend') : t('login.code.sent')}
          </LinkButton>
        </p>
      </Footer>
    </>
  )
}

const address: CSSObject = { ...isolated, color: color('text'), fontWeight: 500 }

const line: CSSObject = {
  ...text('body'),
  display: 'flex',
  flexWrap: 'wrap',
  justifyContent: 'center',
  alignItems: 'center',
  gap: '0 4px',
  margin: 0,
  color: color('text-muted'),
}
