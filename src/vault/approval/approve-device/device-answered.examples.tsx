import type { Examples } from '../../../dialog/screen.ts'
import type { deviceAnswered } from './device-answered.tsx'

export const examples = {
  approved: { props: { outcome: 'approved' } },
  denied: { props: { outcome: 'denied' } },
  'another number': { props: { outcome: 'wrong' } },
  'nothing to approve': { props: { outcome: 'none' } },
} satisfies Examples<typeof deviceAnswered>
