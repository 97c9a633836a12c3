import type { Examples } from '../../../dialog/screen.ts'
import type { confirmDrive } from './confirm-drive.tsx'

export const examples = {
  recover: { props: { provider: 'google-drive', purpose: 'recover', account: 'ann.lee@harbor.example' } },
  'a long account': {
    props: {
      provider: 'google-drive',
      purpose: 'back-up',
      account: 'a-very-long-name-of-somebody-at-work@mail.of-a-department.harbor.example',
    },
  },
  'recover from iCloud': { props: { provider: 'icloud', purpose: 'recover' } },
  recovering: { props: { provider: 'google-drive', purpose: 'recover' }, busy: 'confirm' },
  'back up': { props: { provider: 'icloud', purpose: 'back-up' } },
  'backing up': { props: { provider: 'google-drive', purpose: 'back-up' }, busy: 'confirm' },
  'back up a new wallet': { props: { provider: 'google-drive', purpose: 'create' } },
  cancelling: { props: { provider: 'google-drive', purpose: 'back-up' }, busy: 'cancel' },
} satisfies Examples<typeof confirmDrive>
