import type { Examples } from '../../dialog/screen.ts'
import { type continueHere, wallet } from './continue-here.tsx'

export const examples = {
  asking: { props: { wallet } },
  continuing: { props: { wallet }, busy: 'continue' },
  declining: { props: { wallet }, busy: 'decline' },
  'longest name': { props: { wallet: { id: 'unknown', name: 'Genossenschaftliche Energie-Brieftasche' } } },
} satisfies Examples<typeof continueHere>
