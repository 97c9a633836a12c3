import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { LazyPhoneField } from '../../ui/fields/phone-field/lazy.tsx'
import { Hero } from '../../ui/layout/hero.tsx'
import { Circle } from '../../ui/layout/hero-art.tsx'
import { Body, Footer, Note } from '../../ui/layout/layout.tsx'
import { useWords } from '../../ui/text/words.tsx'
import { mfaLimits } from '../limits.ts'
import { methodIcons } from '../method-icon.tsx'

export interface MfaPhoneProps {
  appName: string
  /** What was typed before, as it was sent. */
  value: string
  /** Whose numbers need no calling code. */
  country?: string | undefined
  error?: string | undefined
}
/** `shown`: the number as people write it. */
export type MfaPhoneAnswer = { phone: string; shown: string } | 'back'

/** The number that codes will go to. */
export const mfaPhone = defineScreen<MfaPhoneProps, MfaPhoneAnswer>('mfa-phone', {
  view: MfaPhone,
  size: 'compact',
  back: true,
})

function MfaPhone({
  appName,
  value,
  country,
  error,
  busy,
  answer,
}: MfaPhoneProps & Answering<MfaPhoneAnswer>) {
  const t = useWords()
  const sending = typeof busy === 'object' ? busy : undefined
  return (
    <>
      <Body step={[1, mfaLimits.codeSteps]}>
        <Hero art={<Circle icon={methodIcons.sms} />} title={t('mfa.phone.title')}>
          {t('mfa.phone.text')}
        </Hero>
        <LazyPhoneField
          alone
          value={sending?.phone ?? value}
          country={country}
          error={error}
          asked={answer}
          busy={sending !== undefined}
          inert={busy === 'back'}
          onSubmit={(phone, shown) => answer({ phone, shown })}
        />
      </Body>
      <Footer>
        <Note>{t('mfa.phone.consent', { app: appName })}</Note>
      </Footer>
    </>
  )
}
