import { AnswerButton } from '../ui/actions/button.tsx'
import { useWords } from '../ui/text/words.tsx'

/** How a person turns down being verified. @param busy the answer that is being worked on */
export function NotNow({ busy, answer }: { busy: unknown; answer: (given: 'not-now') => void }) {
  const t = useWords()
  return (
    <AnswerButton gives="not-now" busy={busy} answer={answer} kind="secondary">
      {t('mfa.notNow')}
    </AnswerButton>
  )
}
