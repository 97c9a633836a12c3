import { type Answering, defineScreen, type Examples } from '../../core/screen.ts'
import { Button } from '../../ui/button.tsx'
import { Hero } from '../../ui/hero.tsx'
import { Circle } from '../../ui/hero-art.tsx'
import { lockKeyhole } from '../../ui/icons/lucide.ts'
import { Body, Footer } from '../../ui/layout.tsx'
import { useWords } from '../../ui/words.tsx'

export type PasswordSplashAnswer = 'add' | 'later'

/** Asks somebody whose wallet has no password whether to add one. Spec §2 "Password update splash". */
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
        <Button busy={busy === 'add'} disabled={busy !== undefined} onClick={() => answer('add')}>
          {t('password.splash.add')}
        </Button>
        <Button
          kind="secondary"
          busy={busy === 'later'}
          disabled={busy !== undefined}
          onClick={() => answer('later')}
        >
          {t('password.splash.later')}
        </Button>
      </Footer>
    </>
  )
}

export const examples = {
  rest: { props: {} },
  adding: { props: {}, busy: 'add' },
  leaving: { props: {}, busy: 'later' },
} satisfies Examples<typeof passwordSplash>
