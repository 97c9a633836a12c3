import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { Notice } from '../../ui/feedback/notice.tsx'
import { useWords } from '../../ui/text/words.tsx'

export interface FailureProps {
  title: string
  detail?: string | undefined
  action: 'retry' | 'close'
  /** The person may go back to where they came from. */
  back?: boolean | undefined
}

export type FailureAnswer = 'retry' | 'close' | 'back'

/** What went wrong, and what to do next. */
export const failure = defineScreen<FailureProps, FailureAnswer>('failure', {
  view: Failure,
  size: 'compact',
  back: ({ back = false }) => back,
})

function Failure({ title, detail, action, busy, answer }: FailureProps & Answering<FailureAnswer>) {
  const t = useWords()
  return (
    <Notice
      title={title}
      detail={detail}
      action={action === 'retry' ? t('common.retry') : t('common.close')}
      busy={busy === action}
      disabled={busy !== undefined}
      onAction={() => answer(action)}
    />
  )
}
