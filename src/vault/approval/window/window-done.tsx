import { type Answering, defineScreen } from '../../../dialog/screen.ts'
import { AnswerButton } from '../../../ui/actions/button.tsx'
import { Success } from '../../../ui/feedback/success.tsx'
import { Footer } from '../../../ui/layout/layout.tsx'
import { useWords } from '../../../ui/text/words.tsx'
import type { WindowAbout } from './about.ts'

/** In the frame, once what the window was opened for has happened, and while the user may still read about it there. */
export const windowDone = defineScreen<WindowAbout, 'continue'>('window-done', {
  view: WindowDone,
  size: 'compact',
})

function WindowDone({ purpose, busy, answer }: WindowAbout & Answering<'continue'>) {
  const t = useWords()
  return (
    <>
      <Success title={t('approval.done.title')}>
        {t(`approval.window.${purpose}.done`)} {t('approval.done.text')}
      </Success>
      <Footer>
        <AnswerButton gives="continue" busy={busy} answer={answer}>
          {t('approval.done.continue')}
        </AnswerButton>
      </Footer>
    </>
  )
}
