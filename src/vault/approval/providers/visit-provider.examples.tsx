import type { Examples } from '../../../dialog/screen.ts'
import type { VisitProviderProps, visitProvider } from './visit-provider.tsx'

const google: VisitProviderProps = {
  provider: 'google',
  purpose: 'enrol',
  phase: 'confirm',
  hint: 'a•••@harbor.example',
  visit: { state: 'state', url: 'https://accounts.example/authorize' },
}
const drive: VisitProviderProps = { ...google, provider: 'google-drive', purpose: 'recover', hint: undefined }

export const examples = {
  'confirm a device': { props: google },
  'without a name': { props: { ...google, provider: 'telegram', hint: undefined } },
  'link an account': { props: { ...google, provider: 'github', purpose: 'link', hint: undefined } },
  'recover from Google Drive': { props: drive },
  'back up to iCloud': { props: { ...drive, provider: 'icloud', purpose: 'back-up' } },
  'show the backup': { props: { ...drive, purpose: 'present' } },
  opening: { props: google, busy: 'open' },
  blocked: { props: { ...google, phase: 'blocked' } },
  'in a window': { props: { ...google, phase: 'window' } },
  closed: { props: { ...google, phase: 'closed' } },
  silent: { props: { ...google, phase: 'silent' } },
  denied: { props: { ...google, phase: 'denied' } },
  'another account': { props: { ...google, phase: 'other' } },
  failed: { props: { ...google, phase: 'failed' } },
  'recovery failed': { props: { ...drive, phase: 'failed' } },
  'back up failed': { props: { ...drive, provider: 'icloud', purpose: 'back-up', phase: 'other' } },
  'recovery without a connection': { props: { ...drive, phase: 'failed', remedy: 'error.network.detail' } },
  checking: { props: { ...google, phase: 'working' } },
  'going back': { props: google, busy: 'back' },
} satisfies Examples<typeof visitProvider>
