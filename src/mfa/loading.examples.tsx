import type { Examples } from '../dialog/screen.ts'
import type { mfaLoading } from './loading.tsx'

export const examples = {
  rest: { props: { what: 'methods' } },
  'a code is sent': { props: { what: 'code' } },
} satisfies Examples<typeof mfaLoading>
