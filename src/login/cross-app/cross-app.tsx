import { defineScreen } from '../../dialog/screen.ts'
import {
  mayGoBack,
  type ProviderAnswer,
  ProviderLogin,
  type ProviderLoginProps,
} from '../../ui/feedback/provider-login.tsx'

export type CrossAppProps = Omit<ProviderLoginProps, 'inWindow'>

export type CrossAppAnswer = ProviderAnswer

/** Logging in with another app's account, always in a separate window. */
export const crossApp = defineScreen<CrossAppProps, CrossAppAnswer>('cross-app', {
  view: ProviderLogin,
  size: 'compact',
  back: mayGoBack,
  opens: (answer) => answer !== 'back',
})
