import type { Examples } from '../../dialog/screen.ts'
import type { enterRecoveryCode } from './enter-recovery-code.tsx'

export const examples = {
  empty: { props: {} },
  wrong: { props: { error: 'The code you entered is not valid' } },
  'too many attempts': {
    props: {
      blocked:
        'You have exceeded the maximum number of attempts. Please close this window and try again in 10 seconds.',
    },
  },
  checking: { props: {}, busy: { code: '7k2mp-x9f4q' } },
  leaving: { props: {}, busy: 'not-now' },
  'going back': { props: {}, busy: 'back' },
} satisfies Examples<typeof enterRecoveryCode>
