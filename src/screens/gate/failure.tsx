import { type Answering, defineScreen, type Examples } from '../../core/screen.ts'
import { Notice } from '../../ui/notice.tsx'
import { useWords } from '../../ui/words.tsx'

export interface FailureProps {
  title: string
  detail?: string | undefined
  action: 'retry' | 'close'
  /** The person may go back to where they came from. */
  back?: boolean | undefined
}
export type FailureAnswer = 'retry' | 'close' | 'back'

/** What went wrong, and the way on. Spec §8 "Error screen mapping". */
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

const generic = { title: 'Something went wrong', detail: 'Try again later' }
export const examples = {
  retry: {
    props: { title: 'Timed out', detail: 'The server took too long to answer.', action: 'retry', back: true },
  },
  close: { props: { ...generic, action: 'close' } },
  retrying: { props: { ...generic, action: 'retry', back: true }, busy: 'retry' },
  closing: { props: { ...generic, action: 'close' }, busy: 'close' },
  'going back': { props: { ...generic, action: 'retry', back: true }, busy: 'back' },
  'title alone': { props: { title: 'Insufficient balance', action: 'close', back: true } },
  'longest server text': {
    props: {
      title: 'Authentication failed',
      detail:
        'The request for this account was refused by the identity service of the organisation that manages it: policy 7f3a-11c9 does not allow sign-ins from networks outside of the European Economic Area at this time of the day. Ask the administrator of your organisation to lift the restriction, then try it again.',
      action: 'retry',
      back: true,
    },
  },
} satisfies Examples<typeof failure>
