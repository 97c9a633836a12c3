import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { Button } from '../../ui/actions/button.tsx'
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
  const off = busy !== undefined
  return (
    <>
      <Body>
        <Hero art={<Circle icon={shieldCheck} />} title={t('mfa.intro.title')}>
          {t('mfa.intro.text')}
        </Hero>
      </Body>
      <Footer>
        <Button busy={busy === 'continue'} disabled={off} onClick={() => answer('continue')}>
          {t('common.continue')}
        </Button>
        <Button kind="secondary" busy={busy === 'not-now'} disabled={off} onClick={() => answer('not-now')}>
          {t('mfa.notNow')}
        </Button>
      </Footer>
    </>
  )
}
