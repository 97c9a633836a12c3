import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { AnswerButton } from '../../ui/actions/button.tsx'
import { shieldCheck } from '../../ui/icons/lucide.ts'
import { Hero } from '../../ui/layout/hero.tsx'
import { Circle } from '../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { useWords } from '../../ui/text/words.tsx'

export type MfaIntroAnswer = 'continue' | 'not-now'

/** Says what a second factor is for, to somebody who has none. */
export const mfaIntro = defineScreen<object, MfaIntroAnswer>('mfa-intro', { view: Intro, size: 'compact' })

function Intro({ busy, answer }: Answering<MfaIntroAnswer>) {
  const t = useWords()
  return (
    <>
      <Body>
        <Hero art={<Circle icon={shieldCheck} />} title={t('mfa.intro.title')}>
          {t('mfa.intro.text')}
        </Hero>
      </Body>
      <Footer>
        <AnswerButton gives="continue" busy={busy} answer={answer}>
          {t('common.continue')}
        </AnswerButton>
        <AnswerButton gives="not-now" busy={busy} answer={answer} kind="secondary">
          {t('mfa.notNow')}
        </AnswerButton>
      </Footer>
    </>
  )
}
