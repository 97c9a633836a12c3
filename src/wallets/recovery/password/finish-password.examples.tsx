import type { Examples } from '../../../dialog/screen.ts'
import type { finishPassword } from './finish-password.tsx'

export const examples = {
  rest: { props: { cancellable: true } },
  'in the automatic flow': { props: { cancellable: false } },
  setting: { props: { cancellable: true }, busy: 'set' },
  cancelling: { props: { cancellable: true }, busy: 'cancel' },
  'going back': { props: { cancellable: true }, busy: 'back' },
} satisfies Examples<typeof finishPassword>
