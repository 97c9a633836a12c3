import type { Examples } from '../../dialog/screen.ts'
import type { accountNotFound } from './account-not-found.tsx'

export const examples = {
  rest: { props: {} },
  busy: { props: {}, busy: 'again' },
} satisfies Examples<typeof accountNotFound>
