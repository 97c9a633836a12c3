import type { Examples } from '../../dialog/screen.ts'
import type { verifyPasskey } from './verify-passkey.tsx'

const failed = { state: 'failed', others: true, detail: 'Verification canceled' } as const

export const examples = {
  waiting: { props: { state: 'waiting', others: true } },
  'waiting, the only way': { props: { state: 'waiting', others: false } },
  declined: { props: failed },
  'declined, the only way': { props: { ...failed, others: false } },
  'too many attempts': {
    props: {
      ...failed,
      blocked: true,
      detail:
        'You have exceeded the maximum number of attempts. Please close this window and try again in 10 seconds.',
    },
  },
  retrying: { props: failed, busy: 'retry' },
  'another method': { props: failed, busy: 'other' },
  leaving: { props: failed, busy: 'not-now' },
} satisfies Examples<typeof verifyPasskey>
