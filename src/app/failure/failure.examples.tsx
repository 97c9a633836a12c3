import type { Examples } from '../../dialog/screen.ts'
import type { failure } from './failure.tsx'

const generic = { title: 'Something went wrong', detail: 'Try again later' }

export const examples = {
  retry: {
    props: {
      title: 'Timed out',
      detail: 'The server took too long to respond.',
      action: 'retry',
      back: true,
    },
  },
  offline: {
    props: {
      title: 'You seem to be offline',
      detail: 'Check your connection and try again.',
      action: 'retry',
      back: true,
    },
  },
  'not loaded': {
    props: {
      title: "That didn't load",
      detail: 'Check your connection and try again. If it keeps failing, reload the page.',
      action: 'retry',
      back: true,
    },
  },
  close: { props: { ...generic, action: 'close' } },
  retrying: { props: { ...generic, action: 'retry', back: true }, busy: 'retry' },
  closing: { props: { ...generic, action: 'close' }, busy: 'close' },
  'going back': { props: { ...generic, action: 'retry', back: true }, busy: 'back' },
  'title alone': { props: { title: 'Insufficient balance', action: 'close', back: true } },
  'longest server text': {
    props: {
      title: 'Authentication failed',
      detail:
        'The request for this account was refused by the identity service of the organisation that manages it: policy 7f3a-11c9 does not allow sign-ins from networks outside of the European Economic Area at this time of the day. Ask the administrator of your organisation to lift the restriction, then try it again.',
      action: 'retry',
      back: true,
    },
  },
} satisfies Examples<typeof failure>
