import type { ReactNode } from 'react'
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
  const provider = providerNames[id]
  const mark = markOf(id)
  const isWorking = phase === 'working'
  useAnnounced(failures.has(phase) && t(titleOf(phase), { provider }), 'alert')
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
          <Hero
            art={failures.has(phase) ? <Outcome is="failure" /> : <Circle icon={mark} />}
            title={t(titleOf(phase), { provider })}
          >
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
            {t(phase === 'confirm' ? 'visit.open' : 'visit.again', { provider })}
          </AnswerButton>
        </Footer>
      )}
    </>
  )
}

function Explanation({ provider: id, phase, purpose, hint }: VisitProviderProps): ReactNode {
  const t = useWords()
  const provider = providerNames[id]
  if (phase === 'confirm' || phase === 'window' || phase === 'working')
    return purpose === 'enrol' && hint
      ? t('visit.enrolAs', { provider, hint })
      : t(`visit.${purpose}`, { provider })
  return t(`visit.${phase}.text`, { provider })
}

const failures: ReadonlySet<string> = new Set(['silent', 'denied', 'other', 'failed'])

const titleOf = (phase: VisitProviderProps['phase']) =>
  phase === 'confirm' || phase === 'window' || phase === 'working'
    ? 'visit.title'
    : (`visit.${phase}.title` as const)

const markOf = (id: VisitedProvider): ReactNode =>
  id === 'google-drive' || id === 'icloud' ? (
    <DriveMark drive={id} size={28} />
  ) : (
    <MethodIcon icon={id} label={providerNames[id]} size={28} />
  )
