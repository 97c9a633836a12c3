import { type Answering, defineScreen, type Examples } from '../../core/screen.ts'
import { Button } from '../../ui/button.tsx'
import { Hero } from '../../ui/hero.tsx'
import { Circle, Outcome } from '../../ui/hero-art.tsx'
import { shieldCheck } from '../../ui/icons/lucide.ts'
import { Body, Footer } from '../../ui/layout.tsx'
import { useAnnounced } from '../../ui/panel-context.tsx'
import { useWords } from '../../ui/words.tsx'

export interface AutomaticRecoveryProps {
  done?: boolean | undefined
  error?: { title: string; detail?: string | undefined } | undefined
}
export type AutomaticRecoveryAnswer = 'confirm' | 'retry'

/** A backup that the person need not think of. Spec §2 "Automatic recovery". */
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
        <Button
          busy={busy === next}
          disabled={busy !== undefined}
          success={success}
          onClick={() => answer(next)}
        >
          {t(next === 'retry' ? 'common.retry' : 'recovery.automatic.confirm')}
        </Button>
      </Footer>
    </>
  )
}

const failed: AutomaticRecoveryProps = {
  error: { title: 'Something went wrong', detail: 'Unable to set recovery on wallet' },
}
export const examples = {
  rest: { props: {} },
  working: { props: {}, busy: 'confirm' },
  done: { props: { done: true } },
  failed: { props: failed },
  'title alone': { props: { error: { title: 'Something went wrong' } } },
  retrying: { props: failed, busy: 'retry' },
} satisfies Examples<typeof automaticRecovery>
