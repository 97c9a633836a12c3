import type { Examples } from '../../dialog/screen.ts'
import { type awaitingFarcaster, logoUrl } from './farcaster.tsx'

const asking = { uri: 'https://farcaster.xyz/~/siwf?channelToken=23W59BKK', mobile: false }

const failed = {
  state: 'failed',
  title: 'Connect failed',
  detail: 'Something went wrong. Please try again.',
  retryable: true,
} as const

const timedOut = { ...failed, title: 'Timed out', detail: 'The request timed out. Try again.' } as const

export const examples = {
  waiting: { props: { state: 'waiting', ...asking } },
  'with a logo': { props: { state: 'waiting', ...asking, logoUrl } },
  'going back': { props: { state: 'waiting', ...asking }, busy: 'back' },
  'longest address': {
    props: {
      state: 'waiting',
      ...asking,
      uri: `${asking.uri}&${'redirect=harbor.example%2Flogin&'.repeat(28)}`,
    },
  },
  'on a phone': { props: { state: 'waiting', ...asking, mobile: true } },
  checking: { props: { state: 'checking' } },
  done: { props: { state: 'done' } },
  'timed out': { props: { ...timedOut, expired: { ...asking, logoUrl } } },
  renewing: { props: { ...timedOut, expired: asking }, busy: 'retry' },
  'timed out on a phone': { props: { ...timedOut, expired: { ...asking, mobile: true } } },
  failed: { props: failed },
  retrying: { props: failed, busy: 'retry' },
  rejected: {
    props: {
      ...failed,
      title: 'Request rejected',
      detail: 'The request was rejected. Please try again.',
    },
  },
  'not allowed': {
    props: { ...failed, title: 'Not allowed', detail: 'Try another method', retryable: false },
  },
} satisfies Examples<typeof awaitingFarcaster>
