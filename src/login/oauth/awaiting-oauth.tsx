import { defineScreen } from '../../dialog/screen.ts'
import {
  mayGoBack,
  type ProviderAnswer,
  ProviderLogin,
  type ProviderLoginProps,
} from '../../ui/feedback/provider-login.tsx'

export type AwaitingOAuthProps = ProviderLoginProps

export type AwaitingOAuthAnswer = ProviderAnswer

/** While a person is at a provider, and when they are back. */
export const awaitingOAuth = defineScreen<AwaitingOAuthProps, AwaitingOAuthAnswer>('awaiting-oauth', {
  view: ProviderLogin,
  size: 'compact',
  back: mayGoBack,
  opens: (answer, { inWindow = false }) => inWindow && answer !== 'back',
})
