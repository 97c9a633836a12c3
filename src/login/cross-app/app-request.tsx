import type { ReactNode } from 'react'
import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { Button } from '../../ui/actions/button.tsx'
import { MethodIcon } from '../../ui/brand/method-icon.tsx'
import { Waiting } from '../../ui/feedback/waiting.tsx'
import { wallet } from '../../ui/icons/landing.ts'
import { Hero } from '../../ui/layout/hero.tsx'
import { Circle, Outcome } from '../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { useWords } from '../../ui/text/words.tsx'

export interface AppRequestProps {
  /** `ready` and `blocked`: another press opens the window. */
  phase: 'window' | 'ready' | 'blocked' | 'failed'
  /** Name of the app whose wallet is asked. */
  name: string
  /** Address of its icon. */
  icon?: string | undefined
  /** The failure, in the phase 'failed'. */
  failure?: { title: string; detail: string; retryable: boolean } | undefined
}

export type AppRequestAnswer = 'open' | 'retry' | 'close'

/** Waiting for a user who reviews a request in another app's window, and how that failed. */
export const appRequest = defineScreen<AppRequestProps, AppRequestAnswer>('cross-app-request', {
  view: AppRequest,
  size: 'compact',
  opens: (answer) => answer !== 'close',
})

function AppRequest(props: AppRequestProps & Answering<AppRequestAnswer>): ReactNode {
  const { phase, name, icon, failure, busy, answer } = props
  const t = useWords()
  const app = { app: name }
  const picture = <MethodIcon icon={icon} label={name} size={28} />
  if (phase === 'window')
    return (
      <Body>
        <Waiting
          icons={[wallet, picture]}
          title={t('crossApp.window.title', app)}
          slow={t('crossApp.window.slow')}
        >
          {t('crossApp.window.text')}
        </Waiting>
      </Body>
    )
  const isFailed = phase === 'failed'
  const next: AppRequestAnswer = isFailed ? (failure?.retryable ? 'retry' : 'close') : 'open'
  const labels = {
    open: () => t('crossApp.ready.open', app),
    retry: () => t('common.retry'),
    close: () => t('common.close'),
  }
  return (
    <>
      <Body>
        <Hero
          art={isFailed ? <Outcome is="failure" /> : <Circle icon={picture} />}
          title={
            isFailed ? (failure?.title ?? t('error.crossApp.request')) : t(`crossApp.${phase}.title`, app)
          }
        >
          {isFailed ? failure?.detail : t(`crossApp.${phase}.text`, app)}
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
