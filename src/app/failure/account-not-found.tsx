import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { Notice } from '../../ui/feedback/notice.tsx'
import { userRound } from '../../ui/icons/lucide.ts'
import { useWords } from '../../ui/text/words.tsx'
import type { GateAnswer } from './gate-answer.ts'

/** Nobody has this account, and no new one can be created here. */
export const accountNotFound = defineScreen<object, GateAnswer>('account-not-found', {
  view: AccountNotFound,
  size: 'compact',
  back: true,
})

function AccountNotFound({ busy, answer }: Answering<GateAnswer>) {
  const t = useWords()
  return (
    <Notice
      icon={userRound}
      title={t('gate.notFound.title')}
      detail={t('gate.notFound.detail')}
      action={t('gate.notFound.button')}
      busy={busy === 'again'}
      disabled={busy !== undefined}
      onAction={() => answer('again')}
    />
  )
}
