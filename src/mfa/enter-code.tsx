import { type Answering, defineScreen } from '../dialog/screen.ts'
import { LinkButton } from '../ui/actions/link-button.tsx'
import { CodeInput } from '../ui/fields/code-input/code-input.tsx'
import { ResendLine } from '../ui/fields/code-input/resend-line.tsx'
import { FooterLine } from '../ui/layout/footer-line.tsx'
import { Hero } from '../ui/layout/hero.tsx'
import { Circle } from '../ui/layout/hero-art.tsx'
import { Body, Footer } from '../ui/layout/layout.tsx'
import { SentTo } from '../ui/text/sent-to.tsx'
import { useWords } from '../ui/text/words.tsx'
import { mfaLimits } from './limits.ts'
import { methodIcons } from './method-icon.tsx'
import { NotNow } from './not-now.tsx'

export interface MfaCodeProps {
  /** A code proves that a factor works which is being enrolled, or that the person is who they are. */
  use: 'enroll' | 'verify'
  via: 'totp' | 'sms'
  /** The number that a code went to, where the person has just given it. */
  to?: string | undefined
  error?: string | undefined
  /** Why no more codes are taken. */
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
  const checking = typeof busy === 'object' ? busy : undefined
  const off = busy !== undefined
  return (
    <>
      <Body step={use === 'enroll' ? [2, mfaLimits.codeSteps] : undefined}>
        <Hero art={<Circle icon={methodIcons[via]} />} title={t(`mfa.code.${via}Title`)}>
          {via === 'sms' && to ? (
            <SentTo text={t('mfa.code.smsTo', { to: '{to}' })} to={to} />
          ) : (
            t(`mfa.code.${via}Text`)
          )}
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
          <ResendLine
            resendIn={resendIn}
            asked={answer}
            disabled={off}
            busy={busy === 'resend'}
            onResend={() => answer('resend')}
          />
        )}
        {others && (
          <FooterLine>
            <LinkButton disabled={off || !!blocked} busy={busy === 'other'} onClick={() => answer('other')}>
              {t('mfa.code.other')}
            </LinkButton>
          </FooterLine>
        )}
        {use === 'verify' && <NotNow busy={busy} answer={answer} />}
      </Footer>
    </>
  )
}
