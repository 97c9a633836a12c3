import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { Notice } from '../../ui/feedback/notice.tsx'
import { usersRound } from '../../ui/icons/lucide.ts'
import { useWords } from '../../ui/text/words.tsx'
import type { GateAnswer } from './gate-answer.ts'

/** The app currently takes no new users. */
export const userLimitReached = defineScreen<object, GateAnswer>('user-limit', {
  view: UserLimit,
  size: 'compact',
  back: true,
})

function UserLimit({ busy, answer }: Answering<GateAnswer>) {
  const t = useWords()
  return (
    <Notice
      icon={usersRound}
      title={t('gate.userLimit.title')}
      detail={t('gate.userLimit.detail')}
      action={t('gate.userLimit.button')}
      busy={busy === 'again'}
      disabled={busy !== undefined}
      onAction={() => answer('again')}
    />
  )
}
