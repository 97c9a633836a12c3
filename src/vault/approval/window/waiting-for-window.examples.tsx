import type { Examples } from '../../../dialog/screen.ts'
import type { waitingForWindow } from './waiting-for-window.tsx'

export const examples = {
  waiting: { props: {} },
  'showing the window': { props: {}, busy: 'show' },
  cancelling: { props: {}, busy: 'cancel' },
} satisfies Examples<typeof waitingForWindow>
