import { type Answering, defineScreen } from '../../../dialog/screen.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { Success } from '../../../ui/feedback/success.tsx'
import { Waiting } from '../../../ui/feedback/waiting.tsx'
import { wallet } from '../../../ui/icons/landing.ts'
import { userRound } from '../../../ui/icons/lucide.ts'
import { Hero } from '../../../ui/layout/hero.tsx'
import { Circle, Outcome } from '../../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../../ui/layout/layout.tsx'
import { useWords } from '../../../ui/text/words.tsx'
import { DriveMark } from '../../../ui/wallet/drive-mark.tsx'

export interface RecoveryOAuthProps {
  provider: 'google-drive' | 'icloud'
  /** `present`: they show that the backup is theirs, which the server wants before a change, an export or the removal of a device. */
  purpose: 'recover' | 'back-up' | 'present'
  /** `window`: the drive's own page is open; `working`: the backup is read or written. */
  phase: 'confirm' | 'blocked' | 'window' | 'working' | 'done' | 'failed'
  /** What went wrong, in the phase 'failed'. */
  failure?: { title: string; detail?: string | undefined; retryable: boolean } | undefined
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
  const done = phase === 'done' && t(reads ? 'recovery.drive.recovered' : 'recovery.drive.backedUp')
  if (done) return <Success title={done} />
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
          icons={reads ? [mark, wallet] : [wallet, mark]}
          title={t(working[purpose])}
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
            {t(texts[purpose], { provider })}
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
