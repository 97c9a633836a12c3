import type { Examples } from '../dialog/screen.ts'
import type { MfaCodeProps, mfaCode } from './enter-code.tsx'

const totp: MfaCodeProps = { use: 'verify', via: 'totp', others: true }
const sms: MfaCodeProps = { use: 'verify', via: 'sms', others: true, resendIn: 30_000 }

export const examples = {
  'authenticator app': { props: totp },
  'authenticator app alone': { props: { ...totp, others: false } },
  'wrong code': { props: { ...totp, error: 'The code you entered is not valid' } },
  'too many attempts': {
    props: {
      ...totp,
      blocked:
        'You have exceeded the maximum number of attempts. Please close this window and try again in 10 seconds.',
    },
  },
  'out of time': {
    props: {
      ...sms,
      blocked: 'You have exceeded the time limit for code entry. Please try again in 30 seconds.',
    },
  },
  checking: { props: totp, busy: { code: '491072' } },
  'another method': { props: totp, busy: 'other' },
  leaving: { props: totp, busy: 'not-now' },
  sms: { props: sms },
  'sms, resend offered': { props: { ...sms, resendIn: 0 } },
  'sms, resending': { props: { ...sms, resendIn: 0 }, busy: 'resend' },
  'sms not sent': {
    props: {
      ...sms,
      resendIn: 0,
      error: 'The text message could not be sent. Check the number, then try again.',
    },
  },
  'enrolling an authenticator app': { props: { use: 'enroll', via: 'totp' } },
  'enrolling a number': { props: { use: 'enroll', via: 'sms', to: '+49 1512 3456789', resendIn: 30_000 } },
  'enrolling, wrong': {
    props: { use: 'enroll', via: 'totp', error: 'The code you entered is not valid' },
  },
  'going back': { props: { use: 'enroll', via: 'totp' }, busy: 'back' },
} satisfies Examples<typeof mfaCode>
