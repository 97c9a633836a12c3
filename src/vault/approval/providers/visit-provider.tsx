import type { ReactNode } from 'react'
import type { Translate } from '../../../copy/copy.ts'
import type { retryErrors } from '../../../copy/en/retry-errors.ts'
import { type Answering, defineScreen } from '../../../dialog/screen.ts'
import { AnswerButton } from '../../../ui/actions/button.tsx'
import { MethodIcon } from '../../../ui/brand/method-icon.tsx'
import { Waiting } from '../../../ui/feedback/waiting.tsx'
import { shieldCheck, userRound } from '../../../ui/icons/lucide.ts'
import { Hero } from '../../../ui/layout/hero.tsx'
import { Circle, Outcome } from '../../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../../ui/layout/layout.tsx'
import { useAnnounced } from '../../../ui/panel/use-announced.ts'
import { useWords } from '../../../ui/text/words.tsx'
import { DriveMark } from '../../../ui/wallet/drive-mark.tsx'
import { providerNames, type VisitedProvider } from '../../providers.ts'
import { openVisit, type VisitPlace } from './popup.ts'

export interface VisitProviderProps {
  provider: VisitedProvider
  purpose: 'enrol' | 'link' | 'recover' | 'back-up' | 'present'
  /** `closed`: the popup is closed, or can no longer be seen from here. `silent`: there was no answer in time. */
  phase: 'confirm' | 'blocked' | 'window' | 'closed' | 'silent' | 'denied' | 'other' | 'failed' | 'working'
  visit: VisitPlace
  /** What the user can do about a failure, where the provider had no part in it. */
  remedy?: keyof typeof retryErrors | undefined
  /** The account that is expected, shortened. */
  hint?: string | undefined
}
/** `blocked`: the browser has refused to open the popup. */
export type VisitProviderAnswer = 'open' | 'blocked' | 'back'

/** Leads to a provider's own page in a popup of the vault's window, and says how that goes. */
export const visitProvider = defineScreen<VisitProviderProps, VisitProviderAnswer>('visit-provider', {
  view: VisitProvider,
  size: 'compact',
  back: ({ phase }) => phase !== 'working',
  perform: (answer, { visit }) =>
    answer === 'open' ? Promise.resolve(openVisit(visit) ? answer : 'blocked') : undefined,
})

function VisitProvider(props: VisitProviderProps & Answering<VisitProviderAnswer>) {
  const { provider: id, phase, busy, answer } = props
  const t = useWords()
  const drive = asDrive(id)
  const provider = drive ? t(`recovery.${drive}`) : providerNames[id]
  const title = titleOf(t, props)
  const mark = markOf(id)
  const isWorking = phase === 'working'
  useAnnounced(failures.has(phase) && title, 'alert')
  return (
    <>
      <Body>
        {isWorking ? (
          <Waiting
            icons={[mark, shieldCheck]}
            title={t('visit.working', { provider })}
            slow={t('recovery.drive.workingSlow')}
          >
            {t('visit.workingText')}
          </Waiting>
        ) : phase === 'window' ? (
          <Waiting
            icons={[userRound, mark]}
            title={t('visit.title', { provider })}
            slow={t('visit.windowSlow')}
          >
            {t('visit.window', { provider })}
          </Waiting>
        ) : (
          <Hero art={failures.has(phase) ? <Outcome is="failure" /> : <Circle icon={mark} />} title={title}>
            <Explanation {...props} />
          </Hero>
        )}
      </Body>
      {!isWorking && (
        <Footer>
          <AnswerButton
            gives="open"
            busy={busy}
            answer={answer}
            kind={phase === 'window' ? 'secondary' : 'primary'}
          >
            {drive && failures.has(phase)
              ? t('common.retry')
              : t(phase !== 'confirm' ? 'visit.again' : drive ? 'recovery.drive.confirm' : 'visit.open', {
                  provider,
                })}
          </AnswerButton>
        </Footer>
      )}
    </>
  )
}

function Explanation({ provider: id, phase, purpose, hint, remedy }: VisitProviderProps): ReactNode {
  const t = useWords()
  const drive = asDrive(id)
  const provider = drive ? t(`recovery.${drive}`) : providerNames[id]
  if (phase === 'confirm' || phase === 'window' || phase === 'working')
    return purpose === 'enrol' && hint
      ? t('visit.enrolAs', { provider, hint })
      : t(`visit.${purpose}`, { provider })
  if (phase === 'failed' && remedy) return t(remedy)
  if (drive && phase === 'denied') return t('error.drive.declined', { provider })
  // Another account of the drive has no recovery file of this wallet either.
  if (drive && (phase === 'failed' || phase === 'other')) return t('error.drive.account', { provider })
  return t(`visit.${phase}.text`, { provider })
}

const failures: ReadonlySet<string> = new Set(['silent', 'denied', 'other', 'failed'])

const asDrive = (id: VisitedProvider) => (id === 'google-drive' || id === 'icloud' ? id : undefined)

function titleOf(t: Translate, { provider: id, purpose, phase }: VisitProviderProps): string {
  const drive = asDrive(id)
  const provider = drive ? t(`recovery.${drive}`) : providerNames[id]
  if (drive && phase === 'confirm') return t('recovery.drive.title')
  if (drive && purpose in driveFailures && failures.has(phase))
    return t(driveFailures[purpose as keyof typeof driveFailures], { provider })
  if (phase === 'confirm' || phase === 'window' || phase === 'working') return t('visit.title', { provider })
  return t(`visit.${phase}.title`, { provider })
}
const driveFailures = {
  recover: 'error.drive.recover',
  'back-up': 'error.drive.backUp',
  present: 'error.drive.present',
} as const

function markOf(id: VisitedProvider): ReactNode {
  const drive = asDrive(id)
  return drive ? (
    <DriveMark drive={drive} size={28} />
  ) : (
    <MethodIcon icon={id} label={providerNames[id]} size={28} />
  )
}
