import type { Examples } from '../../../dialog/screen.ts'
import { abouts } from './about.examples.ts'
import type { waitingForWindow } from './waiting-for-window.tsx'

const rest = abouts.transaction

export const examples = {
  opening: { props: { ...rest, state: 'opening' } },
  waiting: { props: { ...rest, state: 'open' } },
  'for a password': { props: { ...abouts.password, state: 'open' } },
  'behind others': { props: { ...rest, state: 'behind' } },
  finishing: { props: { ...abouts.recovery, state: 'finishing' } },
  'showing the window': { props: { ...rest, state: 'open' }, busy: 'show' },
  cancelling: { props: { ...rest, state: 'open' }, busy: 'cancel' },
} satisfies Examples<typeof waitingForWindow>
