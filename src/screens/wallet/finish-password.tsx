import { useState } from 'react'
import { type Answering, defineScreen, type Examples } from '../../core/screen.ts'
import { Button } from '../../ui/button.tsx'
import { CheckBox } from '../../ui/check-box.tsx'
import { Hero } from '../../ui/hero.tsx'
import { Circle } from '../../ui/hero-art.tsx'
import { triangleAlert } from '../../ui/icons/lucide.ts'
import { Body, Footer } from '../../ui/layout.tsx'
import { useWords } from '../../ui/words.tsx'

export interface FinishPasswordProps {
  /** The person has begun this, and may still leave it. */
  cancellable: boolean
}
export type FinishPasswordAnswer = 'set' | 'back' | 'cancel'

/** The last word before a password is set: that nobody else has it. Spec §2 "Password flow", 4. */
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
      <Body>
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
          <Button
            kind="ghost"
            size="medium"
            busy={busy === 'cancel'}
            disabled={busy !== undefined}
            onClick={() => answer('cancel')}
          >
            {t('common.cancel')}
          </Button>
        )}
      </Footer>
    </>
  )
}

export const examples = {
  rest: { props: { cancellable: true } },
  'in the automatic flow': { props: { cancellable: false } },
  setting: { props: { cancellable: true }, busy: 'set' },
  cancelling: { props: { cancellable: true }, busy: 'cancel' },
  'going back': { props: { cancellable: true }, busy: 'back' },
} satisfies Examples<typeof finishPassword>
