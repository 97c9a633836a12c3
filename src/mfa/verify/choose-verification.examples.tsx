import type { Examples } from '../../dialog/screen.ts'
import type { ChooseVerificationProps, chooseVerification } from './choose-verification.tsx'

const all: ChooseVerificationProps = { verifications: ['totp', 'sms', 'passkey', 'recovery'] }

export const examples = {
  all: { props: all },
  two: { props: { verifications: ['passkey', 'recovery'] } },
  'too many attempts': {
    props: {
      ...all,
      blocked:
        'You have exceeded the maximum number of attempts. Please close this window and try again in 10 seconds.',
    },
  },
  choosing: { props: all, busy: { verify: 'sms' } },
  leaving: { props: all, busy: 'not-now' },
} satisfies Examples<typeof chooseVerification>
