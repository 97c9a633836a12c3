import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { Notice } from '../../ui/feedback/notice.tsx'
import { lockKeyhole } from '../../ui/icons/lucide.ts'
import { useWords } from '../../ui/text/words.tsx'
import type { GateAnswer } from './gate-answer.ts'

export interface AllowlistProps {
  title?: string | undefined
  detail?: string | undefined
  buttonText?: string | undefined
  /** Makes the button a link to it. */
  link?: string | undefined
}

/** The person is not on the app's allowlist. The app's own words replace ours. */
export const allowlistRejected = defineScreen<AllowlistProps, GateAnswer>('allowlist', {
  view: Allowlist,
  size: 'compact',
  back: true,
})

function Allowlist({
  title,
  detail,
  buttonText,
  link,
  busy,
  answer,
}: AllowlistProps & Answering<GateAnswer>) {
  const t = useWords()
  return (
    <Notice
      icon={lockKeyhole}
      title={title ?? t('gate.allowlist.title')}
      detail={detail ?? t('gate.allowlist.detail')}
      action={buttonText ?? t('gate.allowlist.button')}
      href={link}
      busy={busy === 'again'}
      disabled={busy !== undefined}
      onAction={() => answer('again')}
    />
  )
}
