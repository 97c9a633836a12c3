import type { Examples } from '../../../dialog/screen.ts'
import type { RecoveryOAuthProps, recoveryOAuth } from './recovery-oauth.tsx'

const google: RecoveryOAuthProps = { provider: 'google-drive', purpose: 'recover', phase: 'confirm' }

const icloud: RecoveryOAuthProps = { provider: 'icloud', purpose: 'back-up', phase: 'confirm' }

const failed: RecoveryOAuthProps = {
  ...google,
  phase: 'failed',
  failure: {
    title: 'Recovery with Google Drive unsuccessful',
    detail: 'Please verify that you are selecting the Google Drive account associated with your backup.',
    retryable: true,
  },
}

export const examples = {
  'recover, Google Drive': { props: google },
  'back up, Google Drive': { props: { ...google, purpose: 'back-up' } },
  'recover, iCloud': { props: { ...icloud, purpose: 'recover' } },
  'back up, iCloud': { props: icloud },
  'before another one': { props: { ...google, purpose: 'present' } },
  'checking, before another one': { props: { ...icloud, purpose: 'present', phase: 'working' } },
  'opening the window': { props: google, busy: 'confirm' },
  'window blocked': { props: { ...google, phase: 'blocked' } },
  'in a window': { props: { ...google, phase: 'window' } },
  'in a window, iCloud': { props: { ...icloud, phase: 'window' } },
  recovering: { props: { ...google, phase: 'working' } },
  'backing up': { props: { ...icloud, phase: 'working' } },
  recovered: { props: { ...google, phase: 'done' } },
  'backed up': { props: { ...icloud, phase: 'done' } },
  failed: { props: failed },
  retrying: { props: failed, busy: 'retry' },
  'going back': { props: failed, busy: 'back' },
  'back up failed': {
    props: {
      ...icloud,
      phase: 'failed',
      failure: {
        title: 'Back up with Apple iCloud unsuccessful',
        detail: "This app doesn't offer that recovery method.",
        retryable: false,
      },
    },
  },
} satisfies Examples<typeof recoveryOAuth>
