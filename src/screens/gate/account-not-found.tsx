import { type Answering, defineScreen, type Examples } from '../../core/screen.ts'
import { userRound } from '../../ui/icons/lucide.ts'
import { Notice } from '../../ui/notice.tsx'
import { useWords } from '../../ui/words.tsx'

/** Nobody has this account, and here none can be made. Spec §2 "Account not found". */
export const accountNotFound = defineScreen<object, 'again'>('account-not-found', {
  view: AccountNotFound,
  size: 'compact',
})

function AccountNotFound({ busy, answer }: Answering<'again'>) {
  const t = useWords()
  return (
    <Notice
      icon={userRound}
      title={t('gate.notFound.title')}
      detail={t('gate.notFound.detail')}
      action={t('gate.notFound.button')}
      busy={busy === 'again'}
      onAction={() => answer('again')}
    />
  )
}

export const examples = {
  rest: { props: {} },
  busy: { props: {}, busy: 'again' },
} satisfies Examples<typeof accountNotFound>
