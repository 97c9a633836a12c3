import type { Examples } from '../../dialog/screen.ts'
import type { mfaIntro } from './intro.tsx'

export const examples = {
  rest: { props: {} },
  continuing: { props: {}, busy: 'continue' },
  leaving: { props: {}, busy: 'not-now' },
} satisfies Examples<typeof mfaIntro>
