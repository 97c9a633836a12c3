import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { CodeInput } from '../../ui/fields/code-input/code-input.tsx'
import { ResendLine } from '../../ui/fields/code-input/resend-line.tsx'
import { mail, smartphone } from '../../ui/icons/landing.ts'
import { Hero } from '../../ui/layout/hero.tsx'
import { Circle } from '../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { SentTo } from '../../ui/text/sent-to.tsx'
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
  const checking = typeof busy === 'object' ? busy : undefined
  return (
    <>
      <Body>
        <Hero art={<Circle icon={via === 'sms' ? smartphone : mail} />} title={t(`${use}.code.title`)}>
          <SentTo text={t(`${use}.code.sentTo`, { to: '{to}' })} to={to} />
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
        <ResendLine
          resendIn={resendIn}
          asked={answer}
          disabled={busy !== undefined || accepted === true}
          busy={busy === 'resend'}
          onResend={() => answer('resend')}
        />
      </Footer>
    </>
  )
}
