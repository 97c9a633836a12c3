import type { Examples } from '../../../dialog/screen.ts'
import type { accountFrozen } from './account-frozen.tsx'

export const examples = {
  frozen: { props: {} },
  confirming: { props: {}, busy: 'confirm' },
} satisfies Examples<typeof accountFrozen>
