import type { CSSObject } from '@emotion/react'
import { color, isolated, text } from '../../styles/tokens.ts'
import { pieces } from '../copy/copy.ts'
import { type Answering, defineScreen } from '../dialog/screen.ts'
import { Button } from '../ui/actions/button.tsx'
import { LinkButton } from '../ui/actions/link-button.tsx'
import { useElapsed } from '../ui/feedback/use-elapsed.ts'
import { CodeInput } from '../ui/fields/code-input/code-input.tsx'
import { Hero } from '../ui/layout/hero.tsx'
import { Circle } from '../ui/layout/hero-art.tsx'
import { Body, Footer } from '../ui/layout/layout.tsx'
import { useWords } from '../ui/text/words.tsx'
import { methodIcons } from './method-icon.tsx'

export interface MfaCodeProps {
  /** A code proves that a factor works which is being enrolled, or that the person is who they are. */
  use: 'enroll' | 'verify'
  via: 'totp' | 'sms'
  /** The number that a code went to, where the person has just given it. */
  to?: string | undefined
  error?: string | undefined
  /** Why no code is taken any more. */
  blocked?: string | undefined
  /** Milliseconds until another text message may be asked for. */
  resendIn?: number | undefined
  /** There are other ways of being verified. */
  others?: boolean | undefined
}
export type MfaCodeAnswer = { code: string } | 'resend' | 'other' | 'not-now' | 'back'

/** The six digits of a second factor. */
export const mfaCode = defineScreen<MfaCodeProps, MfaCodeAnswer>('mfa-code', {
  view: MfaCode,
  size: 'compact',
  back: ({ use }) => use === 'enroll',
})

function MfaCode(props: MfaCodeProps & Answering<MfaCodeAnswer>) {
  const { use, via, to, error, blocked, resendIn = 0, others, busy, answer } = props
  const t = useWords()
  const mayResend = useElapsed(resendIn, answer)
  const checking = typeof busy === 'object' ? busy : undefined
  const off = busy !== undefined
  return (
    <>
      <Body>
        <Hero art={<Circle icon={methodIcons[via]} />} title={t(`mfa.code.${via}Title`)}>
          {via === 'sms' && to
            ? pieces(t('mfa.code.smsTo', { to: '{to}' })).map((piece) =>
                piece.name ? (
                  <bdi key="to" css={number}>
                    {to}
                  </bdi>
                ) : (
                  piece.text
                ),
              )
            : t(`mfa.code.${via}Text`)}
        </Hero>
        <CodeInput
          value={checking?.code}
          busy={checking !== undefined}
          inert={busy !== undefined && !checking}
          error={error}
          blocked={blocked}
          asked={answer}
          fromSms={via === 'sms'}
          rules={{ numeric: t('mfa.code.numeric'), complete: t('mfa.code.complete') }}
          onComplete={(code) => answer({ code })}
        />
      </Body>
      <Footer>
        {via === 'sms' && !blocked && (
          <p css={line}>
            {t('login.code.noCode')}
            <LinkButton
              disabled={!mayResend || off}
              busy={busy === 'resend'}
              onClick={() => answer('resend')}
            >
              {mayResend ? t('login.code.resend') : t('login.code.sent')}
            </LinkButton>
          </p>
        )}
        {others && (
          <p css={line}>
            <LinkButton disabled={off || !!blocked} busy={busy === 'other'} onClick={() => answer('other')}>
              {t('mfa.code.other')}
            </LinkButton>
          </p>
        )}
        {use === 'verify' && (
          <Button kind="secondary" busy={busy === 'not-now'} disabled={off} onClick={() => answer('not-now')}>
            {t('mfa.notNow')}
          </Button>
        )}
      </Footer>
    </>
  )
}

const number: CSSObject = { ...isolated, color: color('text'), fontWeight: 500 }
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
