import { useState } from 'react'
import { type Answering, defineScreen } from '../../../dialog/screen.ts'
import { AnswerButton, Button } from '../../../ui/actions/button.tsx'
import { CheckBox } from '../../../ui/fields/check-box.tsx'
import { triangleAlert } from '../../../ui/icons/notices.ts'
import { Hero } from '../../../ui/layout/hero.tsx'
import { Circle } from '../../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../../ui/layout/layout.tsx'
import { useWords } from '../../../ui/text/words.tsx'
import { walletsLimits } from '../../limits.ts'

export interface FinishPasswordProps {
  /** The person has started this, and may still leave it. */
  cancellable: boolean
}

export type FinishPasswordAnswer = 'set' | 'back' | 'cancel'

/** The last step of setting a password: a warning that nobody else has it. */
export const finishPassword = defineScreen<FinishPasswordProps, FinishPasswordAnswer>('finish-password', {
  view: FinishPassword,
  size: 'compact',
  back: true,
  closable: ({ cancellable }) => cancellable,
})

function FinishPassword({
  cancellable,
  busy,
  answer,
}: FinishPasswordProps & Answering<FinishPasswordAnswer>) {
  const t = useWords()
  const [understood, setUnderstood] = useState(busy === 'set')
  return (
    <>
      <Body step={[4, walletsLimits.passwordSteps]}>
        <Hero art={<Circle icon={triangleAlert} tone="warning" />} title={t('password.finish.title')}>
          {t('password.finish.text')}
        </Hero>
        <CheckBox checked={understood} busy={busy !== undefined} onChange={setUnderstood}>
          {t('password.finish.understood')}
        </CheckBox>
      </Body>
      <Footer>
        <Button
          busy={busy === 'set'}
          busyLabel={t('password.finish.busy')}
          disabled={busy !== undefined || !understood}
          onClick={() => answer('set')}
        >
          {t('password.finish.set')}
        </Button>
        {cancellable && (
          <AnswerButton gives="cancel" busy={busy} answer={answer} kind="ghost" size="medium">
            {t('common.cancel')}
          </AnswerButton>
        )}
      </Footer>
    </>
  )
}
