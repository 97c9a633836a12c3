import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { Notice } from '../../ui/feedback/notice.tsx'
import { usersRound } from '../../ui/icons/lucide.ts'
import { useWords } from '../../ui/text/words.tsx'

/** The app currently takes no new users. */
export const userLimitReached = defineScreen<object, 'again'>('user-limit', {
  view: UserLimit,
  size: 'compact',
})

function UserLimit({ busy, answer }: Answering<'again'>) {
  const t = useWords()
  return (
    <Notice
      icon={usersRound}
      title={t('gate.userLimit.title')}
      detail={t('gate.userLimit.detail')}
      action={t('gate.userLimit.button')}
      busy={busy === 'again'}
      onAction={() => answer('again')}
    />
  )
}
