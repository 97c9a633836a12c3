import type { CSSObject } from '@emotion/react'
import { color, isolated, text } from '../../../styles/tokens.ts'
import { pieces } from '../../copy/copy.ts'
import { type Answering, defineScreen, type Examples } from '../../core/screen.ts'
import { CodeInput } from '../../ui/code-input/code-input.tsx'
import { Hero } from '../../ui/hero.tsx'
import { Circle } from '../../ui/hero-art.tsx'
import { mail, smartphone } from '../../ui/icons/lucide.ts'
import { Body, Footer } from '../../ui/layout.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { useElapsed } from '../../ui/use-elapsed.ts'
import { useWords } from '../../ui/words.tsx'

export interface EnterCodeProps {
  /** The address or number that the code went to. */
  to: string
  via: 'email' | 'sms'
  error?: string | undefined
  /** Milliseconds until another code may be asked for. */
  resendIn: number
  accepted?: boolean | undefined
}
export type EnterCodeAnswer = { code: string } | 'resend' | 'back'

/** Where a person types the six digits that we sent. Spec §4 "Login code screen". */
export const enterCode = defineScreen<EnterCodeProps, EnterCodeAnswer>('enter-code', {
  view: EnterCode,
  size: 'compact',
  back: true,
})

function EnterCode(props: EnterCodeProps & Answering<EnterCodeAnswer>) {
  const { to, via, error, resendIn, accepted, busy, answer } = props
  const t = useWords()
  const mayResend = useElapsed(resendIn, answer)
  const checking = typeof busy === 'object' ? busy : undefined
  return (
    <>
      <Body>
        <Hero art={<Circle icon={via === 'sms' ? smartphone : mail} />} title={t('login.code.title')}>
          {pieces(t('login.code.sentTo', { to: '{to}' })).map((piece) =>
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

const sent = { to: 'ada@harbor.example', via: 'email', resendIn: 0 } as const
export const examples = {
  empty: { props: sent },
  'resend waiting': { props: { ...sent, resendIn: 30_000 } },
  'wrong code': { props: { ...sent, error: 'Invalid or expired verification code' } },
  'other error': { props: { ...sent, error: 'Issue verifying code' } },
  checking: { props: sent, busy: { code: '491072' } },
  resending: { props: sent, busy: 'resend' },
  'going back': { props: sent, busy: 'back' },
  accepted: { props: { ...sent, accepted: true }, busy: { code: '491072' } },
  sms: { props: { to: '+49 1512 3456789', via: 'sms', resendIn: 30_000 } },
  'longest address': {
    props: {
      ...sent,
      to: 'maximiliane.von-und-zu-hohenfels+newsletter@kundenservice.energieversorgung-oberland.example',
      error:
        'Too many codes were requested for this address in a short time. Wait ten minutes, then ask for a new one.',
    },
  },
} satisfies Examples<typeof enterCode>
