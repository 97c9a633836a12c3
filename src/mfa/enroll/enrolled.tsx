import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { AnswerButton } from '../../ui/actions/button.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Hero } from '../../ui/layout/hero.tsx'
import { Outcome } from '../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { useAnnounced } from '../../ui/panel/use-announced.ts'
import { useWords } from '../../ui/text/words.tsx'
import type { MfaMethod } from '../methods.ts'

export interface MfaEnrolledProps {
  method: MfaMethod
  /** The person has no recovery codes yet. */
  offersCodes: boolean
  error?: string | undefined
}
export type MfaEnrolledAnswer = 'codes' | 'done'

/** A factor is enrolled; whoever has just one is told of recovery codes. */
export const mfaEnrolled = defineScreen<MfaEnrolledProps, MfaEnrolledAnswer>('mfa-enrolled', {
  view: Enrolled,
  size: 'compact',
})

function Enrolled({
  method,
  offersCodes,
  error,
  busy,
  answer,
}: MfaEnrolledProps & Answering<MfaEnrolledAnswer>) {
  const t = useWords()
  const title = t(`mfa.enrolled.${method}`)
  const problem = busy === undefined ? error : undefined
  useAnnounced(problem ?? title, problem ? 'alert' : undefined)
  return (
    <>
      <Body>
        <Hero art={<Outcome is="success" />} title={title}>
          {t('mfa.enrolled.text')}
        </Hero>
      </Body>
      <Footer>
        {problem && <Banner tone="danger">{problem}</Banner>}
        {offersCodes && (
          <AnswerButton gives="codes" busy={busy} answer={answer}>
            {t('mfa.enrolled.codes')}
          </AnswerButton>
        )}
        <AnswerButton gives="done" busy={busy} answer={answer} kind={offersCodes ? 'secondary' : 'primary'}>
          {t('mfa.enrolled.done')}
        </AnswerButton>
      </Footer>
    </>
  )
}
