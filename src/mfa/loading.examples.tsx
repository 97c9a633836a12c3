import type { Examples } from '../dialog/screen.ts'
import type { mfaLoading } from './loading.tsx'

export const examples = { rest: { props: {} } } satisfies Examples<typeof mfaLoading>
