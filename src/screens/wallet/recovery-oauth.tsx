import { type Answering, defineScreen, type Examples } from '../../core/screen.ts'
import { Button } from '../../ui/button.tsx'
import { DriveMark } from '../../ui/drive-mark.tsx'
import { Hero } from '../../ui/hero.tsx'
import { Circle, Outcome } from '../../ui/hero-art.tsx'
import { userRound, wallet } from '../../ui/icons/lucide.ts'
import { Body, Footer } from '../../ui/layout.tsx'
import { useAnnounced } from '../../ui/panel-context.tsx'
import { Waiting } from '../../ui/waiting.tsx'
import { useWords } from '../../ui/words.tsx'

export interface RecoveryOAuthProps {
  provider: 'google-drive' | 'icloud'
  purpose: 'recover' | 'back-up'
  /** `window`: the drive's own page is open; `working`: the backup is read or written. */
  phase: 'confirm' | 'blocked' | 'window' | 'working' | 'done' | 'failed'
  /** What went wrong, of the phase 'failed'. */
  failure?: { title: string; detail?: string | undefined; retryable: boolean } | undefined
}
export type RecoveryOAuthAnswer = 'confirm' | 'retry' | 'back'

/** Where a person lets us at the backup on their drive. Spec §2 "Recovery OAuth". */
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
  const recovers = purpose === 'recover'
  const mark = <DriveMark drive={drive} size={28} />
  const done = phase === 'done' && t(recovers ? 'recovery.drive.recovered' : 'recovery.drive.backedUp')
  useAnnounced(done)
  if (done)
    return (
      <Body>
        <Hero art={<Outcome is="success" />} title={done} />
      </Body>
    )
  if (phase === 'window')
    return (
      <Body>
        <Waiting
          key={phase}
          icons={[userRound, mark]}
          title={t('recovery.drive.windowTitle', { provider })}
          slow={t('recovery.drive.windowSlow')}
        >
          {t('recovery.drive.windowText')}
        </Waiting>
      </Body>
    )
  if (phase === 'working')
    return (
      <Body>
        <Waiting
          key={phase}
          icons={recovers ? [mark, wallet] : [wallet, mark]}
          title={t(recovers ? 'recovery.drive.recovering' : 'recovery.drive.backingUp')}
          slow={t('recovery.drive.workingSlow')}
        >
          {t('recovery.drive.workingText')}
        </Waiting>
      </Body>
    )

  const next: RecoveryOAuthAnswer = phase !== 'failed' ? 'confirm' : failure?.retryable ? 'retry' : 'back'
  const labels = {
    confirm: () => t('recovery.drive.confirm', { provider }),
    retry: () => t('common.retry'),
    back: () => t('recovery.drive.otherWay'),
  }
  return (
    <>
      <Body>
        {phase === 'failed' ? (
          <Hero art={<Outcome is="failure" />} title={failure?.title ?? t('error.generic.title')}>
            {failure?.detail}
          </Hero>
        ) : phase === 'blocked' ? (
          <Hero art={<Circle icon={mark} />} title={t('recovery.drive.blockedTitle', { provider })}>
            {t('recovery.drive.blockedText', { provider })}
          </Hero>
        ) : (
          <Hero art={<Circle icon={mark} />} title={t('recovery.drive.title')}>
            {t(recovers ? 'recovery.drive.recoverText' : 'recovery.drive.backUpText', { provider })}
          </Hero>
        )}
      </Body>
      <Footer>
        <Button busy={busy === next} disabled={busy !== undefined} onClick={() => answer(next)}>
          {labels[next]()}
        </Button>
      </Footer>
    </>
  )
}

const google: RecoveryOAuthProps = { provider: 'google-drive', purpose: 'recover', phase: 'confirm' }
const icloud: RecoveryOAuthProps = { provider: 'icloud', purpose: 'back-up', phase: 'confirm' }
const failed: RecoveryOAuthProps = {
  ...google,
  phase: 'failed',
  failure: {
    title: 'Recovery with Google Drive unsuccessful',
    detail: 'Please verify that you are selecting the Google Drive account associated with your backup.',
    retryable: true,
  },
}
export const examples = {
  'recover, Google Drive': { props: google },
  'back up, Google Drive': { props: { ...google, purpose: 'back-up' } },
  'recover, iCloud': { props: { ...icloud, purpose: 'recover' } },
  'back up, iCloud': { props: icloud },
  'opening the window': { props: google, busy: 'confirm' },
  'window blocked': { props: { ...google, phase: 'blocked' } },
  'in a window': { props: { ...google, phase: 'window' } },
  'in a window, iCloud': { props: { ...icloud, phase: 'window' } },
  recovering: { props: { ...google, phase: 'working' } },
  'backing up': { props: { ...icloud, phase: 'working' } },
  recovered: { props: { ...google, phase: 'done' } },
  'backed up': { props: { ...icloud, phase: 'done' } },
  failed: { props: failed },
  retrying: { props: failed, busy: 'retry' },
  'going back': { props: failed, busy: 'back' },
  'back up failed': {
    props: {
      ...icloud,
      phase: 'failed',
      failure: {
        title: 'Back up with Apple iCloud unsuccessful',
        detail: 'This app does not offer that backup method.',
        retryable: false,
      },
    },
  },
} satisfies Examples<typeof recoveryOAuth>
