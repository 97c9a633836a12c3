import type { Examples } from '../../dialog/screen.ts'
import type { confirmRemoval } from './confirm-removal.tsx'

export const examples = {
  'an account': { props: { kind: 'account', account: 'ada@example.com' } },
  'a passkey': { props: { kind: 'passkey', account: 'iCloud Keychain on Safari' } },
  removing: { props: { kind: 'account', account: 'ada@example.com' }, busy: 'remove' },
  'going back': { props: { kind: 'account', account: 'ada@example.com' }, busy: 'back' },
  'longest account': {
    props: { kind: 'account', account: 'maximiliane.von-der-hohenstein@department.organisation.example' },
  },
} satisfies Examples<typeof confirmRemoval>
