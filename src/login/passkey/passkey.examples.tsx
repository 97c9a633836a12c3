import type { Examples } from '../../dialog/screen.ts'
import type { passkey } from './passkey.tsx'

const login = { doing: 'login', signUp: false } as const

const signup = { doing: 'signup', signUp: true } as const

const link = { doing: 'link', signUp: false } as const

const rejected = {
  state: 'failed',
  title: 'Something went wrong',
  detail: 'Passkey request timed out or rejected by user.',
  retryable: true,
} as const

export const examples = {
  waiting: { props: { ...login, state: 'waiting' } },
  'waiting, sign-up offered': { props: { ...login, signUp: true, state: 'waiting' } },
  'signing up': { props: { ...signup, state: 'waiting' } },
  done: { props: { ...login, state: 'done' } },
  'signed up': { props: { ...signup, state: 'done' } },
  rejected: { props: { ...login, ...rejected } },
  'rejected, sign-up offered': { props: { ...login, ...rejected, signUp: true } },
  'sign-up rejected': { props: { ...signup, ...rejected } },
  linking: { props: { ...link, state: 'waiting' } },
  linked: { props: { ...link, state: 'done' } },
  'link rejected': { props: { ...link, ...rejected } },
  'no more to link': {
    props: { ...link, ...rejected, detail: 'Cannot link more passkeys to account.', retryable: false },
  },
  retrying: { props: { ...login, ...rejected, signUp: true }, busy: 'retry' },
  'going to sign up': { props: { ...login, ...rejected, signUp: true }, busy: 'signup' },
  'going back': { props: { ...login, ...rejected }, busy: 'back' },
  unknown: { props: { ...login, ...rejected, detail: 'Unknown error occurred.' } },
  unsupported: {
    props: { ...login, ...rejected, detail: 'WebAuthn is not supported in this browser', retryable: false },
  },
} satisfies Examples<typeof passkey>
