import type { Examples } from '../../dialog/screen.ts'
import type { RecoverySelectionProps, selectRecovery } from './recovery-selection.tsx'

const secure: RecoverySelectionProps = {
  purpose: 'secure',
  methods: ['google-drive', 'icloud', 'password'],
  cancellable: true,
}

const required: RecoverySelectionProps = { ...secure, cancellable: false }

export const examples = {
  secure: { props: secure },
  'required by the app': { props: required },
  'update, automatic': { props: { ...secure, purpose: 'update', current: 'automatic' } },
  'update, from Google Drive': {
    props: { ...secure, purpose: 'update', current: 'google-drive', methods: ['icloud', 'password'] },
  },
  'update, from a password': { props: { ...secure, purpose: 'update', current: 'password' } },
  'nothing to choose': { props: { ...secure, purpose: 'update', current: 'icloud', methods: [] } },
  choosing: { props: secure, busy: { method: 'icloud' } },
  'going back': { props: secure, busy: 'back' },
} satisfies Examples<typeof selectRecovery>
