import type { Examples } from '../../dialog/screen.ts'
import type { starting } from './starting.tsx'

export const examples = { waiting: { props: {} } } satisfies Examples<typeof starting>
