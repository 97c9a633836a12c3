import type { ReactNode } from 'react'
import { Button } from '../actions/button.tsx'
import { MethodIcon } from '../brand/method-icon.tsx'
import { userRound } from '../icons/lucide.ts'
import { Hero } from '../layout/hero.tsx'
import { Circle, Outcome } from '../layout/hero-art.tsx'
import { Body, Footer } from '../layout/layout.tsx'
import { useWords } from '../text/words.tsx'
import { Success } from './success.tsx'
import { Waiting } from './waiting.tsx'

/** How far a login at a provider is. */
export type ProviderPhase = 'leaving' | 'ready' | 'window' | 'verifying' | 'done' | 'blocked' | 'failed'
export interface ProviderLoginProps {
  phase: ProviderPhase
  /** The provider's display name. */
  name: string
  /** Its icon: a provider's name, or an image. */
  icon?: string | undefined
  /** What went wrong, in the phase 'failed'. */
  failure?: { title: string; detail: string; retryable: boolean } | undefined
  /** The provider has a window of its own: another try opens one. */
  inWindow?: boolean | undefined
}
export type ProviderAnswer = 'retry' | 'open' | 'back'

/** Whether the person may go back here: not when they are logged in already. */
export const mayGoBack = ({ phase }: ProviderLoginProps) => phase !== 'done'

interface ViewProps extends ProviderLoginProps {
  busy: ProviderAnswer | undefined
  answer(answer: ProviderAnswer): void
}

/** Waiting for a person who is at a provider, and how it ended. */
export function ProviderLogin({ phase, name, icon, failure, busy, answer }: ViewProps): ReactNode {
  const t = useWords()
  const provider = { provider: name }
  const picture = <MethodIcon icon={icon} label={name} size={28} />
  const done = phase === 'done' && t('oauth.done.title', provider)
  if (phase === 'leaving' || phase === 'window' || phase === 'verifying')
    return (
      <Body>
        <Waiting
          key={phase}
          icons={[userRound, picture]}
          title={t(`oauth.${phase}.title`, provider)}
          slow={t(`oauth.${phase}.slow`)}
        >
          {phase === 'leaving' ? t('oauth.leaving.text', provider) : t(`oauth.${phase}.text`)}
        </Waiting>
      </Body>
    )
  if (done) return <Success title={done} />
  const pressing = phase === 'blocked' || phase === 'ready'
  const next: ProviderAnswer = pressing ? 'open' : failure?.retryable ? 'retry' : 'back'
  const labels = {
    open: () => t('oauth.ready.open', provider),
    retry: () => t('common.retry'),
    back: () => t('oauth.otherWay'),
  }
  return (
    <>
      <Body>
        <Hero
          art={pressing ? <Circle icon={picture} /> : <Outcome is="failure" />}
          title={pressing ? t(`oauth.${phase}.title`, provider) : (failure?.title ?? t('error.oauth.title'))}
        >
          {pressing ? t(`oauth.${phase}.text`, provider) : failure?.detail}
        </Hero>
      </Body>
      <Footer>
        <Button busy={busy === next} disabled={busy !== undefined} onClick={() => answer(next)}>
          {labels[next]()}
        </Button>
      </Footer>
    </>
  )
}
