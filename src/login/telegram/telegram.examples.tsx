import type { Examples } from '../../dialog/screen.ts'
import { type telegram, title } from './telegram.tsx'

export const examples = {
  window: { props: { state: 'window' } },
  checking: { props: { state: 'checking' } },
  done: { props: { state: 'done' } },
  canceled: {
    props: {
      state: 'failed',
      title,
      retryable: true,
      asks: true,
      detail: 'Telegram auth failed or was canceled by the client',
    },
  },
  retrying: {
    props: {
      state: 'failed',
      title,
      detail: 'Something went wrong. Try again.',
      retryable: true,
      asks: true,
    },
    busy: 'retry',
  },
  'not allowed': {
    props: {
      state: 'failed',
      title,
      detail: 'Login with Telegram not allowed.',
      retryable: false,
      asks: false,
    },
  },
  'going back': {
    props: {
      state: 'failed',
      title,
      detail: 'Login with Telegram not allowed.',
      retryable: false,
      asks: false,
    },
    busy: 'back',
  },
} satisfies Examples<typeof telegram>
