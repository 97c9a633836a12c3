import type { ReactNode } from 'react'
import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { MethodIcon } from '../../ui/brand/method-icon.tsx'
import { PopupFailed, type PopupFailure, PopupPress, PopupWait } from '../../ui/feedback/popup-step.tsx'
import { wallet } from '../../ui/icons/landing.ts'
import { useWords } from '../../ui/text/words.tsx'

export interface AppRequestProps {
  /** `ready` and `blocked`: another press opens the window. */
  phase: 'window' | 'ready' | 'blocked' | 'failed'
  /** Name of the app whose wallet is asked. */
  name: string
  /** Address of its icon. */
  icon?: string | undefined
  /** The failure, in the phase 'failed'. */
  failure?: PopupFailure | undefined
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
      <PopupWait
        icons={[wallet, picture]}
        title={t('crossApp.window.title', app)}
        text={t('crossApp.window.text')}
        slow={t('crossApp.window.slow')}
      />
    )
  const given = { busy, answer }
  if (phase === 'failed')
    return (
      <PopupFailed
        {...given}
        failure={failure}
        title={t('error.crossApp.request')}
        next="close"
        label={t('common.close')}
      />
    )
  return (
    <PopupPress
      {...given}
      picture={picture}
      title={t(`crossApp.${phase}.title`, app)}
      text={t(`crossApp.${phase}.text`, app)}
      next="open"
      label={t('crossApp.ready.open', app)}
    />
  )
}
