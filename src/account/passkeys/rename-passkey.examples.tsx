import type { Examples } from '../../dialog/screen.ts'
import type { renamePasskey } from './rename-passkey.tsx'

export const examples = {
  'no name yet': { props: { value: '' } },
  'another name': { props: { value: 'Work laptop' } },
  saving: { props: { value: 'Work laptop' }, busy: { name: 'Work laptop' } },
  refused: { props: { value: ' ', error: 'Enter a name of 1 to 64 characters.' } },
} satisfies Examples<typeof renamePasskey>
