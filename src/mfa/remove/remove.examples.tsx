import type { Examples } from '../../dialog/screen.ts'
import type { removeMethod } from './remove.tsx'

export const examples = {
  'authenticator app': { props: { method: 'totp', last: true } },
  SMS: { props: { method: 'sms', last: false } },
  passkeys: { props: { method: 'passkey', last: false } },
  failed: { props: { method: 'totp', last: true, error: 'Something went wrong.' } },
  removing: { props: { method: 'totp', last: true }, busy: 'remove' },
  leaving: { props: { method: 'sms', last: false }, busy: 'cancel' },
  removed: { props: { method: 'sms', last: false, done: true } },
} satisfies Examples<typeof removeMethod>
