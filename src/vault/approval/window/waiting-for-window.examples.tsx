import type { Examples } from '../../../dialog/screen.ts'
import type { waitingForWindow } from './waiting-for-window.tsx'

export const examples = {
  waiting: { props: {} },
  cancelling: { props: {}, busy: 'cancel' },
} satisfies Examples<typeof waitingForWindow>
