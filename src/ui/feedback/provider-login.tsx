import type { ReactNode } from 'react'
import { MethodIcon } from '../brand/method-icon.tsx'
import { userRound } from '../icons/lucide.ts'
import { useWords } from '../text/words.tsx'
import { PopupFailed, type PopupFailure, PopupPress, PopupWait } from './popup-step.tsx'
import { Success } from './success.tsx'

/** How far a login at a provider is. */
export type ProviderPhase = 'leaving' | 'ready' | 'window' | 'verifying' | 'done' | 'blocked' | 'failed'
export interface ProviderLoginProps {
  phase: ProviderPhase
  /** The provider's display name. */
  name: string
  /** Its icon: a provider's name, or an image. */
  icon?: string | undefined
  /** The failure, in the phase 'failed'. */
  failure?: PopupFailure | undefined
  /** The provider has a window of its own: another try opens one. */
  inWindow?: boolean | undefined
}
export type ProviderAnswer = 'retry' | 'open' | 'back'

/** Whether the user may go back: not when they are logged in already. */
export const mayGoBack = ({ phase }: ProviderLoginProps) => phase !== 'done'

interface ViewProps extends ProviderLoginProps {
  busy: ProviderAnswer | undefined
  answer(answer: ProviderAnswer): void
}

/** Waiting for a user who is at a provider, and how it ended. */
export function ProviderLogin({ phase, name, icon, failure, busy, answer }: ViewProps): ReactNode {
  const t = useWords()
  const provider = { provider: name }
  const picture = <MethodIcon icon={icon} label={name} size={28} />
  if (phase === 'leaving' || phase === 'window' || phase === 'verifying')
    return (
      <PopupWait
        icons={[userRound, picture]}
        title={t(`oauth.${phase}.title`, provider)}
        text={phase === 'leaving' ? t('oauth.leaving.text', provider) : t(`oauth.${phase}.text`)}
        slow={t(`oauth.${phase}.slow`)}
      />
    )
  if (phase === 'done') return <Success title={t('oauth.done.title', provider)} />
  const given = { busy, answer }
  if (phase === 'failed')
    return (
      <PopupFailed
        {...given}
        failure={failure}
        title={t('error.oauth.title')}
        next="back"
        label={t('oauth.otherWay')}
      />
    )
  return (
    <PopupPress
      {...given}
      picture={picture}
      title={t(`oauth.${phase}.title`, provider)}
      text={t(`oauth.${phase}.text`, provider)}
      next="open"
      label={t('oauth.ready.open', provider)}
    />
  )
}
