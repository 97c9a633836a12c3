import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { AnswerButton } from '../../ui/actions/button.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Success } from '../../ui/feedback/success.tsx'
import { trash2 } from '../../ui/icons/lucide.ts'
import { Hero } from '../../ui/layout/hero.tsx'
import { Circle } from '../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { useAnnounced } from '../../ui/panel/use-announced.ts'
import { useWords } from '../../ui/text/words.tsx'
import type { MfaMethod } from '../methods.ts'

export interface RemoveMethodProps {
  method: MfaMethod
  /** Nothing else verifies the person. */
  last: boolean
  error?: string | undefined
  done?: boolean | undefined
}
export type RemoveMethodAnswer = 'remove' | 'cancel'

/** Asks whether a second factor is to be removed. */
export const removeMethod = defineScreen<RemoveMethodProps, RemoveMethodAnswer>('mfa-remove', {
  view: RemoveMethod,
  size: 'compact',
})

function RemoveMethod(props: RemoveMethodProps & Answering<RemoveMethodAnswer>) {
  const { method, last, error, done, busy, answer } = props
  const t = useWords()
  const problem = busy === undefined ? error : undefined
  useAnnounced(problem, 'alert')
  if (done) return <Success title={t('mfa.removed')} />
  return (
    <>
      <Body>
        <Hero art={<Circle icon={trash2} tone="warning" />} title={t(`mfa.remove.${method}.title`)}>
          {t(`mfa.remove.${method}.text`)}
        </Hero>
      </Body>
      <Footer>
        {problem ? (
          <Banner tone="danger">{problem}</Banner>
        ) : (
          last && <Banner tone="warning">{t('mfa.remove.last')}</Banner>
        )}
        <AnswerButton gives="cancel" busy={busy} answer={answer} kind="secondary">
          {t('common.cancel')}
        </AnswerButton>
        <AnswerButton
          gives="remove"
          busy={busy}
          answer={answer}
          kind="danger"
          icon={trash2}
          busyLabel={t('mfa.remove.busy')}
        >
          {t('mfa.remove.button')}
        </AnswerButton>
      </Footer>
    </>
  )
}
