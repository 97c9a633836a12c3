import type { Examples } from '../../dialog/screen.ts'
import type { connectingWallet } from './connecting.tsx'

export const examples = { waiting: { props: {} } } satisfies Examples<typeof connectingWallet>
