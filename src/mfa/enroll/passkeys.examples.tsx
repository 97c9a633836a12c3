import type { Examples } from '../../dialog/screen.ts'
import type { mfaPasskeys } from './passkeys.tsx'

const all = [
  { id: '1', name: 'iCloud Keychain on Safari' },
  { id: '2', name: 'Chrome on Windows' },
  { id: '3', name: 'Unknown device' },
  { id: '4', name: 'Google Password Manager on Chrome' },
  { id: '5', name: 'Firefox on Linux' },
]

export const examples = {
  none: { props: { passkeys: [] } },
  one: { props: { passkeys: all.slice(0, 1) } },
  three: { props: { passkeys: all.slice(0, 3) } },
  'more than three': { props: { passkeys: all.slice(0, 4) } },
  'as many as there can be': { props: { passkeys: all } },
  "in the vault's window": { props: { passkeys: all.slice(0, 4), agreeing: true } },
  declined: { props: { passkeys: all.slice(0, 1), error: 'Verification canceled' } },
  'changed in another tab': {
    props: {
      passkeys: all.slice(0, 1),
      error: 'Your passkeys have changed in the meantime. Please try again.',
    },
  },
  enabling: { props: { passkeys: all.slice(0, 2) }, busy: 'enable' },
  adding: { props: { passkeys: all.slice(0, 2) }, busy: 'add' },
  'adding the first': { props: { passkeys: [] }, busy: 'add' },
  'going back': { props: { passkeys: [] }, busy: 'back' },
} satisfies Examples<typeof mfaPasskeys>
