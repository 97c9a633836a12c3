import type { Examples } from '../../dialog/screen.ts'
import type { mfaEnrolled } from './enrolled.tsx'

export const examples = {
  'authenticator app': { props: { method: 'totp', offersCodes: true } },
  SMS: { props: { method: 'sms', offersCodes: false } },
  passkeys: { props: { method: 'passkey', offersCodes: true } },
  'no codes': { props: { method: 'totp', offersCodes: true, error: 'Something went wrong.' } },
  'making codes': { props: { method: 'totp', offersCodes: true }, busy: 'codes' },
  ending: { props: { method: 'sms', offersCodes: false }, busy: 'done' },
} satisfies Examples<typeof mfaEnrolled>
