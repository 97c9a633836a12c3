import { type Answering, defineScreen } from '../../../dialog/screen.ts'
import { PopupFailed, type PopupFailure, PopupPress, PopupWait } from '../../../ui/feedback/popup-step.tsx'
import { Success } from '../../../ui/feedback/success.tsx'
import { wallet } from '../../../ui/icons/landing.ts'
import { userRound } from '../../../ui/icons/lucide.ts'
import { useWords } from '../../../ui/text/words.tsx'
import { DriveMark } from '../../../ui/wallet/drive-mark.tsx'

export interface RecoveryOAuthProps {
  provider: 'google-drive' | 'icloud'
  /** `present`: they show that the backup is theirs, which the server wants before a change, an export or the removal of a device. */
  purpose: 'recover' | 'back-up' | 'present'
  /** `window`: the drive's own page is open; `working`: the backup is read or written. */
  phase: 'confirm' | 'blocked' | 'window' | 'working' | 'done' | 'failed'
  /** What went wrong, in the phase 'failed'. */
  failure?: PopupFailure | undefined
}

export type RecoveryOAuthAnswer = 'confirm' | 'retry' | 'back'

/** Where a person gives us access to the backup in their drive. */
export const recoveryOAuth = defineScreen<RecoveryOAuthProps, RecoveryOAuthAnswer>('recovery-oauth', {
  view: RecoveryOAuth,
  size: 'compact',
  back: ({ phase }) => phase !== 'working' && phase !== 'done',
  opens: (answer) => answer !== 'back',
})

function RecoveryOAuth(props: RecoveryOAuthProps & Answering<RecoveryOAuthAnswer>) {
  const { provider: drive, purpose, phase, failure, busy, answer } = props
  const t = useWords()
  const provider = t(`recovery.${drive}`)
  const reads = purpose !== 'back-up'
  const mark = <DriveMark drive={drive} size={28} />
  if (phase === 'done')
    return <Success title={t(reads ? 'recovery.drive.recovered' : 'recovery.drive.backedUp')} />
  if (phase === 'window')
    return (
      <PopupWait
        icons={[userRound, mark]}
        title={t('recovery.drive.windowTitle', { provider })}
        text={t('recovery.drive.windowText')}
        slow={t('recovery.drive.windowSlow')}
      />
    )
  if (phase === 'working')
    return (
      <PopupWait
        icons={reads ? [mark, wallet] : [wallet, mark]}
        title={t(working[purpose])}
        text={t('recovery.drive.workingText')}
        slow={t('recovery.drive.workingSlow')}
      />
    )
  const given = { busy, answer }
  if (phase === 'failed')
    return (
      <PopupFailed
        {...given}
        failure={failure}
        title={t('error.generic.title')}
        next="back"
        label={t('recovery.drive.otherWay')}
      />
    )
  const isBlocked = phase === 'blocked'
  return (
    <PopupPress
      {...given}
      picture={mark}
      title={isBlocked ? t('recovery.drive.blockedTitle', { provider }) : t('recovery.drive.title')}
      text={t(isBlocked ? 'recovery.drive.blockedText' : texts[purpose], { provider })}
      next="confirm"
      label={t('recovery.drive.confirm', { provider })}
    />
  )
}

const texts = {
  recover: 'recovery.drive.recoverText',
  'back-up': 'recovery.drive.backUpText',
  present: 'recovery.drive.presentText',
} as const
const working = {
  recover: 'recovery.drive.recovering',
  'back-up': 'recovery.drive.backingUp',
  present: 'recovery.drive.presenting',
} as const
