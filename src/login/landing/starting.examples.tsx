import type { Examples } from '../../dialog/screen.ts'
import type { starting } from './starting.tsx'

export const examples = {
  waiting: { props: {} },
  failed: { props: { failed: true } },
  'tried again': { props: { failed: true }, busy: 'retry' },
} satisfies Examples<typeof starting>
