import type { Examples } from '../../../dialog/screen.ts'
import type { windowEnded } from './window-ended.tsx'

export const examples = {
  over: { props: { why: 'over' } },
  alone: { props: { why: 'alone' } },
} satisfies Examples<typeof windowEnded>
