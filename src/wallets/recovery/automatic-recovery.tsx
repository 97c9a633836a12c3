import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { AnswerButton } from '../../ui/actions/button.tsx'
import { shieldCheck } from '../../ui/icons/lucide.ts'
import { Hero } from '../../ui/layout/hero.tsx'
import { Circle, Outcome } from '../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { useAnnounced } from '../../ui/panel/use-announced.ts'
import { useWords } from '../../ui/text/words.tsx'

export interface AutomaticRecoveryProps {
  done?: boolean | undefined
  error?: { title: string; detail?: string | undefined } | undefined
}

export type AutomaticRecoveryAnswer = 'confirm' | 'retry'

/** Switches to automatic recovery, which needs nothing from the person. */
export const automaticRecovery = defineScreen<AutomaticRecoveryProps, AutomaticRecoveryAnswer>(
  'automatic-recovery',
  { view: AutomaticRecovery, size: 'compact' },
)

function AutomaticRecovery(props: AutomaticRecoveryProps & Answering<AutomaticRecoveryAnswer>) {
  const { done = false, error, busy, answer } = props
  const t = useWords()
  const success = done && t('recovery.automatic.done')
  useAnnounced(success)
  const next = error && !done ? 'retry' : 'confirm'
  return (
    <>
      <Body>
        {next === 'retry' ? (
          <Hero art={<Outcome is="failure" />} title={error?.title ?? t('error.generic.title')}>
            {error?.detail}
          </Hero>
        ) : (
          <Hero art={<Circle icon={shieldCheck} />} title={t('recovery.automatic.title')}>
            {t('recovery.automatic.text')}
          </Hero>
        )}
      </Body>
      <Footer>
        <AnswerButton gives={next} busy={busy} answer={answer} success={success}>
          {t(next === 'retry' ? 'common.retry' : 'recovery.automatic.confirm')}
        </AnswerButton>
      </Footer>
    </>
  )
}
