import { type Answering, defineScreen } from '../../../dialog/screen.ts'
import { AnswerButton } from '../../../ui/actions/button.tsx'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { Body, Footer } from '../../../ui/layout/layout.tsx'
import { useAnnounced } from '../../../ui/panel/use-announced.ts'
import { useWords } from '../../../ui/text/words.tsx'
import type { WindowAbout } from './about.ts'
import { AboutWindow } from './about-window.tsx'

export interface ContinueInWindowProps extends WindowAbout {
  /** Why there is no window: the browser has refused it, the user has closed it, or it never loaded. */
  problem?: 'blocked' | 'closed' | 'late' | undefined
  /** There was a window before. */
  again: boolean
}
export type ContinueInWindowAnswer = 'open' | 'cancel' | 'back'

/** Leads to the vault's own window. */
export const continueInWindow = defineScreen<ContinueInWindowProps, ContinueInWindowAnswer>(
  'continue-in-window',
  {
    view: ContinueInWindow,
    size: 'compact',
    back: ({ canGoBack = false }) => canGoBack,
    opens: (answer) => answer === 'open',
  },
)

function ContinueInWindow({
  problem,
  again,
  busy,
  answer,
  ...about
}: ContinueInWindowProps & Answering<ContinueInWindowAnswer>) {
  const t = useWords()
  const told = problem && !busy ? t(`approval.window.${problem}`) : undefined
  useAnnounced(told, 'alert')
  return (
    <>
      <Body>
        <AboutWindow {...about} brief={told !== undefined} />
      </Body>
      <Footer>
        {told && <Banner tone={problem === 'closed' ? 'warning' : 'danger'}>{told}</Banner>}
        <AnswerButton gives="open" busy={busy} answer={answer}>
          {t(again ? 'approval.window.again' : 'approval.window.open')}
        </AnswerButton>
        <AnswerButton gives="cancel" busy={busy} answer={answer} kind="ghost" size="medium">
          {t('common.cancel')}
        </AnswerButton>
      </Footer>
    </>
  )
}
