import type { Examples } from '../../dialog/screen.ts'
import type { AwaitingOAuthProps, awaitingOAuth } from './awaiting-oauth.tsx'

const google: AwaitingOAuthProps = { phase: 'leaving', name: 'Google', icon: 'google' }

const denied: AwaitingOAuthProps = {
  ...google,
  phase: 'failed',
  failure: {
    title: 'Authentication failed',
    detail: 'Retry and check Google to finish connecting your account.',
    retryable: true,
  },
}

export const examples = {
  leaving: { props: google },
  'in a window': { props: { ...google, phase: 'window', inWindow: true } },
  verifying: { props: { ...google, phase: 'verifying' } },
  'verifying, Spotify': { props: { phase: 'verifying', name: 'Spotify', icon: 'spotify' } },
  done: { props: { ...google, phase: 'done' } },
  'asking for another press': { props: { ...google, phase: 'ready', inWindow: true } },
  'window blocked': { props: { ...google, phase: 'blocked', inWindow: true } },
  'opening the window': { props: { ...google, phase: 'blocked', inWindow: true }, busy: 'open' },
  denied: { props: denied },
  retrying: { props: denied, busy: 'retry' },
  'going back': { props: denied, busy: 'back' },
  suspended: {
    props: {
      phase: 'failed',
      name: 'LinkedIn',
      icon: 'linkedin',
      failure: {
        title: 'Authentication failed',
        detail: 'Your LinkedIn account is suspended. Please try another login method.',
        retryable: false,
      },
    },
  },
  'phishing suspected': {
    props: {
      ...denied,
      failure: {
        title: 'Authentication failed',
        detail: 'Unexpected auth flow. This may be a phishing attempt.',
        retryable: false,
      },
    },
  },
} satisfies Examples<typeof awaitingOAuth>
