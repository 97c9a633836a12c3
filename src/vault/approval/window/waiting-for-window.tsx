import { type Answering, defineScreen } from '../../../dialog/screen.ts'
import { AnswerButton } from '../../../ui/actions/button.tsx'
import { Spinner } from '../../../ui/feedback/spinner.tsx'
import { Hero } from '../../../ui/layout/hero.tsx'
import { Body, Footer } from '../../../ui/layout/layout.tsx'
import { useAnnounced } from '../../../ui/panel/use-announced.ts'
import { useWords } from '../../../ui/text/words.tsx'
import type { WindowAbout } from './about.ts'
import { AtStake } from './about-window.tsx'

export interface WaitingForWindowProps extends WindowAbout {
  /** `behind`: the browser has not shown the window when asked to. `finishing`: the vault does what can't be called off. */
  state: 'opening' | 'open' | 'behind' | 'finishing'
}
export type WaitingForWindowAnswer = 'show' | 'again' | 'cancel'

/** While a user decides in the vault's own window. */
export const waitingForWindow = defineScreen<WaitingForWindowProps, WaitingForWindowAnswer>(
  'waiting-for-window',
  {
    view: WaitingForWindow,
    size: 'compact',
    closable: ({ state }) => state !== 'finishing',
    opens: (answer) => answer === 'again',
  },
)

const texts = {
  opening: 'approval.waiting.text',
  open: 'approval.waiting.text',
  behind: 'approval.waiting.behind',
  finishing: 'approval.waiting.finishingText',
} as const

function WaitingForWindow({
  state,
  busy,
  answer,
  ...about
}: WaitingForWindowProps & Answering<WaitingForWindowAnswer>) {
  const t = useWords()
  const title =
    state === 'opening' || state === 'finishing'
      ? t(`approval.waiting.${state}`)
      : t(`approval.window.${about.purpose}.title`)
  const text = t(texts[state])
  useAnnounced(state === 'open' ? title : text)
  return (
    <>
      <Body>
        <Hero art={<Spinner size={40} />} title={title}>
          {text}
        </Hero>
        <AtStake {...about} />
      </Body>
      {state !== 'finishing' && (
        <Footer>
          <AnswerButton gives="show" busy={busy} answer={answer} kind="secondary">
            {t('approval.waiting.show')}
          </AnswerButton>
          <AnswerButton gives="again" busy={busy} answer={answer} kind="ghost" size="medium">
            {t('approval.waiting.again')}
          </AnswerButton>
          <AnswerButton gives="cancel" busy={busy} answer={answer} kind="ghost" size="medium">
            {t('common.cancel')}
          </AnswerButton>
        </Footer>
      )}
    </>
  )
}
