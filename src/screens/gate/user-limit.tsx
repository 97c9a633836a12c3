import { type Answering, defineScreen, type Examples } from '../../core/screen.ts'
import { usersRound } from '../../ui/icons/lucide.ts'
import { Notice } from '../../ui/notice.tsx'
import { useWords } from '../../ui/words.tsx'

/** The app takes no new people now. Spec §2 "User limit". */
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

export const examples = {
  rest: { props: {} },
  busy: { props: {}, busy: 'again' },
} satisfies Examples<typeof userLimitReached>
