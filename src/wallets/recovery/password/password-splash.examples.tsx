import type { Examples } from '../../../dialog/screen.ts'
import type { passwordSplash } from './password-splash.tsx'

export const examples = {
  rest: { props: {} },
  adding: { props: {}, busy: 'add' },
  leaving: { props: {}, busy: 'later' },
} satisfies Examples<typeof passwordSplash>
