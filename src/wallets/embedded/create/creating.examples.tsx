import type { Examples } from '../../../dialog/screen.ts'
import type { creatingWallet } from './creating.tsx'

export const examples = { waiting: { props: {} } } satisfies Examples<typeof creatingWallet>
