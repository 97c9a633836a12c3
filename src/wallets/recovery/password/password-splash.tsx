import { type Answering, defineScreen } from '../../../dialog/screen.ts'
import { AnswerButton } from '../../../ui/actions/button.tsx'
import { lockKeyhole } from '../../../ui/icons/lucide.ts'
import { Hero } from '../../../ui/layout/hero.tsx'
import { Circle } from '../../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../../ui/layout/layout.tsx'
import { useWords } from '../../../ui/text/words.tsx'

export type PasswordSplashAnswer = 'add' | 'later'

/** Asks somebody whose wallet has no password whether to add one. */
export const passwordSplash = defineScreen<object, PasswordSplashAnswer>('password-splash', {
  view: PasswordSplash,
  size: 'compact',
})

function PasswordSplash({ busy, answer }: Answering<PasswordSplashAnswer>) {
  const t = useWords()
  return (
    <>
      <Body>
        <Hero art={<Circle icon={lockKeyhole} />} title={t('password.splash.title')}>
          {t('password.splash.text')}
        </Hero>
      </Body>
      <Footer>
        <AnswerButton gives="add" busy={busy} answer={answer}>
          {t('password.splash.add')}
        </AnswerButton>
        <AnswerButton gives="later" busy={busy} answer={answer} kind="secondary">
          {t('password.splash.later')}
        </AnswerButton>
      </Footer>
    </>
  )
}
