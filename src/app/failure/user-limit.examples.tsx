import type { Examples } from '../../dialog/screen.ts'
import type { userLimitReached } from './user-limit.tsx'

export const examples = {
  rest: { props: {} },
  busy: { props: {}, busy: 'again' },
} satisfies Examples<typeof userLimitReached>
